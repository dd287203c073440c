// Gets controller poses for the wrists of gloves, with an action of the layer beside the application's actions.
//
// OpenXR takes bindings once for each profile and action sets once for each session, both from the application. So the
// layer adds its own to the application's calls. If the application has created no action set by its hundredth frame
// with hands, it uses none, and the layer makes these calls itself.
#pragma once

#include <optional>

#include "vr/layer/instance.h"

namespace glovebox::vr::layer {

/// Calls the next xrSuggestInteractionProfileBindings with the layer's binding added. Without gloves the call is passed
/// on unchanged.
XrResult suggest_with_grips(Instance&, const XrInteractionProfileSuggestedBinding&);

/// Call the next xrAttachSessionActionSets and xrSyncActions with the layer's action set added, likewise.
XrResult attach_with_grips(Session&, const XrSessionActionSetsAttachInfo*);
XrResult sync_with_grips(Session&, const XrActionsSyncInfo*);

/// Returns the controller's grip pose in LOCAL; call it with each located hand. Empty if there is no controller or the
/// layer has no action. Does not allocate or lock, except when it makes the calls above.
std::optional<Pose> find_grip(Session&, tracking::Side, XrTime);

}  // namespace glovebox::vr::layer
