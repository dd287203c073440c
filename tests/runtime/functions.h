// Declares every function that the runtime implements, named as in OpenXR without the prefix xr.
#pragma once

#include <time.h>

#include "tests/runtime/runtime.h"
#include "vr/openxr/force_feedback_curl.h"
#include "vr/openxr/locate_spaces.h"

namespace glovebox::tests::runtime {

// instance.cpp
XrResult enumerate_instance_extension_properties(const char*, std::uint32_t, std::uint32_t*, XrExtensionProperties*);
XrResult create_instance(const XrInstanceCreateInfo*, XrInstance*);
XrResult destroy_instance(XrInstance);
XrResult create_debug_utils_messenger(XrInstance, const XrDebugUtilsMessengerCreateInfoEXT*, XrDebugUtilsMessengerEXT*);
XrResult destroy_debug_utils_messenger(XrDebugUtilsMessengerEXT);
XrResult submit_debug_utils_message(XrInstance, XrDebugUtilsMessageSeverityFlagsEXT, XrDebugUtilsMessageTypeFlagsEXT,
                                    const XrDebugUtilsMessengerCallbackDataEXT*);
XrResult set_debug_utils_object_name(XrInstance, const XrDebugUtilsObjectNameInfoEXT*);
XrResult get_instance_properties(XrInstance, XrInstanceProperties*);
XrResult poll_event(XrInstance, XrEventDataBuffer*);
XrResult result_to_string(XrInstance, XrResult, char*);
XrResult structure_type_to_string(XrInstance, XrStructureType, char*);
XrResult string_to_path(XrInstance, const char*, XrPath*);
XrResult path_to_string(XrInstance, XrPath, std::uint32_t, std::uint32_t*, char*);
XrResult get_system(XrInstance, const XrSystemGetInfo*, XrSystemId*);
XrResult get_system_properties(XrInstance, XrSystemId, XrSystemProperties*);
XrResult enumerate_environment_blend_modes(XrInstance, XrSystemId, XrViewConfigurationType, std::uint32_t,
                                           std::uint32_t*, XrEnvironmentBlendMode*);
XrResult enumerate_view_configurations(XrInstance, XrSystemId, std::uint32_t, std::uint32_t*, XrViewConfigurationType*);
XrResult get_view_configuration_properties(XrInstance, XrSystemId, XrViewConfigurationType,
                                           XrViewConfigurationProperties*);
XrResult enumerate_view_configuration_views(XrInstance, XrSystemId, XrViewConfigurationType, std::uint32_t,
                                            std::uint32_t*, XrViewConfigurationView*);
XrResult convert_timespec_time_to_time(XrInstance, const timespec*, XrTime*);
XrResult convert_time_to_timespec_time(XrInstance, XrTime, timespec*);

// session.cpp
XrResult create_session(XrInstance, const XrSessionCreateInfo*, XrSession*);
XrResult destroy_session(XrSession);
XrResult begin_session(XrSession, const XrSessionBeginInfo*);
XrResult end_session(XrSession);
XrResult request_exit_session(XrSession);
/// Counts one frame of the script and applies the events that are due; afterwards the session may be gone.
XrResult count_frame(XrSession, Session*&);
XrResult wait_frame(XrSession, const XrFrameWaitInfo*, XrFrameState*);
XrResult begin_frame(XrSession, const XrFrameBeginInfo*);
XrResult end_frame(XrSession, const XrFrameEndInfo*);
XrResult locate_views(XrSession, const XrViewLocateInfo*, XrViewState*, std::uint32_t, std::uint32_t*, XrView*);
XrResult enumerate_display_refresh_rates(XrSession, std::uint32_t, std::uint32_t*, float*);
XrResult get_display_refresh_rate(XrSession, float*);
XrResult request_display_refresh_rate(XrSession, float);

// space.cpp
XrResult enumerate_reference_spaces(XrSession, std::uint32_t, std::uint32_t*, XrReferenceSpaceType*);
XrResult create_reference_space(XrSession, const XrReferenceSpaceCreateInfo*, XrSpace*);
XrResult get_reference_space_bounds_rect(XrSession, XrReferenceSpaceType, XrExtent2Df*);
XrResult create_action_space(XrSession, const XrActionSpaceCreateInfo*, XrSpace*);
XrResult locate_space(XrSpace, XrSpace, XrTime, XrSpaceLocation*);
XrResult locate_spaces(XrSession, const XrSpacesLocateInfoKHR*, XrSpaceLocationsKHR*);
XrResult destroy_space(XrSpace);

// action.cpp
XrResult create_action_set(XrInstance, const XrActionSetCreateInfo*, XrActionSet*);
XrResult destroy_action_set(XrActionSet);
XrResult create_action(XrActionSet, const XrActionCreateInfo*, XrAction*);
XrResult destroy_action(XrAction);
XrResult suggest_interaction_profile_bindings(XrInstance, const XrInteractionProfileSuggestedBinding*);
XrResult attach_session_action_sets(XrSession, const XrSessionActionSetsAttachInfo*);
XrResult get_current_interaction_profile(XrSession, XrPath, XrInteractionProfileState*);
XrResult sync_actions(XrSession, const XrActionsSyncInfo*);
XrResult get_action_state_boolean(XrSession, const XrActionStateGetInfo*, XrActionStateBoolean*);
XrResult get_action_state_float(XrSession, const XrActionStateGetInfo*, XrActionStateFloat*);
XrResult get_action_state_vector2f(XrSession, const XrActionStateGetInfo*, XrActionStateVector2f*);
XrResult get_action_state_pose(XrSession, const XrActionStateGetInfo*, XrActionStatePose*);
XrResult enumerate_bound_sources_for_action(XrSession, const XrBoundSourcesForActionEnumerateInfo*, std::uint32_t,
                                            std::uint32_t*, XrPath*);
XrResult get_input_source_localized_name(XrSession, const XrInputSourceLocalizedNameGetInfo*, std::uint32_t,
                                         std::uint32_t*, char*);
XrResult apply_haptic_feedback(XrSession, const XrHapticActionInfo*, const XrHapticBaseHeader*);
XrResult stop_haptic_feedback(XrSession, const XrHapticActionInfo*);
bool action_is_bound(const Session&, const Action&, const std::string& subaction);
void use_profile(Session&);

// hand.cpp
XrResult create_hand_tracker(XrSession, const XrHandTrackerCreateInfoEXT*, XrHandTrackerEXT*);
XrResult destroy_hand_tracker(XrHandTrackerEXT);
XrResult locate_hand_joints(XrHandTrackerEXT, const XrHandJointsLocateInfoEXT*, XrHandJointLocationsEXT*);
XrResult get_hand_mesh(XrHandTrackerEXT, XrHandTrackingMeshFB*);
XrResult apply_force_feedback_curl(XrHandTrackerEXT, const XrForceFeedbackCurlApplyLocationsMNDX*);

// swapchain.cpp: only with OpenGL; without it, no session can have graphics
XrResult get_opengl_graphics_requirements(XrInstance, XrSystemId, void*);

// vulkan.cpp: untyped, because the types need the headers of Vulkan
XrResult get_vulkan_graphics_requirements(XrInstance, XrSystemId, void*);
XrResult create_vulkan_instance(XrInstance, const void* info, void* out, void* result);
XrResult get_vulkan_graphics_device(XrInstance, const void* info, void* out);
XrResult create_vulkan_device(XrInstance, const void* info, void* out, void* result);

// swapchain.cpp, continued
XrResult enumerate_swapchain_formats(XrSession, std::uint32_t, std::uint32_t*, std::int64_t*);
XrResult create_swapchain(XrSession, const XrSwapchainCreateInfo*, XrSwapchain*);
XrResult destroy_swapchain(XrSwapchain);
XrResult enumerate_swapchain_images(XrSwapchain, std::uint32_t, std::uint32_t*, XrSwapchainImageBaseHeader*);
XrResult acquire_swapchain_image(XrSwapchain, const XrSwapchainImageAcquireInfo*, std::uint32_t*);
XrResult wait_swapchain_image(XrSwapchain, const XrSwapchainImageWaitInfo*);
XrResult release_swapchain_image(XrSwapchain, const XrSwapchainImageReleaseInfo*);

}  // namespace glovebox::tests::runtime
