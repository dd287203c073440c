// Places selected bones of a hand and computes their shapes, for searches that evaluate millions of samples.
//
// The shapes are bitwise identical to those of place() and pose_hand(). Joints and bones that are not selected are
// neither read nor written.
#pragma once

#include <optional>

#include "collision/body/articulated_body.h"
#include "scenes/placement.h"
#include "tracking/hand_frame.h"
#include "tracking/hand_shape.h"

namespace glovebox::scenes {

/// Returns the joints from which pose_hand() computes `bones`, with or without a shape. Bit i of `bones` stands for
/// bone i of the hand's body; bit j of the result stands for joint j (tracking::Joint).
std::uint32_t joints_of(std::uint64_t bones);

/// Does what place() does, but moves only `joints` of the hand on `side`. The frame must contain these joints, and also
/// the wrist if the placement is Placement::wrist.
void place_joints(const HandPlacement& placement, tracking::HandPair& hands, tracking::Side side, std::uint32_t joints);

/// Does what pose_hand() does, but writes `shapes` and `bone_present` only of `bones`.
void pose_bones(const tracking::HandFrame& frame, std::uint64_t bones, collision::BodyPose& pose,
                const std::optional<tracking::HandShape>& shape = std::nullopt);

}  // namespace glovebox::scenes
