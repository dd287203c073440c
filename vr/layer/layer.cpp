// The door: what the loader calls, and the table of the functions that go another way.
#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "vr/layer/hands.h"

namespace glovebox::vr::layer {
namespace {

// When an application gets the layer's function in place of the next one's.
enum class When : std::uint8_t { always, hands, curl, record };

struct Row {
    const char* name;
    PFN_xrVoidFunction function;
    When when;
};

template <class Function>
PFN_xrVoidFunction pointer(Function function) {
    return reinterpret_cast<PFN_xrVoidFunction>(function);
}

XrResult XRAPI_CALL get_instance_proc_addr(XrInstance handle, const char* name, PFN_xrVoidFunction* out);

const std::array kRows = {
    Row{"xrGetInstanceProcAddr", pointer(get_instance_proc_addr), When::always},
    Row{"xrDestroyInstance", pointer(destroy_instance), When::always},
    Row{"xrGetSystemProperties", pointer(get_system_properties), When::hands},
    Row{"xrPollEvent", pointer(poll_event), When::hands},
    Row{"xrCreateSession", pointer(create_session), When::hands},
    Row{"xrDestroySession", pointer(destroy_session), When::hands},
    Row{"xrCreateHandTrackerEXT", pointer(create_hand_tracker), When::hands},
    Row{"xrDestroyHandTrackerEXT", pointer(destroy_hand_tracker), When::hands},
    Row{"xrLocateHandJointsEXT", pointer(locate_hand_joints), When::hands},
    Row{"xrApplyHapticFeedback", pointer(apply_haptic_feedback), When::record},
    Row{"xrStopHapticFeedback", pointer(stop_haptic_feedback), When::record},
    Row{"xrApplyForceFeedbackCurlMNDX", pointer(apply_force_feedback_curl), When::curl},
};

bool is_wanted(When when, const Instance& instance) {
    if (when == When::always) return true;
    if (!instance.intercepts()) return false;
    return when == When::hands || (when == When::curl && instance.uses_curl) ||
           (when == When::record && instance.record != nullptr);
}

XrResult XRAPI_CALL get_instance_proc_addr(XrInstance handle, const char* name, PFN_xrVoidFunction* out) {
    if (name == nullptr || out == nullptr) return XR_ERROR_VALIDATION_FAILURE;
    *out = nullptr;
    const Instance* instance = known().instances.find(number_of(handle));
    if (instance == nullptr) return XR_ERROR_HANDLE_INVALID;
    const auto* row = std::ranges::find_if(kRows, [&](const Row& each) { return std::strcmp(each.name, name) == 0; });
    if (row == kRows.end() || !is_wanted(row->when, *instance))
        return instance->next.get_instance_proc_addr(handle, name, out);
    *out = row->function;
    return XR_SUCCESS;
}

}  // namespace
}  // namespace glovebox::vr::layer

using glovebox::vr::layer::LoaderStruct;

extern "C" __attribute__((visibility("default"))) XrResult XRAPI_CALL
xrNegotiateLoaderApiLayerInterface(const glovebox::vr::layer::NegotiateLoaderInfo* loader, const char* name,
                                   glovebox::vr::layer::NegotiateApiLayerRequest* request) {
    using namespace glovebox::vr::layer;
    if (loader == nullptr || request == nullptr || loader->type != LoaderStruct::loader_info ||
        loader->version != kLoaderStructVersion || loader->size != sizeof *loader ||
        request->type != LoaderStruct::api_layer_request || request->version != kLoaderStructVersion ||
        request->size != sizeof *request || (name != nullptr && std::string_view(name) != kLayerName) ||
        loader->min_interface_version > kLayerInterfaceVersion ||
        loader->max_interface_version < kLayerInterfaceVersion ||
        loader->min_api_version > XR_MAKE_VERSION(1, 0xFFF, 0) || loader->max_api_version < XR_MAKE_VERSION(1, 0, 0))
        return XR_ERROR_INITIALIZATION_FAILED;
    request->interface_version = kLayerInterfaceVersion;
    request->api_version = XR_MAKE_VERSION(1, 0, 0);
    request->get_instance_proc_addr = get_instance_proc_addr;
    request->create_instance = create_instance;
    return XR_SUCCESS;
}
