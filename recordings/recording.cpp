#include "recordings/recording.h"

#include <algorithm>

namespace glovebox::recordings {
namespace {

// HOT3D's Aria stores each instant twice, 0.09 ms apart. No hand source is faster than 1 kHz.
constexpr std::int64_t kTwinStep_ns = 500'000;

std::vector<std::int64_t> steps_ns(const Recording& recording) {
    std::vector<std::int64_t> steps;
    for (std::size_t i = 1; i < recording.samples.size(); ++i)
        steps.push_back(recording.samples[i].time_ns - recording.samples[i - 1].time_ns);
    return steps;
}

}  // namespace

bool Recording::has(tracking::Side side) const {
    return std::any_of(samples.begin(), samples.end(), [side](const auto& sample) { return sample[side].active; });
}

double Recording::duration_s() const {
    return samples.empty() ? 0.0 : 1e-9 * static_cast<double>(samples.back().time_ns - samples.front().time_ns);
}

double Recording::longest_gap_s() const {
    const auto steps = steps_ns(*this);
    return steps.empty() ? 0.0 : 1e-9 * static_cast<double>(*std::max_element(steps.begin(), steps.end()));
}

double Recording::rate_hz() const {
    auto steps = steps_ns(*this);
    if (steps.empty()) return 0.0;
    const auto is_twin = [](std::int64_t step_ns) { return step_ns < kTwinStep_ns; };
    if (!std::ranges::all_of(steps, is_twin)) std::erase_if(steps, is_twin);
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::nth_element(steps.begin(), middle, steps.end());
    return *middle > 0 ? 1e9 / static_cast<double>(*middle) : 0.0;
}

std::vector<std::pair<double, double>> gaps(const Recording& recording) {
    std::vector<std::pair<double, double>> found;
    const double rate_hz = recording.rate_hz();
    if (rate_hz <= 0.0) return found;
    for (std::size_t i = 1; i < recording.samples.size(); ++i) {
        const double from_s = 1e-9 * static_cast<double>(recording.samples[i - 1].time_ns);
        const double to_s = 1e-9 * static_cast<double>(recording.samples[i].time_ns);
        if (to_s - from_s > 3.0 / rate_hz) found.emplace_back(from_s, to_s);
    }
    return found;
}

}  // namespace glovebox::recordings
