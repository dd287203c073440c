// WebXR's names for the joints of a hand, which are OpenXR's joints without the palm.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "tracking/hand_frame.h"

namespace glovebox::recordings {

/// Joint names in WebXR's order, which is OpenXR's order from the wrist on.
inline constexpr std::array<std::string_view, 25> kWebxrJoints = {"wrist",
                                                                  "thumb-metacarpal",
                                                                  "thumb-phalanx-proximal",
                                                                  "thumb-phalanx-distal",
                                                                  "thumb-tip",
                                                                  "index-finger-metacarpal",
                                                                  "index-finger-phalanx-proximal",
                                                                  "index-finger-phalanx-intermediate",
                                                                  "index-finger-phalanx-distal",
                                                                  "index-finger-tip",
                                                                  "middle-finger-metacarpal",
                                                                  "middle-finger-phalanx-proximal",
                                                                  "middle-finger-phalanx-intermediate",
                                                                  "middle-finger-phalanx-distal",
                                                                  "middle-finger-tip",
                                                                  "ring-finger-metacarpal",
                                                                  "ring-finger-phalanx-proximal",
                                                                  "ring-finger-phalanx-intermediate",
                                                                  "ring-finger-phalanx-distal",
                                                                  "ring-finger-tip",
                                                                  "pinky-finger-metacarpal",
                                                                  "pinky-finger-phalanx-proximal",
                                                                  "pinky-finger-phalanx-intermediate",
                                                                  "pinky-finger-phalanx-distal",
                                                                  "pinky-finger-tip"};

/// Returns the joint with this index in kWebxrJoints.
inline tracking::Joint webxr_joint(std::size_t i) {
    return static_cast<tracking::Joint>(i + 1);
}

/// Returns the pose of a column-major 4x4 matrix. If its upper left 3x3 is not a rotation, only the position is valid.
inline tracking::JointPose pose_from_matrix(const float* m) {
    tracking::JointPose joint;
    joint.position_m = {m[12], m[13], m[14]};
    joint.flags = tracking::joint_flags::kPositionValid | tracking::joint_flags::kPositionTracked;
    Eigen::Matrix3f axes;
    axes << m[0], m[4], m[8], m[1], m[5], m[9], m[2], m[6], m[10];
    if ((axes.transpose() * axes - Eigen::Matrix3f::Identity()).cwiseAbs().maxCoeff() < 0.02F &&
        axes.determinant() > 0.0F && axes.allFinite()) {
        joint.orientation = Eigen::Quaternionf(axes).normalized();
        joint.flags = tracking::joint_flags::kAll;
    }
    return joint;
}

}  // namespace glovebox::recordings
