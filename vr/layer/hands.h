// OpenXR functions for sessions, hand trackers and haptics that the layer implements or observes. Their names are those
// of OpenXR without "xr". They return the errors of the specification; errors of the next layer are passed on
// unchanged.
#pragma once

#include <optional>

#include "vr/layer/instance.h"

namespace glovebox::vr::layer {

/// Returns the hand that the layer supplies, in LOCAL. If the layer has none for this side, returns an empty optional,
/// and the device's hand is used.
std::optional<tracking::HandFrame> supplied_hand(Session&, tracking::Side, XrTime);

XrResult XRAPI_CALL get_system_properties(XrInstance, XrSystemId, XrSystemProperties*);
XrResult XRAPI_CALL poll_event(XrInstance, XrEventDataBuffer*);
XrResult XRAPI_CALL create_session(XrInstance, const XrSessionCreateInfo*, XrSession*);
XrResult XRAPI_CALL destroy_session(XrSession);
XrResult XRAPI_CALL create_hand_tracker(XrSession, const XrHandTrackerCreateInfoEXT*, XrHandTrackerEXT*);
XrResult XRAPI_CALL destroy_hand_tracker(XrHandTrackerEXT);
XrResult XRAPI_CALL locate_hand_joints(XrHandTrackerEXT, const XrHandJointsLocateInfoEXT*, XrHandJointLocationsEXT*);
XrResult XRAPI_CALL apply_haptic_feedback(XrSession, const XrHapticActionInfo*, const XrHapticBaseHeader*);
XrResult XRAPI_CALL stop_haptic_feedback(XrSession, const XrHapticActionInfo*);
XrResult XRAPI_CALL apply_force_feedback_curl(XrHandTrackerEXT, const XrForceFeedbackCurlApplyLocationsMNDX*);

}  // namespace glovebox::vr::layer
