// Computes orientations, missing joints, handedness and size of a hand from its joint positions alone.
//
// Many sources have joint positions and nothing else. The same rules complete all of them. A hand from a camera, a suit
// or a glove then has the joint axes of hand_frame.h, which are -Z along the bone to the tip and +Y out of the back.
// Added values are marked valid but not tracked. All functions take constant time and do not allocate.
#pragma once

#include <bitset>
#include <optional>

#include "tracking/hand_frame.h"

namespace glovebox::tracking {

using JointSet = std::bitset<kJointCount>;
inline JointSet joint_set(std::initializer_list<Joint> joints) {
    JointSet set;
    for (const Joint joint : joints) set.set(static_cast<std::size_t>(joint));
    return set;
}

/// Returns whether the joint's position is valid and finite.
bool has_position(const HandFrame& frame, Joint joint);

/// Returns the joints whose position is valid and finite.
JointSet valid_positions(const HandFrame& frame);

/// Returns the unit vector out of the back of the hand, from wrist and knuckles; zero if they are missing or collinear.
Eigen::Vector3f dorsal_direction(const HandFrame& frame);

/// Computes an orientation for every joint that has a position but no orientation. A bent finger's hinge axis comes
/// from its bend; the straighter the finger is, the more the axis comes from the plane of the palm. A tip gets the
/// direction of the bone before it. The thumb bends towards the little-finger side of the palm. Joints without
/// neighbours get no orientation.
void orient_from_positions(HandFrame& frame);

/// Estimates the positions of the joints in `lacking`, which the source never reports, from the other joints:
///   metacarpal base  at 0.36 of the way from wrist to knuckle (thumb: at 0.44 of the way to its first knuckle)
///   palm             middle of the middle metacarpal, as in OpenXR
///   tip              in line with the bone before, 0.7 of its length
/// A joint stays missing if a joint that it depends on is missing.
void place_missing_joints(const JointSet& lacking, HandFrame& frame);

/// Returns the length from the wrist to the middle fingertip along the bones; 0 if a joint between is missing. The
/// distance from wrist to knuckle counts as one bone, because sources disagree about where the metacarpal begins.
float hand_length_m(const HandFrame& frame);

/// Returns true if no hand has so long a bone at the proximal end of `joint`: 11 cm for a metacarpal, 8 cm for a bone
/// of a finger. Joints in a wrong order or with a lost digit have such bones. Bones that begin at the wrist are not
/// judged.
bool is_longer_than_any(Joint joint, float bone_m);

/// Returns true if the positions are relative to the joint before each, so that they are the bones: those of all
/// fingers have the same direction, and the last ones are the shortest. Then they do not place the joints.
bool has_relative_positions(const HandFrame& frame);

/// Returns true if all valid positions are equal: a lost hand, for which programs write zeros.
bool is_at_one_point(const HandFrame& frame);

/// Mirrors positions and orientations of a hand in x. A second call restores the hand.
void mirror_x(HandFrame& frame);

/// Handedness from the shape alone. Fingers bend towards the palm, so their bend shows on which side the palm is.
/// Together with the order of the knuckles, this gives the handedness. Straight fingers give no evidence, so add many
/// frames.
struct ChiralityVote {
    double score = 0.0;      ///< summed bend; positive is right
    double magnitude = 0.0;  ///< summed |bend|

    void add(const HandFrame& frame);
    /// Returns the hand's side, or nullopt if the fingers were not bent or less than three quarters of the bend agrees.
    std::optional<Side> side() const;
};

}  // namespace glovebox::tracking
