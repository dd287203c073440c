#include "tracking/filter.h"

#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace glovebox::tracking {
namespace {

constexpr std::string_view kName = "one-euro";
// Lever that converts a turn to a speed: the distance from the knuckle to the fingertip that it swings.
constexpr double kTurnArm_m = 0.1;

// Returns the weight of a first-order low pass for a value that has been constant for `dt_s`.
double weight(double cutoff_hz, double dt_s) {
    return -std::expm1(-2.0 * std::numbers::pi * cutoff_hz * dt_s);
}

void filter_position(const FilterSettings& settings, double dt_s, const Eigen::Vector3d& raw_m, FilteredJoint& joint) {
    if (!joint.has_position) {
        joint.raw_m = joint.smooth_m = raw_m;
        joint.velocity_m_s.setZero();
        joint.has_position = true;
        return;
    }
    joint.velocity_m_s +=
        weight(settings.derivative_cutoff_hz, dt_s) * ((raw_m - joint.raw_m) / dt_s - joint.velocity_m_s);
    const double cutoff_hz = settings.min_cutoff_hz + settings.beta * joint.velocity_m_s.norm();
    joint.smooth_m += weight(cutoff_hz, dt_s) * (raw_m - joint.smooth_m);
    joint.raw_m = raw_m;
}

// Returns q or -q, which are the same orientation: the one that is nearer to `to` gives the shorter turn.
Eigen::Quaterniond near(const Eigen::Quaterniond& to, const Eigen::Quaterniond& orientation) {
    return Eigen::Quaterniond(to.dot(orientation) < 0.0 ? -orientation.coeffs() : orientation.coeffs());
}

void filter_orientation(const FilterSettings& settings, double dt_s, const Eigen::Quaterniond& raw,
                        FilteredJoint& joint) {
    if (!joint.has_orientation) {
        joint.raw = joint.smooth = raw;
        joint.turn_rad_s.setZero();
        joint.has_orientation = true;
        return;
    }
    const Eigen::AngleAxisd turn(near(joint.raw, raw) * joint.raw.conjugate());
    joint.turn_rad_s +=
        weight(settings.derivative_cutoff_hz, dt_s) * (turn.angle() / dt_s * turn.axis() - joint.turn_rad_s);
    const double cutoff_hz = settings.min_cutoff_hz + settings.beta * kTurnArm_m * joint.turn_rad_s.norm();
    joint.smooth = joint.smooth.slerp(weight(cutoff_hz, dt_s), near(joint.smooth, raw)).normalized();
    joint.raw = raw;
}

void write_frame(const std::array<FilteredJoint, kJointCount>& joints, HandFrame& out) {
    for (std::size_t i = 0; i < kJointCount; ++i) {
        JointPose& pose = out.joints[i];
        if (pose.position_valid() && joints[i].has_position) pose.position_m = joints[i].smooth_m.cast<float>();
        if (pose.orientation_valid() && joints[i].has_orientation) pose.orientation = joints[i].smooth.cast<float>();
    }
}

bool parse_number(std::string_view text, double& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

FilterSettings parse_filter(std::string_view text) {
    FilterSettings settings;
    if (text == "off") return settings;
    settings.on = true;
    if (text == kName) return settings;
    const std::string wrong = "--filter " + std::string(text.substr(0, 80)) + ": ";
    if (!text.starts_with(kName) || text[kName.size()] != ':')
        throw std::runtime_error(wrong + "write off, one-euro or one-euro:MINCUTOFF_HZ,BETA");
    const std::string_view numbers = text.substr(kName.size() + 1);
    const std::size_t comma = numbers.find(',');
    if (comma == std::string_view::npos || !parse_number(numbers.substr(0, comma), settings.min_cutoff_hz) ||
        !parse_number(numbers.substr(comma + 1), settings.beta))
        throw std::runtime_error(wrong + "two numbers are needed, such as one-euro:1,20 (MINCUTOFF_HZ,BETA)");
    if (!(settings.min_cutoff_hz > 0.0 && settings.min_cutoff_hz <= kMaxCutoff_hz))
        throw std::runtime_error(wrong + "the cutoff must be above 0 and at most 1000 Hz");
    if (!(settings.beta >= 0.0 && settings.beta <= kMaxBeta))
        throw std::runtime_error(wrong + "beta must be from 0 to 1000000");
    return settings;
}

std::string text_of(const FilterSettings& settings) {
    if (!settings.on) return "off";
    std::array<char, 80> text{};
    char* end = std::to_chars(text.data(), text.data() + 40, settings.min_cutoff_hz).ptr;
    *end++ = ',';
    end = std::to_chars(end, text.data() + text.size(), settings.beta).ptr;
    return std::string(kName) + ':' + std::string(text.data(), end);
}

void HandFilter::pass(const HandFrame& in, HandFrame& out) {
    out = in;
    if (!settings.on) return;
    if (!in.active) {
        running = false;
        return;
    }
    if (in.source == Source::held) {
        if (running) write_frame(joints, out);
        return;
    }
    const std::int64_t step_ns = in.times.common_ns - last_ns;
    const bool continues = running && !in.discontinuous && step_ns >= 0 && step_ns <= settings.gap_ns;
    if (!continues) joints.fill({});
    if (!continues || step_ns > 0) {
        const double dt_s = 1e-9 * static_cast<double>(step_ns);
        for (std::size_t i = 0; i < kJointCount; ++i) {
            const JointPose& raw = in.joints[i];
            if (raw.position_valid() && raw.position_m.allFinite())
                filter_position(settings, dt_s, raw.position_m.cast<double>(), joints[i]);
            else
                joints[i].has_position = false;
            const Eigen::Quaterniond turn = raw.orientation.cast<double>();
            // A quaternion far from unit length is not an orientation.
            if (raw.orientation_valid() && std::abs(turn.squaredNorm() - 1.0) < 0.1)
                filter_orientation(settings, dt_s, turn.normalized(), joints[i]);
            else
                joints[i].has_orientation = false;
        }
        last_ns = in.times.common_ns;
        running = true;
    }
    // The first frame is copied unchanged, bit for bit.
    if (continues) write_frame(joints, out);
}

}  // namespace glovebox::tracking
