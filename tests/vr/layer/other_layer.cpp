// Another API layer, for ours to live with: it passes everything on. With OTHER_LAYER_HAS=XR_MNDX_force_feedback_curl
// in its environment it has that extension instead of the runtime, and says so when it is used.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "vr/layer/loader_interface.h"
#include "vr/openxr/force_feedback_curl.h"

namespace {

using namespace glovebox::vr::layer;

PFN_xrGetInstanceProcAddr next_get_instance_proc_addr = nullptr;

const char* own_extension() {
    return std::getenv("OTHER_LAYER_HAS");
}

XrResult XRAPI_CALL apply_force_feedback_curl(XrHandTrackerEXT, const XrForceFeedbackCurlApplyLocationsMNDX*) {
    std::fputs("other layer: forces\n", stderr);
    return XR_SUCCESS;
}

XrResult XRAPI_CALL get_instance_proc_addr(XrInstance instance, const char* name, PFN_xrVoidFunction* out) {
    if (std::strcmp(name, "xrApplyForceFeedbackCurlMNDX") == 0 && own_extension() != nullptr) {
        *out = reinterpret_cast<PFN_xrVoidFunction>(apply_force_feedback_curl);
        return XR_SUCCESS;
    }
    return next_get_instance_proc_addr(instance, name, out);
}

XrResult XRAPI_CALL create_instance(const XrInstanceCreateInfo* info, const ApiLayerCreateInfo* layer,
                                    XrInstance* out) {
    XrInstanceCreateInfo passed = *info;
    std::vector<const char*> names(info->enabledExtensionNames,
                                   info->enabledExtensionNames + info->enabledExtensionCount);
    if (const char* own = own_extension(); own != nullptr)
        std::erase_if(names, [&](const std::string_view name) { return name == own; });
    passed.enabledExtensionCount = static_cast<std::uint32_t>(names.size());
    passed.enabledExtensionNames = names.data();
    ApiLayerCreateInfo next = *layer;
    next.next_info = layer->next_info->next;
    next_get_instance_proc_addr = layer->next_info->next_get_instance_proc_addr;
    return layer->next_info->next_create_instance(&passed, &next, out);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) XrResult XRAPI_CALL
xrNegotiateLoaderApiLayerInterface(const NegotiateLoaderInfo*, const char*, NegotiateApiLayerRequest* request);
extern "C" __attribute__((visibility("default"))) XrResult XRAPI_CALL
xrNegotiateLoaderApiLayerInterface(const NegotiateLoaderInfo*, const char*, NegotiateApiLayerRequest* request) {
    request->interface_version = kLayerInterfaceVersion;
    request->api_version = XR_MAKE_VERSION(1, 0, 0);
    request->get_instance_proc_addr = get_instance_proc_addr;
    request->create_instance = create_instance;
    return XR_SUCCESS;
}
