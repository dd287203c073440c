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

namespace glovebox::scenes {

/// Five bones of the palm, three of the thumb and three of each other finger.
inline constexpr int kHandBoneCount = 20;

/// Returns the articulated body that all hands share. Its tree groups the phalanges of a finger as (proximal,
/// (intermediate, distal)). It joins index with middle, ring with little, the palm with the thumb, and finally all. Two
/// kinds of pairs are tested for self-collision: the thumb's outer two bones with the fingers' phalanges, and phalanges
/// of different fingers.
const collision::ArticulatedBody& hand_body();

/// Returns the finger of a bone: 0 thumb .. 4 little, -1 the palm.
int finger_of_bone(int bone);

/// Returns true for bone 0 and the metacarpals of the fingers. Trackers report no motion between these bones.
bool is_of_palm(int bone);

/// Places the bones for a frame. A bone with an invalid joint is marked absent; a bone between coincident joints
/// becomes a sphere. Radii must be filled. No allocation after the first call.
void pose_hand(const tracking::HandFrame& frame, collision::BodyPose& pose);

/// Returns the pose of the palm. The origin is the centre of the middle finger's metacarpal, x points along that bone,
/// and y towards the index finger. Returns nullopt if the metacarpal of the index, middle or little finger is absent,
/// or that of the middle finger is shorter than 1 mm.
std::optional<Eigen::Isometry3f> palm_of(const collision::BodyPose& pose);

/// Returns the frame midway between two palms. Its x axis points from the left palm to the right one; its y axis is
/// orthogonal to x and points away from the fingers.
Eigen::Isometry3f between_palms(const Eigen::Isometry3f& left, const Eigen::Isometry3f& right);

}  // namespace glovebox::scenes
