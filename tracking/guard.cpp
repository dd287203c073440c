#include "tracking/guard.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace glovebox::tracking {
namespace {

constexpr std::array<std::string_view, kQuarantineCount> kNames = {"non_finite", "non_unit", "frozen",
                                                                   "teleport",   "lost",     "out_of_order"};
constexpr float kFarthest_m = 1e5F;

bool is_lost(const HandFrame& frame) {
    if (!frame.active) return true;
    const JointPose* first = nullptr;
    int count = 0;
    for (const JointPose& joint : frame.joints) {
        if (!joint.position_valid()) continue;
        ++count;
        if (first == nullptr) first = &joint;
        if (joint.position_m != first->position_m) return false;  // also for NaN, which has its own cause
    }
    return count != 1;  // a single joint is a valid hand: a wrist tracker
}

// Returns true if the radius is in its valid range; false for NaN.
bool is_radius(float radius_m) {
    return radius_m >= 0.0F && radius_m <= kLargestRadius_m;
}

bool is_finite(const JointPose& joint) {
    // Test allFinite() separately: Eigen's maxCoeff() is undefined for NaN.
    if (joint.position_valid() && (!is_radius(joint.radius_m) || !joint.position_m.allFinite() ||
                                   joint.position_m.cwiseAbs().maxCoeff() > kFarthest_m))
        return false;
    return !joint.orientation_valid() || joint.orientation.coeffs().allFinite();
}

bool is_unit(const JointPose& joint, float tolerance) {
    return !joint.orientation_valid() || std::abs(joint.orientation.norm() - 1.0F) <= tolerance;
}

bool same_joints(const HandFrame& a, const HandFrame& b) {
    return std::equal(a.joints.begin(), a.joints.end(), b.joints.begin(), [](const JointPose& p, const JointPose& q) {
        return p.flags == q.flags && p.position_m == q.position_m && p.orientation.coeffs() == q.orientation.coeffs();
    });
}

// Returns the displacement of the hand: that of its wrist, or of the first joint that both frames have.
std::optional<float> moved_m(const HandFrame& a, const HandFrame& b) {
    for (const Joint joint : {Joint::wrist, Joint::palm})
        if (a[joint].position_valid() && b[joint].position_valid())
            return (a[joint].position_m - b[joint].position_m).norm();
    for (std::size_t i = 0; i < kJointCount; ++i)
        if (a.joints[i].position_valid() && b.joints[i].position_valid())
            return (a.joints[i].position_m - b.joints[i].position_m).norm();
    return std::nullopt;
}

bool jumps(const GuardSettings& settings, const HandFrame& from, const HandFrame& to) {
    const std::optional<float> distance_m = moved_m(from, to);
    if (!distance_m || *distance_m <= settings.max_jump_m) return false;
    const float dt_s = 1e-9F * static_cast<float>(to.times.common_ns - from.times.common_ns);
    return *distance_m > settings.max_speed_m_s * dt_s;
}

void normalise(HandFrame& frame) {
    for (JointPose& joint : frame.joints) {
        if (joint.orientation_valid()) joint.orientation.normalize();
        if (!is_radius(joint.radius_m)) joint.radius_m = 0.0F;
    }
}

HandFrame held(const HandFrame& good, const SampleTimes& times) {
    HandFrame frame = good;
    frame.times = times;
    frame.source = Source::held;
    frame.discontinuous = false;  // the held hand does not move
    for (JointPose& joint : frame.joints) joint.flags &= joint_flags::kPositionValid | joint_flags::kOrientationValid;
    return frame;
}

HandFrame inactive(const HandFrame& raw, const SampleTimes& times) {
    HandFrame frame;
    frame.times = times;
    frame.side = raw.side;
    frame.source = raw.source;
    return frame;
}

}  // namespace

std::string_view name_of(Quarantine cause) {
    return kNames[static_cast<std::size_t>(cause)];
}

GuardReport Guard::pass(const HandFrame& raw, HandFrame& out) {
    GuardReport report;
    const auto raise = [&report](Quarantine cause) { report.raised[static_cast<std::size_t>(cause)] = true; };
    const std::int64_t now_ns = raw.times.common_ns;

    // A frame from the past changes no state except its counter.
    if (has_last_raw && now_ns < last_raw.times.common_ns) {
        raise(Quarantine::out_of_order);
    } else if (is_lost(raw)) {
        raise(Quarantine::lost);
    } else {
        if (!std::all_of(raw.joints.begin(), raw.joints.end(), is_finite)) raise(Quarantine::non_finite);
        const auto unit = [this](const JointPose& joint) { return is_unit(joint, settings.unit_tolerance); };
        // NaN is not unit either; report it only as non_finite.
        if (!report.raised[static_cast<std::size_t>(Quarantine::non_finite)] &&
            !std::all_of(raw.joints.begin(), raw.joints.end(), unit))
            raise(Quarantine::non_unit);
    }
    const bool sound = std::none_of(report.raised.begin(), report.raised.end(), [](bool raised) { return raised; });

    if (sound) {
        const bool compare = has_last_raw && last_raw.active;
        if (!compare || !same_joints(raw, last_raw)) unchanged_since_ns = now_ns;
        if (raw.source != Source::glove && now_ns - unchanged_since_ns > settings.frozen_ns) raise(Quarantine::frozen);

        if (!compare || jumps(settings, last_raw, raw)) settled_since_ns = now_ns;
        const bool good_is_recent = has_last_good && now_ns - last_good.times.common_ns <= settings.hold_ns;
        if (good_is_recent && jumps(settings, last_good, raw)) {
            broken = true;
            if (now_ns - settled_since_ns < settings.settle_ns) raise(Quarantine::teleport);
        }
    }
    const bool good = std::none_of(report.raised.begin(), report.raised.end(), [](bool raised) { return raised; });

    SampleTimes times = raw.times;
    if (report.raised[static_cast<std::size_t>(Quarantine::out_of_order)]) {
        times = last_raw.times;
    } else {
        // Do not measure the next frame's motion from an invalid frame; keep only its time.
        const HandFrame& kept = sound ? raw : last_raw;
        if (&kept != &last_raw) last_raw = kept;
        if (!sound) last_raw.active = false;
        last_raw.times = raw.times;
        has_last_raw = true;
    }

    if (good) {
        report.discontinuous = broken || !has_last_good || now_ns - last_good.times.common_ns > settings.hold_ns;
        out = raw;
        out.discontinuous = report.discontinuous;
        normalise(out);
        last_good = out;
        has_last_good = true;
        broken = false;
    } else if (has_last_good && times.common_ns - last_good.times.common_ns <= settings.hold_ns) {
        out = held(last_good, times);
        report.held = true;
    } else {
        out = inactive(raw, times);
        broken = true;
    }
    for (std::size_t i = 0; i < kQuarantineCount; ++i) counts[i] += report.raised[i] ? 1 : 0;
    return report;
}

}  // namespace glovebox::tracking
