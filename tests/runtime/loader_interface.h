// The interface between the OpenXR loader and a runtime, for SDKs without openxr_loader_negotiation.h.
//
// The loader opens the library named in the manifest and calls xrNegotiateLoaderRuntimeInterface. All other functions
// are reached through the function pointer that this returns.
#pragma once

#include <openxr/openxr.h>

enum XrLoaderInterfaceStructs {
    XR_LOADER_INTERFACE_STRUCT_LOADER_INFO = 1,
    XR_LOADER_INTERFACE_STRUCT_RUNTIME_REQUEST = 3
};

inline constexpr uint32_t kLoaderInfoVersion = 1, kRuntimeInfoVersion = 1, kRuntimeInterfaceVersion = 1;

struct XrNegotiateLoaderInfo {
    XrLoaderInterfaceStructs structType;
    uint32_t structVersion;
    size_t structSize;
    uint32_t minInterfaceVersion;
    uint32_t maxInterfaceVersion;
    XrVersion minApiVersion;
    XrVersion maxApiVersion;
};

struct XrNegotiateRuntimeRequest {
    XrLoaderInterfaceStructs structType;
    uint32_t structVersion;
    size_t structSize;
    uint32_t runtimeInterfaceVersion;
    XrVersion runtimeApiVersion;
    PFN_xrGetInstanceProcAddr getInstanceProcAddr;
};
