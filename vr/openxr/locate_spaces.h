// Declares XR_KHR_locate_spaces (many spaces in one call), for OpenXR headers that are older than this extension.
// OpenXR 1.1 has the same structures in its core, and the function without the suffix.
#pragma once

#include <openxr/openxr.h>

#ifndef XR_KHR_locate_spaces
#define XR_KHR_locate_spaces 1
#define XR_KHR_locate_spaces_SPEC_VERSION 1
#define XR_KHR_LOCATE_SPACES_EXTENSION_NAME "XR_KHR_locate_spaces"

inline constexpr auto XR_TYPE_SPACES_LOCATE_INFO_KHR = static_cast<XrStructureType>(1000471000);
inline constexpr auto XR_TYPE_SPACE_LOCATIONS_KHR = static_cast<XrStructureType>(1000471001);
inline constexpr auto XR_TYPE_SPACE_VELOCITIES_KHR = static_cast<XrStructureType>(1000471002);

struct XrSpacesLocateInfoKHR {
    XrStructureType type;
    const void* next;
    XrSpace baseSpace;
    XrTime time;
    std::uint32_t spaceCount;
    const XrSpace* spaces;
};

struct XrSpaceLocationDataKHR {
    XrSpaceLocationFlags locationFlags;
    XrPosef pose;
};

struct XrSpaceLocationsKHR {
    XrStructureType type;
    void* next;
    std::uint32_t locationCount;
    XrSpaceLocationDataKHR* locations;
};

struct XrSpaceVelocityDataKHR {
    XrSpaceVelocityFlags velocityFlags;
    XrVector3f linearVelocity;
    XrVector3f angularVelocity;
};

/// Extends XrSpaceLocationsKHR.
struct XrSpaceVelocitiesKHR {
    XrStructureType type;
    void* next;
    std::uint32_t velocityCount;
    XrSpaceVelocityDataKHR* velocities;
};

using PFN_xrLocateSpacesKHR = XrResult(XRAPI_PTR*)(XrSession session, const XrSpacesLocateInfoKHR* locateInfo,
                                                   XrSpaceLocationsKHR* spaceLocations);

#endif
