// OpenXR actions for controllers: grip, trigger, squeeze and vibration, with bindings for every known controller.
#pragma once

#include <openxr/openxr.h>

#include <array>
#include <string>

#include "tracking/openxr/controller_hand.h"
#include "vr/openxr/extensions.h"

namespace glovebox::vr::openxr {

/// The actions of an instance, created once for each instance and attached once to each session.
struct Actions {
    XrActionSet set = XR_NULL_HANDLE;
    XrAction grip = XR_NULL_HANDLE, trigger = XR_NULL_HANDLE, squeeze = XR_NULL_HANDLE, vibration = XR_NULL_HANDLE;
    tracking::PerSide<XrPath> hands{};
    tracking::PerSide<XrSpace> grip_spaces{};  ///< belong to the session
};

/// Creates the actions and suggests bindings for every known controller. Returns the first failure.
XrResult make_actions(XrInstance instance, const Extensions& extensions, Actions& actions);

/// Attaches the actions to a new session and creates the grip spaces.
XrResult attach_actions(XrSession session, Actions& actions);

/// Updates the actions. Returns the success code XR_SESSION_NOT_FOCUSED if nothing was read because the session lacks
/// the focus.
XrResult sync_actions(XrSession session, const Actions& actions);

/// Reads one controller; call it after sync_actions(). Sets `out.present` to false if there is no controller.
XrResult read_controller(XrSession session, const Actions& actions, std::size_t side, XrSpace base, XrTime time,
                         tracking::ControllerInput& out);

/// Returns the controller that the runtime reports for a hand, such as "simple_controller" or "none".
std::string controller_name(XrInstance instance, XrSession session, const Actions& actions, std::size_t side);

}  // namespace glovebox::vr::openxr
