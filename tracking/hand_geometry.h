// What can be worked out from joint positions alone: orientations, missing joints, left or right, size.
//
// Many sources know where joints are and nothing else. The rules here are the same for all of them, so that a hand from
// a camera, a suit or a glove has the joint axes of hand_frame.h: -Z along the bone to the tip, +Y out of the back.
// What these functions add is marked valid but not tracked. All of constant cost, without allocation.
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

/// Every joint whose position is valid and finite.
JointSet valid_positions(const HandFrame& frame);

/// Unit vector out of the back of the hand, from wrist and knuckles; zero if those are missing or in one line.
Eigen::Vector3f dorsal_direction(const HandFrame& frame);

/// Gives an orientation to every joint that has a position but no orientation. A finger's hinge axis is taken from the
/// way it is bent; the straighter it is, the more from the plane of the palm. A tip continues the bone before it. The
/// thumb bends towards the palm's little-finger side. Joints without neighbours to look at stay without orientation.
void orient_from_positions(HandFrame& frame);

/// Places those of `lacking` that a source never has, from those it has:
///   metacarpal base  wrist + 0.36 of the way to the knuckle (thumb: 0.44 of the way to its first knuckle)
///   palm             middle of the middle metacarpal, as OpenXR has it
///   tip              in line with the bone before, 0.7 of its length
/// A joint stays missing where what it is made from is missing.
void place_missing_joints(const JointSet& lacking, HandFrame& frame);

/// Wrist to middle fingertip along the bones; 0 if a joint on the way is missing. Metacarpal base left out: wrist to
/// knuckle is one step, as sources disagree about the base.
float hand_length_m(const HandFrame& frame);

/// The same right hand seen in a mirror: x of every position and orientation is reflected. Twice is the identity.
void mirror_x(HandFrame& frame);

/// Left or right, from the shape alone: fingers bend towards the palm, so the bend says which side the palm is on, and
/// that with the order of the knuckles says which hand it is. Straight fingers say nothing; so let many frames vote.
struct ChiralityVote {
    double score = 0.0;      ///< summed bend; positive is right
    double magnitude = 0.0;  ///< summed |bend|

    void add(const HandFrame& frame);
    /// Nothing unless fingers were bent and at least three quarters of the bend agrees.
    std::optional<Side> side() const;
};

}  // namespace glovebox::tracking
