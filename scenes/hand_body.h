// The hand as an articulated body: 20 round cones from 26 joints.
//
// Bone 0 is the flesh of the palm at the ball of the thumb. Bones 1..3 are the thumb. After these, each of the other
// fingers has four bones: metacarpal, proximal, intermediate, distal. Bones follow the tracked joints, so their lengths
// in every frame are those that the tracker measures. Bone 0 and the metacarpals of the fingers form the palm and are
// as thick as its flesh.
#pragma once

#include <optional>

#include "collision/body/articulated_body.h"
#include "tracking/hand_frame.h"
#include "tracking/hand_shape.h"

namespace glovebox::scenes {

/// Five bones of the palm, three of the thumb and three of each other finger.
inline constexpr int kHandBoneCount = static_cast<int>(tracking::kBoneCount);

/// Returns the articulated body that all hands share. Its tree groups the phalanges of a finger as (proximal,
/// (intermediate, distal)). It joins index with middle, ring with little, the palm with the thumb, and finally all. Two
/// kinds of pairs are tested for self-collision: the thumb's outer two bones with the fingers' phalanges, and phalanges
/// of different fingers.
const collision::ArticulatedBody& hand_body();

/// Returns the finger of a bone: 0 thumb .. 4 little, -1 the palm.
int finger_of_bone(int bone);

/// Returns true for bone 0 and the metacarpals of the fingers. Trackers report no motion between these bones.
bool is_of_palm(int bone);

/// The joints to which a HandShape's offsets of a bone refer: the bone's own, or wrist and knuckle for the palm's bones
/// (bone 0: the middle finger's knuckle), because trackers disagree about the joints of the metacarpals.
struct BoneEnds {
    tracking::Joint from, to;
};
BoneEnds ends_of_bone(int bone);

/// Returns a bone's cone, given its shape. Positions of ends_of_bone() and the orientation of the frame to which the
/// shape's offsets refer must be valid.
collision::RoundCone cone_of(const tracking::HandShape& shape, const tracking::HandFrame& frame, int bone);

/// Places the bones for a frame: on the joints and as thick as their radii, which must be filled, or as `shape` says
/// where there is one. A bone with an invalid joint is marked absent; a bone between coincident joints becomes a
/// sphere. No allocation after the first call.
void pose_hand(const tracking::HandFrame& frame, collision::BodyPose& pose,
               const std::optional<tracking::HandShape>& shape = std::nullopt);

/// Returns the pose of the palm. The origin is the centre of the middle finger's metacarpal, x points along that bone,
/// and y towards the index finger. Returns nullopt if the metacarpal of the index, middle or little finger is absent,
/// or that of the middle finger is shorter than 1 mm.
std::optional<Eigen::Isometry3f> palm_of(const collision::BodyPose& pose);

/// Returns the frame midway between two palms. Its x axis points from the left palm to the right one; its y axis is
/// orthogonal to x and points away from the fingers.
Eigen::Isometry3f between_palms(const Eigen::Isometry3f& left, const Eigen::Isometry3f& right);

}  // namespace glovebox::scenes
