// The hand as an articulated body: 20 round cones from 26 joints.
//
// Bone 0 is the palm's flesh at the ball of the thumb; 1..3 the thumb; then four per finger (metacarpal, proximal,
// intermediate, distal). Bones follow the tracked joints, so their lengths are the tracker's, frame by frame. Bone 0
// and the metacarpals of the fingers are the palm: as thick as its flesh, and not as the bones in it.
#pragma once

#include <optional>

#include "collision/body/articulated_body.h"
#include "tracking/hand_frame.h"

namespace glovebox::scenes {

/// Five bones of the palm, three of the thumb and three of each other finger.
inline constexpr int kHandBoneCount = 20;

/// Returns the body of every hand. Each finger is (metacarpal, proximal, (intermediate, distal)). Index and middle are
/// merged, ring and little, thumb and palm, then all. Self-collision pairs: the thumb's outer bones and the phalanges
/// of different fingers.
const collision::ArticulatedBody& hand_body();

/// Returns the finger of a bone: 0 thumb .. 4 little, -1 the palm.
int finger_of_bone(int bone);

/// Returns true for bone 0 and the metacarpals of the fingers: rigid to each other, as trackers have them.
bool is_of_palm(int bone);

/// Places the bones for a frame. A bone with an invalid joint is marked absent; a bone between coincident joints
/// becomes a sphere. Radii must be filled. No allocation after the first call.
void pose_hand(const tracking::HandFrame& frame, collision::BodyPose& pose);

/// Returns the pose of the palm: its middle, its axes (along, aside, across both). Empty if one of
/// index, middle and little metacarpal is absent, or no hand is that small.
std::optional<Eigen::Isometry3f> palm_of(const collision::BodyPose& pose);

/// Returns the frame between two palms: x from left to right, y along the fingers as far as x allows.
Eigen::Isometry3f between_palms(const Eigen::Isometry3f& left, const Eigen::Isometry3f& right);

}  // namespace glovebox::scenes
