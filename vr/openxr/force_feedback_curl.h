// Declares XR_MNDX_force_feedback_curl, for OpenXR headers that are older than this extension.
//
// The extension takes one value per finger, from 0 (free) to 1 (held straight), for gloves with brakes or winches on
// the fingers. A value has no duration: it stays in force until another one replaces it.
#pragma once

#include <openxr/openxr.h>

#ifndef XR_MNDX_force_feedback_curl
#define XR_MNDX_force_feedback_curl 1
#define XR_MNDX_force_feedback_curl_SPEC_VERSION 1
#define XR_MNDX_FORCE_FEEDBACK_CURL_EXTENSION_NAME "XR_MNDX_force_feedback_curl"

inline constexpr auto XR_TYPE_SYSTEM_FORCE_FEEDBACK_CURL_PROPERTIES_MNDX = static_cast<XrStructureType>(1000375000);
inline constexpr auto XR_TYPE_FORCE_FEEDBACK_CURL_APPLY_LOCATIONS_MNDX = static_cast<XrStructureType>(1000375001);

enum XrForceFeedbackCurlLocationMNDX {
    XR_FORCE_FEEDBACK_CURL_LOCATION_THUMB_CURL_MNDX = 0,
    XR_FORCE_FEEDBACK_CURL_LOCATION_INDEX_CURL_MNDX = 1,
    XR_FORCE_FEEDBACK_CURL_LOCATION_MIDDLE_CURL_MNDX = 2,
    XR_FORCE_FEEDBACK_CURL_LOCATION_RING_CURL_MNDX = 3,
    XR_FORCE_FEEDBACK_CURL_LOCATION_LITTLE_CURL_MNDX = 4,
    XR_FORCE_FEEDBACK_CURL_LOCATION_MAX_ENUM_MNDX = 0x7FFFFFFF
};

/// Extends XrSystemProperties.
struct XrSystemForceFeedbackCurlPropertiesMNDX {
    XrStructureType type;
    void* next;
    XrBool32 supportsForceFeedbackCurl;
};

struct XrForceFeedbackCurlApplyLocationMNDX {
    XrForceFeedbackCurlLocationMNDX location;
    float value;
};

struct XrForceFeedbackCurlApplyLocationsMNDX {
    XrStructureType type;
    const void* next;
    uint32_t locationCount;
    XrForceFeedbackCurlApplyLocationMNDX* locations;
};

using PFN_xrApplyForceFeedbackCurlMNDX = XrResult(XRAPI_PTR*)(XrHandTrackerEXT,
                                                              const XrForceFeedbackCurlApplyLocationsMNDX*);
#endif
