// Interface between the OpenXR loader and API layers, version 1, for SDKs without openxr_loader_negotiation.h.
//
// The loader opens the library that the manifest names and calls xrNegotiateLoaderApiLayerInterface. The layer returns
// two functions: one creates the layer's part of an instance, the other finds the functions that the application calls.
#pragma once

#include <openxr/openxr.h>

#include <cstddef>
#include <cstdint>

namespace glovebox::vr::layer {

/// The type that each struct of this interface begins with.
enum class LoaderStruct : std::uint32_t {
    loader_info = 1,
    api_layer_request = 2,
    api_layer_create_info = 4,
    api_layer_next_info = 5
};
inline constexpr std::uint32_t kLoaderStructVersion = 1, kLayerInterfaceVersion = 1;

/// Versions that the loader supports; input of xrNegotiateLoaderApiLayerInterface.
struct NegotiateLoaderInfo {
    LoaderStruct type;
    std::uint32_t version;
    std::size_t size;
    std::uint32_t min_interface_version, max_interface_version;
    XrVersion min_api_version, max_api_version;
};

struct ApiLayerNextInfo;
/// Input of the layer's function that creates an instance.
struct ApiLayerCreateInfo {
    LoaderStruct type;
    std::uint32_t version;
    std::size_t size;
    void* loader_instance;
    char settings_file_location[512];
    ApiLayerNextInfo* next_info;  ///< this layer's own entry
};

/// Creates the layer's part of an instance, and calls the same function of the next layer.
using CreateApiLayerInstance = XrResult(XRAPI_PTR*)(const XrInstanceCreateInfo*, const ApiLayerCreateInfo*,
                                                    XrInstance*);

/// One layer of the chain from the application to the runtime.
struct ApiLayerNextInfo {
    LoaderStruct type;
    std::uint32_t version;
    std::size_t size;
    char layer_name[XR_MAX_API_LAYER_NAME_SIZE];
    PFN_xrGetInstanceProcAddr next_get_instance_proc_addr;
    CreateApiLayerInstance next_create_instance;
    ApiLayerNextInfo* next;  ///< the next layer's entry; null: the runtime is next
};

/// Capabilities of the layer; output of xrNegotiateLoaderApiLayerInterface.
struct NegotiateApiLayerRequest {
    LoaderStruct type;
    std::uint32_t version;
    std::size_t size;
    std::uint32_t interface_version;
    XrVersion api_version;
    PFN_xrGetInstanceProcAddr get_instance_proc_addr;
    CreateApiLayerInstance create_instance;
};

}  // namespace glovebox::vr::layer
