// Searches JSON for hands (json_joints.h) at any depth. The side comes from a name or value around the hand that
// contains left or right (chirality, handedness, "rightHand"), else from the hand's shape. A transform of a whole hand
// (ARKit's originFromAnchorTransform) moves its joints. Only positions are read; orientations are computed from them,
// because vendors' axes differ.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "recordings/formats/found_hands.h"
#include "recordings/json.h"

namespace glovebox::recordings {

/// Returns the hands in a value, at most four. `side` is that of hands around which there is none.
std::vector<FoundHand> hands_in(const Json& json, std::optional<tracking::Side> side = {});
bool has_hand(const Json& json);

/// Returns true for the name of a value that says the side.
bool names_side(std::string_view key);
/// Returns the side in "Left", [{"label": "Left"}] or [[{"categoryName": "Left"}]].
std::optional<tracking::Side> side_of_value(const Json& json, int depth = 0);

}  // namespace glovebox::recordings
