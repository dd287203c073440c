// Prediction of a hand a few milliseconds ahead, for display: constant velocity with damping.
//
// The wrist continues with its linear and angular velocity. Every other joint continues to turn in its parent's frame
// and follows the parent, so bones keep their length up to rounding. A prediction is for drawing only; contacts use
// the tracked hand.
//
// Velocity falls as exp(-t / damping), because hands often reverse. A damped prediction over a horizon h moves the hand
// as far as an undamped one over damping * (1 - exp(-h / damping)).
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
    /// Time in which the velocity falls to 37 %; infinite for no damping. A shorter time gives less overshoot.
    double damping_s = 0.1;
    double velocity_s = 0.02;  ///< smoothing time of velocities, so that jitter is not extrapolated
    /// After a time step longer than this, the velocity is unknown. The default is that of the guard (guard.h).
    std::int64_t gap_ns = 100'000'000;

    bool operator==(const PredictionSettings&) const = default;
};

/// Parses "off" or a time up to 50 ms, such as "20ms" or "0.02s". Throws std::runtime_error with one line.
PredictionSettings parse_prediction(std::string_view text);
/// Returns the text that parse_prediction() reads; logs store it.
std::string text_of(const PredictionSettings& settings);

/// Velocity of one joint.
struct JointMotion {
    /// In the world; set only for joints without a parent.
    Eigen::Vector3d velocity_m_s = Eigen::Vector3d::Zero();
    /// In the parent's frame, or in the world if the joint has no parent.
    Eigen::Vector3d turn_rad_s = Eigen::Vector3d::Zero();
    bool moves = false, turns = false;  ///< linear velocity is known, angular velocity is known
};

/// State of the motion of one hand; every hand needs its own. The state is plain values and may be copied.
struct HandMotion {
    PredictionSettings settings;
    HandFrame last;
    std::array<JointMotion, kJointCount> joints;
    bool has_last = false;  ///< `last` is a tracked hand that motion may be inferred from

    /// Adds the next frame. Constant cost, no allocation, never throws. Velocities are reset after a gap, if the hand
    /// is inactive or held, and if time does not advance. They are also reset after a jump, which is a discontinuous
    /// frame or motion faster than any hand.
    void take(const HandFrame& frame);
};

/// Returns the last frame, moved by `horizon_s` (clamped to the settings' maximum). Its times.common_ns is later by the
/// same amount, its source is `extrapolated`, and no joint is marked tracked. Returns the last frame unchanged if the
/// motion is not known or the horizon is not positive. Constant cost, no allocation.
HandFrame predict(const HandMotion& motion, double horizon_s);

}  // namespace glovebox::tracking
