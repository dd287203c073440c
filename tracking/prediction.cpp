#include "tracking/prediction.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace glovebox::tracking {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

// No hand moves faster and no joint turns faster. Higher values come from jumps, or from changes of joint axes.
constexpr double kFastest_m_s = 30.0, kFastestTurn_rad_s = 60.0;

// Order with parents before children; the palm follows the wrist.
constexpr std::size_t in_order(std::size_t i) {
    return i == 0 ? 1 : i == 1 ? 0 : i;
}

/// Returns the parent that a joint follows; null if it has none or its position is not valid.
const JointPose* carrier_of(const HandFrame& frame, std::size_t joint) {
    const Joint parent = static_cast<Joint>(joint) == Joint::palm ? Joint::wrist : parent_of(static_cast<Joint>(joint));
    return static_cast<std::size_t>(parent) != joint && frame[parent].position_valid() ? &frame[parent] : nullptr;
}

// Returns true for a valid orientation; a quaternion far from unit length is none, even with its flag set.
bool is_oriented(const JointPose* joint) {
    return joint != nullptr && joint->orientation_valid() &&
           std::abs(joint->orientation.cast<double>().squaredNorm() - 1.0) < 0.1;
}

Quaterniond orientation_of(const JointPose* joint) {
    return is_oriented(joint) ? joint->orientation.cast<double>().normalized() : Quaterniond::Identity();
}

Vector3d rotation_vector(const Quaterniond& turn) {
    const Eigen::AngleAxisd angle_axis(turn.w() < 0.0 ? Quaterniond(-turn.coeffs()) : turn);
    return angle_axis.angle() * angle_axis.axis();
}

Quaterniond turn_by(const Vector3d& rotation) {
    const double angle = rotation.norm();
    return angle > 0.0 ? Quaterniond(Eigen::AngleAxisd(angle, rotation / angle)) : Quaterniond::Identity();
}

// Takes the first velocity unchanged and smooths later ones. Resets it and returns false if no hand moves so fast.
bool follow(const Vector3d& measured, double fastest, double share, bool& known, Vector3d& velocity) {
    if (!(measured.norm() <= fastest)) return known = false;
    velocity = known ? velocity + share * (measured - velocity) : measured;
    return known = true;
}

}  // namespace

PredictionSettings parse_prediction(std::string_view text) {
    PredictionSettings settings;
    if (text == "off") return settings;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), settings.horizon_s);
    const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
    const auto fail = [text](const char* reason) {
        throw std::runtime_error("--predict " + std::string(text.substr(0, 80)) + ": " + reason);
    };
    if (error != std::errc() || (unit != "ms" && unit != "s")) fail("write off or a time, such as 20ms");
    if (unit == "ms") settings.horizon_s /= 1000.0;
    if (!(settings.horizon_s > 0.0 && settings.horizon_s <= settings.max_horizon_s))
        fail("the time must be above 0 and at most 50 ms");
    return settings;
}

std::string text_of(const PredictionSettings& settings) {
    if (settings.horizon_s <= 0.0) return "off";
    std::array<char, 40> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), settings.horizon_s).ptr;
    return std::string(text.data(), end) + 's';
}

void HandMotion::take(const HandFrame& frame) {
    const bool tracked = frame.active && frame.source != Source::held && frame.source != Source::extrapolated;
    const std::int64_t step_ns = frame.times.common_ns - last.times.common_ns;
    bool continues = has_last && tracked && !frame.discontinuous && step_ns > 0 && step_ns <= settings.gap_ns;
    const double dt_s = 1e-9 * static_cast<double>(step_ns), share = -std::expm1(-dt_s / settings.velocity_s);
    for (std::size_t i = 0; continues && i < kJointCount; ++i) {
        const JointPose &now = frame.joints[i], &before = last.joints[i];
        const JointPose *carrier = carrier_of(frame, i), *carrier_before = carrier_of(last, i);
        JointMotion& joint = joints[i];
        if (carrier == nullptr && now.position_valid() && before.position_valid()) {
            const Vector3d moved_m = now.position_m.cast<double>() - before.position_m.cast<double>();
            continues = follow(moved_m / dt_s, kFastest_m_s, share, joint.moves, joint.velocity_m_s);
        } else {
            joint.moves = false;
        }
        // Orientations of two frames are comparable only if both are relative to the parent, or both to the world.
        const bool alike = is_oriented(carrier) == is_oriented(carrier_before);
        if (alike && is_oriented(&now) && is_oriented(&before)) {
            const Quaterniond local = orientation_of(carrier).conjugate() * orientation_of(&now);
            const Quaterniond local_before = orientation_of(carrier_before).conjugate() * orientation_of(&before);
            follow(rotation_vector((local * local_before.conjugate()).normalized()) / dt_s, kFastestTurn_rad_s, share,
                   joint.turns, joint.turn_rad_s);
        } else {
            joint.turns = false;
        }
    }
    if (!continues) joints.fill({});
    last = frame;
    has_last = tracked;
}

HandFrame predict(const HandMotion& motion, double horizon_s) {
    const auto known = [](const JointMotion& joint) { return joint.moves || joint.turns; };
    if (!(horizon_s > 0.0) || !motion.has_last || std::none_of(motion.joints.begin(), motion.joints.end(), known))
        return motion.last;
    const PredictionSettings& settings = motion.settings;
    const double ahead_s = std::min(horizon_s, settings.max_horizon_s);
    const double reach_s =
        std::isfinite(settings.damping_s) ? -settings.damping_s * std::expm1(-ahead_s / settings.damping_s) : ahead_s;

    const HandFrame& now = motion.last;
    HandFrame later = now;
    later.source = Source::extrapolated;
    later.times.common_ns += std::llround(1e9 * ahead_s);
    for (std::size_t n = 0; n < kJointCount; ++n) {
        const std::size_t i = in_order(n);
        JointPose& joint = later.joints[i];
        joint.flags &= joint_flags::kPositionValid | joint_flags::kOrientationValid;
        const JointPose *carrier = carrier_of(now, i), *carrier_later = carrier_of(later, i);
        const Quaterniond parent = orientation_of(carrier), parent_later = orientation_of(carrier_later);
        if (is_oriented(&joint) && (motion.joints[i].turns || carrier != nullptr)) {
            const Quaterniond local = parent.conjugate() * orientation_of(&joint);
            const Vector3d turned =
                motion.joints[i].turns ? Vector3d(reach_s * motion.joints[i].turn_rad_s) : Vector3d(Vector3d::Zero());
            joint.orientation = (parent_later * turn_by(turned) * local).normalized().cast<float>();
        }
        if (!joint.position_valid()) continue;
        const Vector3d position_m = joint.position_m.cast<double>();
        if (carrier != nullptr)
            joint.position_m = (carrier_later->position_m.cast<double>() +
                                parent_later * (parent.conjugate() * (position_m - carrier->position_m.cast<double>())))
                                   .cast<float>();
        else if (motion.joints[i].moves)
            joint.position_m = (position_m + reach_s * motion.joints[i].velocity_m_s).cast<float>();
    }
    return later;
}

}  // namespace glovebox::tracking
