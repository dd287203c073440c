// A synthetic hand that opens, closes and turns over a table: the same bones for every contender, as rigid poses.
#pragma once

#include <vector>

#include "collision/body/refit_lanes.h"

namespace glovebox::timing {

struct MovingHand {
    std::vector<collision::Shape> shape_in_bone;                  ///< rounded bones, each in its own frame
    collision::RigidBones bones;                                  ///< their boxes and joints
    std::vector<std::vector<Eigen::Isometry3f>> world_from_bone;  ///< [frame][bone]
    collision::BodyPose pose;                                     ///< of the first frame: sizes for place() to reuse

    std::size_t frames() const { return world_from_bone.size(); }
    /// Leaf boxes and joints of a frame from its rigid poses: the transforms that a refit begins with.
    void place_boxes(std::size_t frame, collision::BodyPose& out) const;
    void place_shapes(std::size_t frame, collision::BodyPose& out) const;
};

/// 120 frames a second; fingers curl and spread, the hand turns and sinks until the fingertips dip into y = 0 by up to
/// `dip_m`.
MovingHand moving_hand(int frames, float dip_m = 0.0F);

}  // namespace glovebox::timing
