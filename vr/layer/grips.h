// Where the headset's controllers are, for the wrists of gloves: an action of the layer's own beside the application's.
//
// OpenXR takes bindings once for each profile and action sets once for each session, both from the application. So the
// layer adds its own to the application's calls. An application that has made no action set by its hundredth frame with
// hands uses none: then the layer makes these calls itself.
#pragma once

#include <optional>

#include "vr/layer/instance.h"

namespace glovebox::vr::layer {

/// xrSuggestInteractionProfileBindings of the next one, with the layer's binding added. Without gloves the call is
/// passed on as it is.
XrResult suggest_with_grips(Instance&, const XrInteractionProfileSuggestedBinding&);

/// xrAttachSessionActionSets and xrSyncActions, likewise.
XrResult attach_with_grips(Session&, const XrSessionActionSetsAttachInfo*);
XrResult sync_with_grips(Session&, const XrActionsSyncInfo*);

/// Returns the controller's grip pose in LOCAL, to be asked with each located hand. Nothing: there is no controller, or
/// the layer has no action. Except for the calls above no memory and no lock.
std::optional<Pose> find_grip(Session&, tracking::Side, XrTime);

}  // namespace glovebox::vr::layer
