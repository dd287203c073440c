// Generates hand motion from scripts by smooth interpolation of key poses, forward kinematics and simulated tracker
// noise.
//
// A script is a list of moments. Every number of a moment is interpolated separately by a monotone cubic [Fritsch84].
// Such a cubic does not overshoot, so a finger that rests on a table does not dip into it between two moments.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "recordings/recording.h"
#include "tracking/forward_kinematics.h"

namespace glovebox::recordings {

/// A key pose: the position of a chosen joint (the anchor), the rotation of the hand and the angles of the fingers.
/// Without rotation, the palm faces down and the fingers point along -Z. The hand rolls about its own length first,
/// then pitches, then yaws about +Y.
struct Moment {
    float time_s = 0.0F;
    Eigen::Vector3f anchor_m = Eigen::Vector3f::Zero();
    /// Pitch; a positive pitch turns the fingers downwards.
    float pitch_rad = 0.0F;
    tracking::HandAngles angles;
    float yaw_rad = 0.0F, roll_rad = 0.0F;
};

/// Returns the rotation of the wrist.
Eigen::Matrix3f turned(float pitch_rad, float yaw_rad, float roll_rad);

struct Script {
    tracking::Side side = tracking::Side::right;
    tracking::Joint anchor = tracking::Joint::index_intermediate;
    /// The finger angles at which the anchor is at `anchor_m`. They are fixed, so that bending fingers does not move
    /// the wrist.
    tracking::HandAngles anchor_angles;
    float gap_from_s = 0.0F, gap_to_s = 0.0F;  ///< the simulated tracker has no samples in this interval
    std::uint32_t seed = 1;
    std::vector<Moment> moments;
};

/// Returns world_from_wrist at a moment of a script.
Eigen::Isometry3f wrist_of(const Script& script, const Moment& moment);

/// Returns a recording of one or two hands at 90 Hz, with the noise, time jitter and gap of a simulated tracker. Time
/// stamps and the gap of both hands are those of the first script.
Recording play(std::span<const Script> hands, std::string name);

constexpr float degrees(float angle) {
    return angle * 0.017453293F;
}
constexpr tracking::FingerAngles bent(float mcp, float pip, float dip, float spread = 0.0F) {
    return {degrees(mcp), degrees(spread), degrees(pip), degrees(dip)};
}

/// Returns the signed distance between a bone (a round cone) and the object that the hand closes around.
using BoneDistance =
    std::function<float(const Eigen::Vector3f& a_m, float radius_a_m, const Eigen::Vector3f& b_m, float radius_b_m)>;
/// Returns a BoneDistance that evaluates `distance_m` at five points along the bone.
BoneDistance along_bone(std::function<float(const Eigen::Vector3f& point_m)> distance_m);

/// Closes a hand around an object. The joints bend one after another, from the base to the tip. Each bends until a bone
/// beyond it presses 1 mm into the object or the joint reaches its limit.
tracking::HandAngles closed_by_touch(const tracking::HandAngles& open, const tracking::HandAngles& limit,
                                     const Eigen::Isometry3f& world_from_wrist, tracking::Side side,
                                     const BoneDistance& distance_m);

}  // namespace glovebox::recordings
