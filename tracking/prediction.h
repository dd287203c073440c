// Prediction of a hand a few milliseconds ahead, for display: constant velocity with damping.
//
// The wrist continues with its linear and angular velocity. Every other joint continues to turn in its parent's frame
// and follows the parent, so bones keep their length up to rounding. A prediction is for drawing only; contacts use
// the tracked hand.
//
// Damping: velocity falls as exp(-t / damping), because hands reverse. A horizon h moves the hand as far as an
// undamped horizon of damping * (1 - exp(-h / damping)) would.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "tracking/hand_frame.h"

namespace glovebox::tracking {

/// Parameters of the prediction.
struct PredictionSettings {
    double horizon_s = 0.0;       ///< 0: off, the default, because a prediction replaces measured data
    double max_horizon_s = 0.05;  ///< limit of predict(): beyond this, a prediction is worse than none
    double damping_s = 0.1;       ///< time in which velocity falls to 37 %. Infinite: no damping. Less: less overshoot
    double velocity_s = 0.02;     ///< smoothing time of velocities, so that jitter is not extrapolated
    std::int64_t gap_ns = 100'000'000;  ///< after a longer step, velocity is unknown; as in guard.h

    bool operator==(const PredictionSettings&) const = default;
};

/// Parses "off" or a time up to 50 ms, such as "20ms" or "0.02s". Throws std::runtime_error with one line.
PredictionSettings parse_prediction(std::string_view text);
/// Returns the text that parse_prediction() reads; logs store it.
std::string text_of(const PredictionSettings& settings);

/// Velocity of one joint.
struct JointMotion {
    Eigen::Vector3d velocity_m_s = Eigen::Vector3d::Zero();  ///< world; only for joints without a parent
    Eigen::Vector3d turn_rad_s = Eigen::Vector3d::Zero();    ///< in the parent's frame; without a parent, world
    bool moves = false, turns = false;                       ///< linear velocity is known, angular velocity is known
};

/// State of one hand's motion. One per hand; plain values, copyable.
struct HandMotion {
    PredictionSettings settings;
    HandFrame last;
    std::array<JointMotion, kJointCount> joints;
    bool has_last = false;  ///< `last` is a tracked hand that motion may be inferred from

    /// Adds the next frame. Constant cost, no allocation, never throws. Velocities are reset after a gap or a
    /// jump (discontinuous, or faster than any hand), if the hand is inactive or held, and if time does not advance.
    void take(const HandFrame& frame);
};

/// Returns the last frame, moved by `horizon_s` (clamped to the settings' maximum). Its times.common_ns is later by the
/// same amount, its source is `extrapolated`, and no joint is marked tracked. Returns the frame unchanged if its motion
/// is not known or the horizon is not above 0. Constant cost, no allocation.
HandFrame predict(const HandMotion& motion, double horizon_s);

}  // namespace glovebox::tracking
