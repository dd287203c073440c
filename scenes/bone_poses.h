// Some bones of a placed hand and nothing else: what a search asks for a million times.
//
// Each is the very shape that place() and pose_hand() give it, bit for bit; what is not asked for is neither read,
// moved nor made.
#pragma once

#include "collision/body/articulated_body.h"
#include "scenes/placement.h"
#include "tracking/hand_frame.h"

namespace glovebox::scenes {

/// The joints (bit: number) that the bones (bit: number) of pose_hand() depend on.
std::uint32_t joints_of(std::uint64_t bones);

/// As place(), for these joints of `side` alone. `hands` must hold them, and the wrist where the placement holds it.
void place_joints(const HandPlacement& placement, tracking::HandPair& hands, tracking::Side side, std::uint32_t joints);

/// As pose_hand(), but only `shapes` and `bone_present` of these bones are written.
void pose_bones(const tracking::HandFrame& frame, std::uint64_t bones, collision::BodyPose& pose);

}  // namespace glovebox::scenes
