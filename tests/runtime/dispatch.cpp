// The table from OpenXR function names to our functions, and the wrapper that every call goes through.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "tests/runtime/functions.h"
#include "tests/runtime/loader_interface.h"

namespace glovebox::tests::runtime {
namespace {

// True for results that a correct application can meet, such as loss or absence; any other refusal is its own fault.
bool is_life(XrResult result) {
    switch (result) {
        case XR_ERROR_INSTANCE_LOST:
        case XR_ERROR_SESSION_LOST:
        case XR_ERROR_RUNTIME_FAILURE:
        case XR_ERROR_OUT_OF_MEMORY:
        case XR_ERROR_RUNTIME_UNAVAILABLE:
        case XR_ERROR_FORM_FACTOR_UNAVAILABLE:
        case XR_ERROR_FEATURE_UNSUPPORTED:
        case XR_ERROR_SIZE_INSUFFICIENT:
            return true;
        default:
            return false;
    }
}

// A call that takes long, as one does that waits for a slow renderer. Other threads may call meanwhile.
void hold(const char* name) {
    Runtime& r = runtime();
    if (r.script.slow_call.empty() || r.script.slow_call != name) return;
    r.write_log("held %s", name);
    r.mutex.unlock();
    std::this_thread::sleep_for(std::chrono::duration<double>(r.script.slow_s));
    r.mutex.lock();
    r.write_log("let go %s", name);
}

template <typename Body>
XrResult guarded(const char* name, Body body) {
    Runtime& r = runtime();
    const std::lock_guard lock(r.mutex);
    r.calling = name;
    r.tick();
    hold(name);
    const XrResult result = body();
    if (result < 0) {
        char text[XR_MAX_RESULT_STRING_SIZE];
        result_to_string(XR_NULL_HANDLE, result, text);
        r.write_log("%s %s %s", is_life(result) ? "answered" : "refused", name, text);
        if (!is_life(result)) ++r.refused;
    }
    return result;
}

template <std::size_t size>
struct Name {
    char text[size];
    constexpr Name(const char (&from)[size]) { std::copy_n(from, size, text); }
};

template <Name name, auto function>
struct Entry;
template <Name name, typename... Arguments, XrResult (*function)(Arguments...)>
struct Entry<name, function> {
    static XrResult XRAPI_CALL call(Arguments... arguments) {
        return guarded(name.text, [&] { return function(arguments...); });
    }
};

struct Row {
    const char* name;
    PFN_xrVoidFunction function;
    const char* extension;  ///< null: part of the core
    bool without_instance = false;
};
template <Name name, auto function>
Row row(const char* extension = nullptr, bool without_instance = false) {
    return {name.text, reinterpret_cast<PFN_xrVoidFunction>(&Entry<name, function>::call), extension, without_instance};
}
// A template's static text has linkage, so name.text lives as long as the library.

XrResult XRAPI_CALL get_instance_proc_addr(XrInstance instance, const char* name, PFN_xrVoidFunction* function);

const std::vector<Row>& rows() {
    static const std::vector<Row> table{
        {"xrGetInstanceProcAddr", reinterpret_cast<PFN_xrVoidFunction>(&get_instance_proc_addr), nullptr, true},
        row<"xrEnumerateInstanceExtensionProperties", enumerate_instance_extension_properties>(nullptr, true),
        row<"xrCreateInstance", create_instance>(nullptr, true),
        row<"xrDestroyInstance", destroy_instance>(),
        row<"xrCreateDebugUtilsMessengerEXT", create_debug_utils_messenger>("XR_EXT_debug_utils"),
        row<"xrDestroyDebugUtilsMessengerEXT", destroy_debug_utils_messenger>("XR_EXT_debug_utils"),
        row<"xrSubmitDebugUtilsMessageEXT", submit_debug_utils_message>("XR_EXT_debug_utils"),
        row<"xrSetDebugUtilsObjectNameEXT", set_debug_utils_object_name>("XR_EXT_debug_utils"),
        row<"xrGetInstanceProperties", get_instance_properties>(),
        row<"xrPollEvent", poll_event>(),
        row<"xrResultToString", result_to_string>(),
        row<"xrStructureTypeToString", structure_type_to_string>(),
        row<"xrStringToPath", string_to_path>(),
        row<"xrPathToString", path_to_string>(),
        row<"xrGetSystem", get_system>(),
        row<"xrGetSystemProperties", get_system_properties>(),
        row<"xrEnumerateEnvironmentBlendModes", enumerate_environment_blend_modes>(),
        row<"xrEnumerateViewConfigurations", enumerate_view_configurations>(),
        row<"xrGetViewConfigurationProperties", get_view_configuration_properties>(),
        row<"xrEnumerateViewConfigurationViews", enumerate_view_configuration_views>(),
        row<"xrConvertTimespecTimeToTimeKHR", convert_timespec_time_to_time>("XR_KHR_convert_timespec_time"),
        row<"xrConvertTimeToTimespecTimeKHR", convert_time_to_timespec_time>("XR_KHR_convert_timespec_time"),
        row<"xrCreateSession", create_session>(),
        row<"xrDestroySession", destroy_session>(),
        row<"xrBeginSession", begin_session>(),
        row<"xrEndSession", end_session>(),
        row<"xrRequestExitSession", request_exit_session>(),
        row<"xrWaitFrame", wait_frame>(),
        row<"xrBeginFrame", begin_frame>(),
        row<"xrEndFrame", end_frame>(),
        row<"xrLocateViews", locate_views>(),
        row<"xrEnumerateDisplayRefreshRatesFB", enumerate_display_refresh_rates>("XR_FB_display_refresh_rate"),
        row<"xrGetDisplayRefreshRateFB", get_display_refresh_rate>("XR_FB_display_refresh_rate"),
        row<"xrRequestDisplayRefreshRateFB", request_display_refresh_rate>("XR_FB_display_refresh_rate"),
        row<"xrEnumerateReferenceSpaces", enumerate_reference_spaces>(),
        row<"xrCreateReferenceSpace", create_reference_space>(),
        row<"xrGetReferenceSpaceBoundsRect", get_reference_space_bounds_rect>(),
        row<"xrCreateActionSpace", create_action_space>(),
        row<"xrLocateSpace", locate_space>(),
        row<"xrLocateSpacesKHR", locate_spaces>(XR_KHR_LOCATE_SPACES_EXTENSION_NAME),
        row<"xrDestroySpace", destroy_space>(),
        row<"xrCreateActionSet", create_action_set>(),
        row<"xrDestroyActionSet", destroy_action_set>(),
        row<"xrCreateAction", create_action>(),
        row<"xrDestroyAction", destroy_action>(),
        row<"xrSuggestInteractionProfileBindings", suggest_interaction_profile_bindings>(),
        row<"xrAttachSessionActionSets", attach_session_action_sets>(),
        row<"xrGetCurrentInteractionProfile", get_current_interaction_profile>(),
        row<"xrSyncActions", sync_actions>(),
        row<"xrGetActionStateBoolean", get_action_state_boolean>(),
        row<"xrGetActionStateFloat", get_action_state_float>(),
        row<"xrGetActionStateVector2f", get_action_state_vector2f>(),
        row<"xrGetActionStatePose", get_action_state_pose>(),
        row<"xrEnumerateBoundSourcesForAction", enumerate_bound_sources_for_action>(),
        row<"xrGetInputSourceLocalizedName", get_input_source_localized_name>(),
        row<"xrApplyHapticFeedback", apply_haptic_feedback>(),
        row<"xrStopHapticFeedback", stop_haptic_feedback>(),
        row<"xrCreateHandTrackerEXT", create_hand_tracker>("XR_EXT_hand_tracking"),
        row<"xrDestroyHandTrackerEXT", destroy_hand_tracker>("XR_EXT_hand_tracking"),
        row<"xrLocateHandJointsEXT", locate_hand_joints>("XR_EXT_hand_tracking"),
        row<"xrGetHandMeshFB", get_hand_mesh>("XR_FB_hand_tracking_mesh"),
        row<"xrApplyForceFeedbackCurlMNDX", apply_force_feedback_curl>("XR_MNDX_force_feedback_curl"),
        row<"xrGetOpenGLGraphicsRequirementsKHR", get_opengl_graphics_requirements>("XR_KHR_opengl_enable"),
        row<"xrGetVulkanGraphicsRequirements2KHR", get_vulkan_graphics_requirements>("XR_KHR_vulkan_enable2"),
        row<"xrCreateVulkanInstanceKHR", create_vulkan_instance>("XR_KHR_vulkan_enable2"),
        row<"xrGetVulkanGraphicsDevice2KHR", get_vulkan_graphics_device>("XR_KHR_vulkan_enable2"),
        row<"xrCreateVulkanDeviceKHR", create_vulkan_device>("XR_KHR_vulkan_enable2"),
        row<"xrEnumerateSwapchainFormats", enumerate_swapchain_formats>(),
        row<"xrCreateSwapchain", create_swapchain>(),
        row<"xrDestroySwapchain", destroy_swapchain>(),
        row<"xrEnumerateSwapchainImages", enumerate_swapchain_images>(),
        row<"xrAcquireSwapchainImage", acquire_swapchain_image>(),
        row<"xrWaitSwapchainImage", wait_swapchain_image>(),
        row<"xrReleaseSwapchainImage", release_swapchain_image>(),
    };
    return table;
}

XrResult XRAPI_CALL get_instance_proc_addr(XrInstance handle, const char* name, PFN_xrVoidFunction* function) {
    if (function == nullptr || name == nullptr) return XR_ERROR_VALIDATION_FAILURE;
    *function = nullptr;
    Runtime& r = runtime();
    const std::lock_guard lock(r.mutex);
    const Instance* instance = r.find<Instance>(number_of(handle));
    if (handle != XR_NULL_HANDLE && instance == nullptr) return XR_ERROR_HANDLE_INVALID;
    const auto found =
        std::find_if(rows().begin(), rows().end(), [&](const Row& row) { return std::strcmp(row.name, name) == 0; });
    if (found == rows().end()) return XR_ERROR_FUNCTION_UNSUPPORTED;
    if (instance == nullptr && !found->without_instance) return XR_ERROR_HANDLE_INVALID;
    if (found->extension != nullptr &&
        (instance == nullptr || !instance->has(found->extension) || r.script.without.contains(found->extension)))
        return XR_ERROR_FUNCTION_UNSUPPORTED;
    *function = found->function;
    return XR_SUCCESS;
}

}  // namespace
}  // namespace glovebox::tests::runtime

extern "C" __attribute__((visibility("default"))) XrResult XRAPI_CALL
xrNegotiateLoaderRuntimeInterface(const XrNegotiateLoaderInfo* loader, XrNegotiateRuntimeRequest* request) {
    if (loader == nullptr || request == nullptr || loader->structType != XR_LOADER_INTERFACE_STRUCT_LOADER_INFO ||
        loader->structVersion != kLoaderInfoVersion || loader->structSize != sizeof *loader ||
        request->structType != XR_LOADER_INTERFACE_STRUCT_RUNTIME_REQUEST ||
        request->structVersion != kRuntimeInfoVersion || request->structSize != sizeof *request ||
        loader->minInterfaceVersion > kRuntimeInterfaceVersion ||
        loader->maxInterfaceVersion < kRuntimeInterfaceVersion)
        return XR_ERROR_INITIALIZATION_FAILED;
    request->runtimeInterfaceVersion = kRuntimeInterfaceVersion;
    request->runtimeApiVersion = XR_MAKE_VERSION(1, 0, XR_VERSION_PATCH(XR_CURRENT_API_VERSION));
    request->getInstanceProcAddr = glovebox::tests::runtime::get_instance_proc_addr;
    return XR_SUCCESS;
}
