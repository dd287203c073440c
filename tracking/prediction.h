// Where a hand will be a little later, such as when a display shows it: constant velocity with damping.
//
// The wrist goes on with its linear and angular velocity. Every other joint goes on turning as it turned in its
// parent's frame and is carried along by the parent, so bones keep their length to rounding, whatever the motion. A
// prediction is for drawing: contacts are found on what was tracked.
//
// Damping: velocity falls as exp(-t / damping), because hands reverse. Over a horizon h the hand moves on as far as
// undamped motion would in damping * (1 - exp(-h / damping)).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "tracking/hand_frame.h"

namespace glovebox::tracking {

struct PredictionSettings {
    double horizon_s = 0.0;  ///< asked for; 0: off. Shows a guess in place of what was tracked: no one has it unasked
    double max_horizon_s = 0.05;  ///< predict() goes no further: beyond this the guess is worse than none
    double damping_s = 0.1;       ///< time in which velocity falls to 37 %. Infinite: none. Shorter: less overshoot
    double velocity_s = 0.02;     ///< velocities are smoothed over so long: a step of jitter must not be flung far
    std::int64_t gap_ns = 100'000'000;  ///< no velocity is inferred over a longer step; as the guard's hold

    bool operator==(const PredictionSettings&) const = default;
};

/// "off" or a time up to 50 ms, such as "20ms" or "0.02s". Throws std::runtime_error with one line.
PredictionSettings parse_prediction(std::string_view text);
/// parse_prediction() backwards: what a session's log keeps.
std::string text_of(const PredictionSettings& settings);

struct JointMotion {
    Eigen::Vector3d velocity_m_s = Eigen::Vector3d::Zero();  ///< of a joint that no parent carries
    Eigen::Vector3d turn_rad_s = Eigen::Vector3d::Zero();    ///< in the parent's frame; in the world's without one
    bool moves = false, turns = false;                       ///< the velocity is known
};

/// State of one hand's motion. One per hand; plain values, copyable.
struct HandMotion {
    PredictionSettings settings;
    HandFrame last;
    std::array<JointMotion, kJointCount> joints;
    bool has_last = false;  ///< `last` is a tracked hand that motion may be inferred from

    /// Takes the next frame. Constant cost, no allocation, never throws. Velocities are forgotten over a gap, a jump
    /// (discontinuous, or faster than any hand), a held or inactive hand, and where time does not go forward.
    void take(const HandFrame& frame);
};

/// The last frame, moved on by `horizon_s` (clamped to the settings' maximum): its common time is so much later, its
/// source is `extrapolated`, and nothing in it is said to be tracked. The frame as it is where nothing is known of its
/// motion or the horizon is not above 0. Constant cost, no allocation.
HandFrame predict(const HandMotion& motion, double horizon_s);

}  // namespace glovebox::tracking
