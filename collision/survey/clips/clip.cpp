#include "collision/survey/clips/clip.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace glovebox::collision::clips {
namespace {

// Larger than any walker's range, but small enough that squares and sums of doubles are exact to a tenth of a
// micrometre.
constexpr double kMaxCoordinate_m = 1e9;
// Indices are 32-bit and a tree has fewer than twice as many nodes as samples.
constexpr std::size_t kMaxSamples = std::size_t{1} << 30;
// A smaller fraction of a sample counts as rounding, not as an offset.
constexpr double kWholeSample = 1e-9;

[[noreturn]] void refuse(std::size_t row, const std::string& reason) {
    throw std::invalid_argument("clip: sample " + std::to_string(row) + ": " + reason);
}

void check_step(double dt_s) {
    if (!(dt_s > 0.0) || !std::isfinite(dt_s))
        throw std::invalid_argument("clip: the sample spacing is not a positive number of seconds");
}

}  // namespace

void check(const Clip& clip) {
    check_step(clip.dt_s);
    if (clip.samples.empty()) throw std::invalid_argument("clip: no samples");
    if (clip.samples.size() > kMaxSamples) throw std::invalid_argument("clip: more than 2^30 samples");
    for (std::size_t i = 0; i < clip.samples.size(); ++i) {
        const ClipSample& sample = clip.samples[i];
        const double largest_m = sample.center_m.cwiseAbs().maxCoeff();
        // Written so that NaN is refused.
        if (!(sample.center_m.allFinite() && largest_m <= kMaxCoordinate_m))
            refuse(i, "the position is not finite or beyond 1e9 m");
        if (!(sample.radius_m >= 0.0 && sample.radius_m <= kMaxCoordinate_m))
            refuse(i, "the radius is negative, not finite or beyond 1e9 m");
    }
}

Clip clip_from_timed(std::span<const TimedDisc> discs, double dt_s) {
    check_step(dt_s);
    if (discs.empty()) throw std::invalid_argument("clip: no samples");
    for (std::size_t i = 0; i < discs.size(); ++i) {
        if (!std::isfinite(discs[i].time_s)) refuse(i, "the time is not finite");
        if (i > 0 && discs[i].time_s == discs[i - 1].time_s) refuse(i, "the time repeats the one before");
        if (i > 0 && discs[i].time_s < discs[i - 1].time_s) refuse(i, "the time goes back");
    }
    const double span_s = discs.back().time_s - discs.front().time_s;
    if (!(span_s / dt_s < static_cast<double>(kMaxSamples)))
        throw std::invalid_argument("clip: more than 2^30 samples at this spacing");
    const auto count = static_cast<std::size_t>(std::floor(span_s / dt_s + kWholeSample)) + 1;

    Clip clip{{}, dt_s};
    clip.samples.reserve(count);
    std::size_t source = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double at_s = discs.front().time_s + (static_cast<double>(i) + kWholeSample) * dt_s;
        while (source + 1 < discs.size() && discs[source + 1].time_s <= at_s) ++source;
        clip.samples.push_back(discs[source].disc);
    }
    check(clip);
    return clip;
}

ClipPlacement placed(double angle_rad, const Eigen::Vector2d& offset_m, double start_s) {
    return {Eigen::Rotation2Dd(angle_rad).toRotationMatrix(), offset_m, start_s};
}

RelativePlacement relative(const ClipPlacement& a, const ClipPlacement& b) {
    const Eigen::Matrix2d b_from_world = b.world_from_clip.transpose();
    const RelativePlacement r{b_from_world * a.world_from_clip, b_from_world * (a.offset_m - b.offset_m),
                              a.start_s - b.start_s};
    if (!std::isfinite(r.b_from_a.sum() + r.offset_m.sum() + r.start_s))
        throw std::invalid_argument("clip: the placement is not finite");
    return r;
}

SampleShift sample_shift(double a_start_on_b_s, double dt_s) {
    // No clip is longer than 2^30 samples, so all larger distances are equivalent; this limit fits an integer.
    constexpr double kFar = 1099511627776.0;  // 2^40
    const double shift = std::clamp(a_start_on_b_s / dt_s, -kFar, kFar);
    // Rounded by conversion: the library's floor() and round() cost a query more than its test of the root boxes.
    const auto cut = static_cast<std::int64_t>(shift);
    const std::int64_t below = cut - (static_cast<double>(cut) > shift ? 1 : 0);
    const double beyond = shift - static_cast<double>(below);
    if (beyond <= kWholeSample) return {below, below};
    if (1.0 - beyond <= kWholeSample) return {below + 1, below + 1};
    return {below, below + 1};
}

}  // namespace glovebox::collision::clips
