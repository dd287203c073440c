// A synthetic hand for tests: flat, palm down, fingers along -Z, wrist at the origin of `world_from_wrist`.
#pragma once

#include "tracking/hand_frame.h"

namespace glovebox::scenes {

inline tracking::HandFrame made_hand(tracking::Side side, const Eigen::Isometry3f& world_from_wrist) {
    tracking::HandFrame frame;
    frame.active = true;
    frame.side = side;
    const float mirror = side == tracking::Side::right ? 1.0F : -1.0F;
    for (int i = 0; i < tracking::kJointCount; ++i) {
        // Finger 0 is the thumb, with four joints; the others have five.
        const int finger = i < 2 ? 2 : i < 6 ? 0 : 1 + (i - 6) / 5;
        const int along = i < 2 ? i : i < 6 ? i - 2 : (i - 6) % 5;
        Eigen::Vector3f joint_in_wrist(mirror * 0.04F * static_cast<float>(finger - 2), 0.0F, -0.03F);
        if (i == 0) joint_in_wrist = {0.0F, 0.0F, -0.06F};
        if (i == 1) joint_in_wrist.setZero();
        if (i >= 2) {
            constexpr std::array kAlong_m = {0.03F, 0.09F, 0.13F, 0.155F, 0.175F};
            joint_in_wrist.z() = -kAlong_m[static_cast<std::size_t>(along)] * (finger == 0 ? 0.7F : 1.0F);
        }
        tracking::JointPose& joint = frame.joints[static_cast<std::size_t>(i)];
        joint.position_m = world_from_wrist * joint_in_wrist;
        joint.orientation = Eigen::Quaternionf(world_from_wrist.linear());
        joint.radius_m = 0.008F;
        joint.flags = tracking::joint_flags::kAll;
    }
    return frame;
}

}  // namespace glovebox::scenes
