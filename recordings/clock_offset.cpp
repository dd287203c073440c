#include "recordings/clock_offset.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace glovebox::recordings {
namespace {

using tracking::Side;

constexpr double kStep_s = 0.01;
constexpr double kMaxLag_s = 30.0, kMaxLength_s = 600.0, kMinOverlap_s = 2.0;
constexpr double kApart_s = 0.5;        // offsets nearer than this belong to the same peak
constexpr double kLongestGap_s = 0.25;  // longest gap over which uniform motion is assumed
constexpr double kSlow_m_s = 0.05;      // log(1 + speed / this): keeps fast motion from dominating the correlation

// Returns the mean speed of the joints that both samples have, in m/s; negative if there are none.
double speed_between(const tracking::HandFrame& before, const tracking::HandFrame& after, double dt_s) {
    double sum_m = 0.0;
    int joints = 0;
    for (std::size_t i = 0; i < tracking::kJointCount; ++i) {
        const tracking::JointPose &from = before.joints[i], &to = after.joints[i];
        if (!from.position_valid() || !to.position_valid()) continue;
        sum_m += double{(to.position_m - from.position_m).norm()};
        ++joints;
    }
    return joints > 0 && std::isfinite(sum_m) ? sum_m / joints / dt_s : -1.0;
}

// Returns the logarithm of the hand's speed on a regular grid from the recording's start; 0 where it is not tracked.
std::vector<double> speeds_of(const Recording& recording, Side side) {
    const double length_s = std::min(recording.duration_s(), kMaxLength_s);
    std::vector<double> speeds(static_cast<std::size_t>(length_s / kStep_s) + 1, 0.0);
    const tracking::HandPair* before = nullptr;
    for (const tracking::HandPair& sample : recording.samples) {
        if (!sample[side].active) continue;
        const double to_s = 1e-9 * static_cast<double>(sample.time_ns);
        if (before != nullptr) {
            const double from_s = 1e-9 * static_cast<double>(before->time_ns), dt_s = to_s - from_s;
            const double speed =
                dt_s > 1e-4 && dt_s < kLongestGap_s ? speed_between((*before)[side], sample[side], dt_s) : -1.0;
            const auto first = static_cast<std::size_t>(std::ceil(std::max(0.0, from_s) / kStep_s));
            for (std::size_t i = first; speed >= 0.0 && i < speeds.size() && static_cast<double>(i) * kStep_s <= to_s;
                 ++i)
                speeds[i] = std::log1p(speed / kSlow_m_s);
        }
        before = &sample;
    }
    return speeds;
}

// Returns Pearson's correlation over the overlap, if `b` begins `lag` steps after `a`; 0 if either is constant.
double correlation_at(const std::vector<double>& a, const std::vector<double>& b, std::ptrdiff_t lag) {
    const auto size_a = static_cast<std::ptrdiff_t>(a.size()), size_b = static_cast<std::ptrdiff_t>(b.size());
    const std::ptrdiff_t begin = std::max<std::ptrdiff_t>(0, lag), end = std::min(size_a, size_b + lag);
    double sum_a = 0.0, sum_b = 0.0, sum_aa = 0.0, sum_bb = 0.0, sum_ab = 0.0;
    for (std::ptrdiff_t i = begin; i < end; ++i) {
        const double x = a[static_cast<std::size_t>(i)], y = b[static_cast<std::size_t>(i - lag)];
        sum_a += x;
        sum_b += y;
        sum_aa += x * x;
        sum_bb += y * y;
        sum_ab += x * y;
    }
    const auto n = static_cast<double>(end - begin);
    const double variance = (sum_aa - sum_a * sum_a / n) * (sum_bb - sum_b * sum_b / n);
    return variance > 1e-12 ? (sum_ab - sum_a * sum_b / n) / std::sqrt(variance) : 0.0;
}

}  // namespace

std::optional<ClockOffset> correlate_clocks(const Recording& a, Side side_a, const Recording& b, Side side_b) {
    const std::vector<double> speeds_a = speeds_of(a, side_a), speeds_b = speeds_of(b, side_b);
    const auto size_a = static_cast<std::ptrdiff_t>(speeds_a.size()),
               size_b = static_cast<std::ptrdiff_t>(speeds_b.size());
    // In a short overlap, any two motions may correlate.
    const auto overlap = std::max(static_cast<std::ptrdiff_t>(kMinOverlap_s / kStep_s), std::min(size_a, size_b) / 2);
    if (std::min(size_a, size_b) < overlap) return {};
    const auto most = static_cast<std::ptrdiff_t>(kMaxLag_s / kStep_s);
    const std::ptrdiff_t first = std::max(-most, overlap - size_b), last = std::min(most, size_a - overlap);
    if (first > last) return {};
    std::vector<double> correlations;
    for (std::ptrdiff_t lag = first; lag <= last; ++lag)
        correlations.push_back(correlation_at(speeds_a, speeds_b, lag));
    const auto best = std::ranges::max_element(correlations) - correlations.begin();
    const auto at = [&](std::ptrdiff_t i) { return correlations[static_cast<std::size_t>(i)]; };
    if (at(best) <= 0.0) return {};
    ClockOffset found;
    found.correlation = at(best);
    const auto count = static_cast<std::ptrdiff_t>(correlations.size());
    for (std::ptrdiff_t i = 0; i < count; ++i)
        if (static_cast<double>(std::abs(i - best)) * kStep_s >= kApart_s)
            found.next_best = std::max(found.next_best, at(i));
    // Refine the peak: the maximum of the parabola through it and its neighbours.
    double part = 0.0;
    if (best > 0 && best + 1 < count) {
        const double bend = at(best - 1) - 2.0 * at(best) + at(best + 1);
        if (bend < 0.0) part = 0.5 * (at(best - 1) - at(best + 1)) / bend;
    }
    found.offset_s = kStep_s * (static_cast<double>(first + best) + part);
    return found;
}

}  // namespace glovebox::recordings
