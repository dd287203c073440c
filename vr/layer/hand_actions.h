// Implements XR_EXT_hand_interaction for supplied hands, if neither the runtime nor another layer has it. Actions bound
// to pinch, aim, grasp and poke get their states from the supplied hand's joints.
//
// OpenXR gives each hand one interaction profile at a time. While the layer supplies a hand, that hand uses the profile
// of XR_EXT_hand_interaction, if the application has suggested bindings for that profile. The application then does not
// get the hand's controller.
#pragma once

#include <optional>

#include "vr/layer/instance.h"

namespace glovebox::vr::layer {

inline constexpr const char* kInteractionProfile = "/interaction_profiles/ext/hand_interaction_ext";

XrResult XRAPI_CALL suggest_interaction_profile_bindings(XrInstance, const XrInteractionProfileSuggestedBinding*);
XrResult XRAPI_CALL attach_session_action_sets(XrSession, const XrSessionActionSetsAttachInfo*);

/// Computes the inputs of the supplied hands for the next frame to be displayed. Call it after a successful
/// xrSyncActions.
void sync_hands(Session&, const XrActionsSyncInfo&);

/// The state of an action from the supplied hands.
struct HandState {
    bool is_whole = false;  ///< the layer supplies all hands of the source; if false, controllers may contribute
    bool active = false, changed = false;
    float value = 0.0F;  ///< 0 or 1 for a boolean
    XrTime last_change = 0;
};
/// Returns an action's state, or an empty optional if no hand of the source is supplied or the application binds no
/// hand inputs.
std::optional<HandState> hand_state(const Session&, const Action&, recordings::ActionSource, bool is_boolean);

/// Returns the pose of an action's space in LOCAL, without the offset of the space; empty under the same conditions.
std::optional<recordings::AppPose> hand_pose(const Space&, XrTime);

/// Returns whether the hand of the source used the extension's profile at the last xrSyncActions.
bool uses_interaction_profile(const Session&, recordings::ActionSource);

}  // namespace glovebox::vr::layer
