// The bones that deform the hand's skin, with their frames at rest and as tracked, and the transforms between the two.
//
// Drawing needs frames that are consistent with joint positions, even if a recording's orientations are missing, noisy
// or in other axes. So frames are computed from joint positions: -Z points along the bone, and all phalanges of a
// finger share the hinge axis X. The tracked orientation gives only the roll. Rest and tracked frames come from the
// same routine, so any bias cancels.
//
// All computations are for a right hand; a left hand is the mirror image in X.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <optional>

#include "collision/box/shape.h"
#include "tracking/hand_frame.h"
#include "tracking/hand_profile.h"

namespace glovebox::vr {

/// Number of deforming bones. There is one for the wrist (with forearm), and one for each finger joint except the tips.
inline constexpr int kSkinBoneCount = 20;

/// Returns the joint at which a skin bone begins: wrist, thumb_metacarpal, ...
tracking::Joint skin_bone_joint(int bone);
/// Returns the next bone towards the wrist; bone 0 is its own parent.
int skin_bone_parent(int bone);

/// A right hand at rest, in metres, in the wrist's frame (wrist at the origin, fingers towards -Z, back of the hand
/// towards +Y). The fingers are spread and slightly bent, so that the skin mesh does not join them.
struct HandSkeleton {
    std::array<Eigen::Vector3f, tracking::kJointCount> joint_m;
    std::array<Eigen::Vector3f, tracking::kJointCount> up;  ///< +Y of each joint, unit
    std::array<float, tracking::kJointCount> radius_m{};    ///< radius of the finger at each joint
    float scale = 1.0F;                                     ///< size relative to the medium adult hand
    std::optional<tracking::HandShape> shape;               ///< of the bones, of a right hand; empty: as usual
};

/// Builds a skeleton with the lengths, radii and shape of the profile of a hand on `side`. Zeros in the profile mean
/// "not known" and are replaced by the values of a medium hand. Values that no hand has are limited.
HandSkeleton rest_skeleton(const tracking::HandProfile& profile, tracking::Side side);

/// A bone's frame, with its origin at the bone's joint, and the distance to the next joint.
struct BoneFrame {
    Eigen::Isometry3f world_from_bone = Eigen::Isometry3f::Identity();
    float length_m = 0.0F;
};
using BoneFrames = std::array<BoneFrame, kSkinBoneCount>;

BoneFrames rest_frames(const HandSkeleton& skeleton, tracking::Side side);

/// Returns the cones of the right hand's bones at rest, by the number of the bone, where scenes::pose_hand() places
/// them. The skeleton must have a shape.
std::array<collision::RoundCone, kSkinBoneCount> rest_cones(const HandSkeleton& skeleton);

/// Returns the frames of a tracked hand. A bone whose joints are not valid keeps its rest pose relative to its parent.
/// `rest` must be of the same side. Does not allocate.
BoneFrames tracked_frames(const tracking::HandFrame& frame, const BoneFrames& rest);

/// Deformation of the skin by each bone. First the skin is stretched along the bone to the tracked length (by 0.5 to 2
/// times), so that drawn and tracked fingertips coincide; a rigid motion follows. The motions of several bones are
/// blended as dual quaternions [Kavan07], because blended matrices flatten a finger that is bent by more than a right
/// angle. The arrays are indexed by bone and laid out for the shader, which computes the same as bent().
struct SkinPose {
    std::array<Eigen::Vector4f, kSkinBoneCount> turn;   ///< unit quaternion x y z w of the motion
    std::array<Eigen::Vector4f, kSkinBoneCount> shift;  ///< dual part of the motion's dual quaternion
    std::array<Eigen::Vector4f, kSkinBoneCount>
        along;  ///< xyz: rest axis times stretch; w: minus the coordinate of the bone's origin along that axis
};
SkinPose skin_pose(const BoneFrames& tracked, const BoneFrames& rest);

/// Returns the deformation by each bone as a matrix, for export to formats with linear blend skinning.
std::array<Eigen::Matrix4f, kSkinBoneCount> skin_matrices(const BoneFrames& tracked, const BoneFrames& rest);

/// Returns the position to which the pose moves a point of the rest pose. Weights must sum to 1, with the largest
/// first.
Eigen::Vector3f bent(const SkinPose& pose, const Eigen::Vector3f& rest_m, const std::array<float, 4>& weights,
                     const std::array<std::uint8_t, 4>& bones);

}  // namespace glovebox::vr
