// Controllers: what is read from them, what is sent to them, and which path means what on which controller.
#pragma once

#include <openxr/openxr.h>

#include <array>
#include <string>

#include "tracking/openxr/controller_hand.h"
#include "vr/openxr/extensions.h"

namespace glovebox::vr::openxr {

/// The actions of an instance. Made once an instance, attached once a session.
struct Actions {
    XrActionSet set = XR_NULL_HANDLE;
    XrAction grip = XR_NULL_HANDLE, trigger = XR_NULL_HANDLE, squeeze = XR_NULL_HANDLE, vibration = XR_NULL_HANDLE;
    tracking::PerSide<XrPath> hands{};
    tracking::PerSide<XrSpace> grip_spaces{};  ///< of the session
};

/// Makes the actions and suggests bindings for every known controller. The first failure is returned.
XrResult make_actions(XrInstance instance, const Extensions& extensions, Actions& actions);

/// Attaches them to a new session and makes the grips' spaces.
XrResult attach_actions(XrSession session, Actions& actions);

/// XR_SESSION_NOT_FOCUSED is a success that means: nothing was read.
XrResult sync_actions(XrSession session, const Actions& actions);

/// After a sync. A controller that is not there gives `present` false.
XrResult read_controller(XrSession session, const Actions& actions, std::size_t side, XrSpace base, XrTime time,
                         tracking::ControllerInput& out);

/// "simple_controller", "none": what the runtime says is in the hand.
std::string controller_name(XrInstance instance, XrSession session, const Actions& actions, std::size_t side);

}  // namespace glovebox::vr::openxr
