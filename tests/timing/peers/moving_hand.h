// A synthetic hand that opens, closes and rotates over a table: all contenders get the same bones as rigid poses.
#pragma once

#include <vector>

#include "collision/body/refit_lanes.h"

namespace glovebox::timing {

struct MovingHand {
    std::vector<collision::Shape> shape_in_bone;                  ///< rounded bones, each in its own frame
    collision::RigidBones bones;                                  ///< their boxes and joints
    std::vector<std::vector<Eigen::Isometry3f>> world_from_bone;  ///< [frame][bone]
    collision::BodyPose pose;                                     ///< of the first frame; place() reuses its buffers

    std::size_t frames() const { return world_from_bone.size(); }
    /// Computes a frame's leaf boxes and joints from its rigid poses: the transforms that start a refit.
    void place_boxes(std::size_t frame, collision::BodyPose& out) const;
    void place_shapes(std::size_t frame, collision::BodyPose& out) const;
};

/// Makes a hand at 120 frames a second: fingers curl and spread, the hand rotates and sinks until the fingertips are up
/// to `dip_m` below y = 0.
MovingHand moving_hand(int frames, float dip_m = 0.0F);

}  // namespace glovebox::timing
