// The hand as an articulated body: 20 rounded bones from 26 joints.
//
// Bone 0 is the palm block (a rounded box over the metacarpals); 1..3 the thumb; then four per finger (metacarpal,
// proximal, intermediate, distal). Bones follow the tracked joints, so their lengths are the tracker's, frame by frame.
#pragma once

#include <optional>

#include "collision/body/articulated_body.h"
#include "tracking/hand_frame.h"

namespace glovebox::scenes {

inline constexpr int kHandBoneCount = 20;

/// Topology H2: each finger (metacarpal, proximal, (intermediate, distal)) ..., index + middle and ring + little,
/// the thumb to the palm, then all. One for all hands. Self-collision pairs: the thumb's outer bones and the phalanges
/// of different fingers.
const collision::ArticulatedBody& hand_body();

/// Which finger a bone belongs to: 0 thumb .. 4 little, -1 the palm.
int finger_of_bone(int bone);

/// Places the bones for a frame. Bones with a joint that is not valid are marked absent. Radii must be filled.
/// Bones between coincident joints become spheres. No allocation after the first call.
void pose_hand(const tracking::HandFrame& frame, collision::BodyPose& pose);

/// Where the palm is: its middle, its axes (along, aside, out of the back). Nothing if it is not there.
std::optional<Eigen::Isometry3f> palm_of(const collision::BodyPose& pose);

/// The frame between two palms: x from the left to the right, y as far along the fingers as that leaves.
Eigen::Isometry3f between_palms(const Eigen::Isometry3f& left, const Eigen::Isometry3f& right);

}  // namespace glovebox::scenes
