// Entry points of the layer: the loader's negotiation, and the table of intercepted functions.
#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "vr/layer/actions.h"
#include "vr/layer/hand_actions.h"
#include "vr/layer/hands.h"
#include "vr/layer/spaces.h"

namespace glovebox::vr::layer {
namespace {

// When the application gets the layer's function instead of the next one's.
enum class When : std::uint8_t {
    always,
    session,
    hands,
    curl,
    record,
    application,
    actions,
    waits,
    ends,
    sets,
    bindings
};

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
    Row{"xrGetSystemProperties", pointer(get_system_properties), When::session},
    Row{"xrPollEvent", pointer(poll_event), When::session},
    Row{"xrCreateSession", pointer(create_session), When::session},
    Row{"xrDestroySession", pointer(destroy_session), When::session},
    Row{"xrCreateHandTrackerEXT", pointer(create_hand_tracker), When::hands},
    Row{"xrDestroyHandTrackerEXT", pointer(destroy_hand_tracker), When::hands},
    Row{"xrLocateHandJointsEXT", pointer(locate_hand_joints), When::hands},
    Row{"xrApplyHapticFeedback", pointer(apply_haptic_feedback), When::record},
    Row{"xrStopHapticFeedback", pointer(stop_haptic_feedback), When::record},
    Row{"xrCreateReferenceSpace", pointer(create_reference_space), When::actions},
    Row{"xrCreateActionSpace", pointer(create_action_space), When::actions},
    Row{"xrDestroySpace", pointer(destroy_space), When::actions},
    Row{"xrLocateSpace", pointer(locate_space), When::actions},
    Row{"xrLocateSpaces", pointer(locate_spaces), When::actions},
    Row{"xrLocateSpacesKHR", pointer(locate_spaces), When::actions},
    Row{"xrLocateViews", pointer(locate_views), When::application},
    Row{"xrCreateActionSet", pointer(create_action_set), When::sets},
    Row{"xrDestroyActionSet", pointer(destroy_action_set), When::sets},
    Row{"xrCreateAction", pointer(create_action), When::actions},
    Row{"xrDestroyAction", pointer(destroy_action), When::actions},
    Row{"xrSuggestInteractionProfileBindings", pointer(suggest_interaction_profile_bindings), When::bindings},
    Row{"xrAttachSessionActionSets", pointer(attach_session_action_sets), When::bindings},
    Row{"xrSyncActions", pointer(sync_actions), When::sets},
    Row{"xrGetActionStateBoolean", pointer(get_action_state_boolean), When::actions},
    Row{"xrGetActionStateFloat", pointer(get_action_state_float), When::actions},
    Row{"xrGetActionStateVector2f", pointer(get_action_state_vector2f), When::actions},
    Row{"xrGetActionStatePose", pointer(get_action_state_pose), When::actions},
    Row{"xrGetCurrentInteractionProfile", pointer(get_current_interaction_profile), When::actions},
    Row{"xrWaitFrame", pointer(wait_frame), When::waits},
    Row{"xrBeginFrame", pointer(begin_frame), When::application},
    Row{"xrEndFrame", pointer(end_frame), When::ends},
    Row{"xrApplyForceFeedbackCurlMNDX", pointer(apply_force_feedback_curl), When::curl},
};

bool is_wanted(When when, const Instance& instance) {
    if (when == When::always) return true;
    if (!instance.intercepts()) return false;
    switch (when) {
        case When::hands:
            return instance.uses_hands;
        case When::curl:
            return instance.uses_curl;
        case When::record:
            return instance.record != nullptr;
        case When::application:
            return instance.keeps_application();
        case When::actions:
            return instance.handles_actions();
        case When::waits:
            return instance.handles_actions() || instance.sees();
        case When::ends:
            return instance.keeps_application() || instance.sees();
        case When::sets:
            return instance.handles_actions() || instance.has_gloves();
        case When::bindings:
            return instance.supplies_interaction() || instance.has_gloves();
        default:
            return true;
    }
}

XrResult XRAPI_CALL get_instance_proc_addr(XrInstance handle, const char* name, PFN_xrVoidFunction* out) {
    if (name == nullptr || out == nullptr) return XR_ERROR_VALIDATION_FAILURE;
    *out = nullptr;
    const Instance* instance = known().instances.find(number_of(handle));
    if (instance == nullptr) return XR_ERROR_HANDLE_INVALID;
    const auto* row = std::ranges::find_if(kRows, [&](const Row& each) { return std::strcmp(each.name, name) == 0; });
    if (row == kRows.end() || !is_wanted(row->when, *instance))
        return instance->next.get_instance_proc_addr(handle, name, out);
    // Not of every runtime: without one below there is nothing to ask.
    if (row->function == pointer(locate_spaces)) {
        const XrResult result = instance->next.get_instance_proc_addr(handle, name, out);
        if (result < 0) return result;
    }
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
