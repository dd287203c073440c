// The supported OpenXR interaction profiles of controllers, and the inputs that bend a hand's fingers.
#pragma once

#include <array>

namespace glovebox::vr::openxr {

/// An interaction profile and its inputs.
struct ControllerProfile {
    const char* path;
    const char* trigger;  ///< input path below the hand's path; bends the index finger
    const char* squeeze;  ///< bends the other fingers; the select input if there is no squeeze
    bool vibrates = true;
    bool needs_hand_interaction = false;
};

/// All supported profiles. Each has the grip pose (kGripPose) of both hands.
inline constexpr std::array<ControllerProfile, 6> kControllerProfiles{{
    {"/interaction_profiles/khr/simple_controller", "/input/select/click", "/input/select/click"},
    {"/interaction_profiles/oculus/touch_controller", "/input/trigger/value", "/input/squeeze/value"},
    {"/interaction_profiles/valve/index_controller", "/input/trigger/value", "/input/squeeze/value"},
    {"/interaction_profiles/htc/vive_controller", "/input/trigger/value", "/input/squeeze/click"},
    {"/interaction_profiles/microsoft/motion_controller", "/input/trigger/value", "/input/squeeze/click"},
    {"/interaction_profiles/ext/hand_interaction_ext", "/input/pinch_ext/value", "/input/grasp_ext/value", false, true},
}};
inline constexpr const char* kGripPose = "/input/grip/pose";
/// User paths of the hands, by tracking::Side.
inline constexpr std::array<const char*, 2> kHandPaths{"/user/hand/left", "/user/hand/right"};

}  // namespace glovebox::vr::openxr
