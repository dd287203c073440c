// Records and replays action states, interaction profiles and frames of an application (xrGetActionState* and others).
#pragma once

#include <string>

#include "vr/layer/instance.h"

namespace glovebox::vr::layer {

/// Returns a path's text; empty for XR_NULL_PATH.
std::string text_of(const Instance&, XrPath);

XrResult XRAPI_CALL create_action_set(XrInstance, const XrActionSetCreateInfo*, XrActionSet*);
XrResult XRAPI_CALL destroy_action_set(XrActionSet);
XrResult XRAPI_CALL create_action(XrActionSet, const XrActionCreateInfo*, XrAction*);
XrResult XRAPI_CALL destroy_action(XrAction);
XrResult XRAPI_CALL sync_actions(XrSession, const XrActionsSyncInfo*);
XrResult XRAPI_CALL get_action_state_boolean(XrSession, const XrActionStateGetInfo*, XrActionStateBoolean*);
XrResult XRAPI_CALL get_action_state_float(XrSession, const XrActionStateGetInfo*, XrActionStateFloat*);
XrResult XRAPI_CALL get_action_state_vector2f(XrSession, const XrActionStateGetInfo*, XrActionStateVector2f*);
XrResult XRAPI_CALL get_action_state_pose(XrSession, const XrActionStateGetInfo*, XrActionStatePose*);
XrResult XRAPI_CALL get_current_interaction_profile(XrSession, XrPath, XrInteractionProfileState*);

XrResult XRAPI_CALL wait_frame(XrSession, const XrFrameWaitInfo*, XrFrameState*);
XrResult XRAPI_CALL begin_frame(XrSession, const XrFrameBeginInfo*);
XrResult XRAPI_CALL end_frame(XrSession, const XrFrameEndInfo*);

}  // namespace glovebox::vr::layer
