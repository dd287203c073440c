// XR_EXT_hand_interaction for hands that the layer supplies, where neither the runtime nor another layer has it: the
// application binds its actions to pinch, aim, grasp and poke, and gets them from the supplied hand's joints.
//
// OpenXR gives each hand one interaction profile at a time. While the layer supplies a hand, this one is in use there,
// if the application has suggested bindings for it; the controller of that hand is then not the application's.
#pragma once

#include <optional>

#include "vr/layer/instance.h"
#include "vr/layer/replay.h"

namespace glovebox::vr::layer {

inline constexpr const char* kInteractionProfile = "/interaction_profiles/ext/hand_interaction_ext";

XrResult XRAPI_CALL suggest_interaction_profile_bindings(XrInstance, const XrInteractionProfileSuggestedBinding*);
XrResult XRAPI_CALL attach_session_action_sets(XrSession, const XrSessionActionSetsAttachInfo*);

/// After a successful xrSyncActions: what the supplied hands do in the frame that is shown next.
void sync_hands(Session&, const XrActionsSyncInfo&);

/// The state of an action by the supplied hands.
struct HandState {
    bool is_whole = false;  ///< all hands of the source are supplied; otherwise controllers may have their part
    bool active = false, changed = false;
    float value = 0.0F;  ///< 0 or 1 for a boolean
    XrTime last_change = 0;
};
/// Nothing: no hand of the source is supplied, or the application does not bind hands.
std::optional<HandState> hand_state(const Session&, const Action&, recordings::ActionSource, bool is_boolean);

/// Where the action's space is, in LOCAL, without the offset of the space. Nothing: as above.
std::optional<recordings::AppPose> hand_pose(const Space&, XrTime);

/// Does that hand use the extension's profile, as of the last xrSyncActions?
bool uses_interaction_profile(const Session&, recordings::ActionSource);

}  // namespace glovebox::vr::layer
