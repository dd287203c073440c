// Gets controller poses for the wrists of gloves, through an action of the layer's own beside the application's
// actions.
//
// OpenXR accepts bindings once for each profile, and action sets once for each session, and the application makes both
// calls. So the layer adds its binding and its action set to the application's calls. If the application has created no
// action set by its hundredth frame with hands, the layer assumes that it uses none, and makes the calls itself.
#pragma once

#include <optional>

#include "vr/layer/instance.h"

namespace glovebox::vr::layer {

/// Calls the next xrSuggestInteractionProfileBindings with the layer's binding added. If there are no gloves, the call
/// is passed on unchanged.
XrResult suggest_with_grips(Instance&, const XrInteractionProfileSuggestedBinding&);

/// Call the next xrAttachSessionActionSets and xrSyncActions with the layer's action set added. If there are no gloves,
/// the call is passed on unchanged.
XrResult attach_with_grips(Session&, const XrSessionActionSetsAttachInfo*);
XrResult sync_with_grips(Session&, const XrActionsSyncInfo*);

/// Returns the controller's grip pose in LOCAL; call it for each located hand. Returns an empty optional if there is no
/// controller or the layer has no action. Does not allocate or lock, except when it makes the calls above itself.
std::optional<Pose> find_grip(Session&, tracking::Side, XrTime);

}  // namespace glovebox::vr::layer
