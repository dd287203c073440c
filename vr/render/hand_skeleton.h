// The bones that the hand's skin hangs on, at rest and as tracked, and the matrices between the two.
//
// Drawing wants frames that are consistent with positions even where a recording's are not (positions only, noisy,
// other axes). So frames are made from joint positions: -Z along the bone, the hinge axis X shared by a finger's
// phalanges, the tracked orientation asked only for the roll. The same routine makes rest and tracked frames, so any
// bias cancels.
//
// Everything is built as a right hand; the left one is its mirror image in X.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstdint>

#include "tracking/hand_frame.h"
#include "tracking/hand_profile.h"

namespace glovebox::vr {

/// Deforming bones: the wrist (with forearm), then every joint that has one after it. The palm joint and tips own none.
inline constexpr int kSkinBoneCount = 20;

/// The joint at which a skin bone begins: wrist, thumb_metacarpal, ...
tracking::Joint skin_bone_joint(int bone);
/// The bone before this one on the way to the wrist; 0 is its own parent.
int skin_bone_parent(int bone);

/// A right hand at rest, wrist frame (wrist at the origin, fingers towards -Z, back of the hand +Y), metres. Fingers
/// are spread and a little bent, so that no two touch: the skin is wrapped round them once and must not glue them.
struct HandSkeleton {
    std::array<Eigen::Vector3f, tracking::kJointCount> joint_m;
    std::array<Eigen::Vector3f, tracking::kJointCount> up;  ///< +Y of each joint, unit
    std::array<float, tracking::kJointCount> radius_m{};    ///< flesh round each finger joint
    float scale = 1.0F;                                     ///< size against the middle-sized adult hand
};

/// Lengths and radii from the profile; zeros in it (not known) become the middle-sized hand's.
HandSkeleton rest_skeleton(const tracking::HandProfile& profile);

/// A bone's frame: columns x, y, z and its origin; `length_m` to the next joint.
struct BoneFrame {
    Eigen::Isometry3f world_from_bone = Eigen::Isometry3f::Identity();
    float length_m = 0.0F;
};
using BoneFrames = std::array<BoneFrame, kSkinBoneCount>;

BoneFrames rest_frames(const HandSkeleton& skeleton, tracking::Side side);

/// Frames of a tracked hand. A bone whose joints are not valid keeps its rest place against its parent. `rest` is that
/// side's. No allocation.
BoneFrames tracked_frames(const tracking::HandFrame& frame, const BoneFrames& rest);

/// How each bone carries skin from its rest place: stretched along the bone to the tracked length (0.5 to 2 times at
/// most), so that the drawn fingertip is the tracked fingertip, then moved rigidly. The motions of several bones are
/// blended as dual quaternions [Kavan07]: blended matrices flatten a finger that is bent by more than a right angle.
/// Arrays by bone, laid out for the shader that does what bent() does.
struct SkinPose {
    std::array<Eigen::Vector4f, kSkinBoneCount> turn;   ///< unit quaternion x y z w of the motion
    std::array<Eigen::Vector4f, kSkinBoneCount> shift;  ///< its dual part
    std::array<Eigen::Vector4f, kSkinBoneCount> along;  ///< the bone's axis at rest times the stretch; minus its offset
};
SkinPose skin_pose(const BoneFrames& tracked, const BoneFrames& rest);

/// What each bone of it does alone, as a matrix: for files, whose readers blend matrices.
std::array<Eigen::Matrix4f, kSkinBoneCount> skin_matrices(const BoneFrames& tracked, const BoneFrames& rest);

/// Where the pose takes a point at rest. Weights of sum 1, the largest first.
Eigen::Vector3f bent(const SkinPose& pose, const Eigen::Vector3f& rest_m, const std::array<float, 4>& weights,
                     const std::array<std::uint8_t, 4>& bones);

}  // namespace glovebox::vr
