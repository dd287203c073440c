// The door: what the loader calls, and the table of the functions that go another way.
#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "vr/layer/actions.h"
#include "vr/layer/hands.h"
#include "vr/layer/spaces.h"

namespace glovebox::vr::layer {
namespace {

// When an application gets the layer's function in place of the next one's.
enum class When : std::uint8_t { always, hands, curl, record, application };

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
    Row{"xrCreateReferenceSpace", pointer(create_reference_space), When::application},
    Row{"xrCreateActionSpace", pointer(create_action_space), When::application},
    Row{"xrDestroySpace", pointer(destroy_space), When::application},
    Row{"xrLocateSpace", pointer(locate_space), When::application},
    Row{"xrLocateViews", pointer(locate_views), When::application},
    Row{"xrCreateActionSet", pointer(create_action_set), When::application},
    Row{"xrDestroyActionSet", pointer(destroy_action_set), When::application},
    Row{"xrCreateAction", pointer(create_action), When::application},
    Row{"xrDestroyAction", pointer(destroy_action), When::application},
    Row{"xrSyncActions", pointer(sync_actions), When::application},
    Row{"xrGetActionStateBoolean", pointer(get_action_state_boolean), When::application},
    Row{"xrGetActionStateFloat", pointer(get_action_state_float), When::application},
    Row{"xrGetActionStateVector2f", pointer(get_action_state_vector2f), When::application},
    Row{"xrGetActionStatePose", pointer(get_action_state_pose), When::application},
    Row{"xrGetCurrentInteractionProfile", pointer(get_current_interaction_profile), When::application},
    Row{"xrWaitFrame", pointer(wait_frame), When::application},
    Row{"xrBeginFrame", pointer(begin_frame), When::application},
    Row{"xrEndFrame", pointer(end_frame), When::application},
    Row{"xrApplyForceFeedbackCurlMNDX", pointer(apply_force_feedback_curl), When::curl},
};

bool is_wanted(When when, const Instance& instance) {
    if (when == When::always) return true;
    if (!instance.intercepts()) return false;
    return when == When::hands || (when == When::curl && instance.uses_curl) ||
           (when == When::record && instance.record != nullptr) ||
           (when == When::application && instance.keeps_application());
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
