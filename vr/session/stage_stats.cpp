#include "vr/session/stage_stats.h"

#include <algorithm>
#include <cmath>

namespace glovebox::vr {
namespace {

constexpr double kFirstBin_ns = 16.0;

}  // namespace

double DurationHistogram::bin_low_us(int i) {
    return 1e-3 * kFirstBin_ns * std::exp2(static_cast<double>(i) / kBinsPerOctave);
}

void DurationHistogram::add(std::int64_t duration_ns) {
    const double octaves = std::log2(std::max(kFirstBin_ns, static_cast<double>(duration_ns)) / kFirstBin_ns);
    const int i = std::min(kBinCount - 1, static_cast<int>(octaves * kBinsPerOctave));
    ++bins_[static_cast<std::size_t>(i)];
    ++count_;
    sum_ns_ += static_cast<double>(duration_ns);
    max_ns_ = std::max(max_ns_, duration_ns);
}

double DurationHistogram::percentile_us(double fraction) const {
    if (count_ == 0) return 0.0;
    const auto rank = static_cast<std::uint64_t>(std::ceil(fraction * static_cast<double>(count_)));
    std::uint64_t seen = 0;
    for (int i = 0; i < kBinCount; ++i) {
        seen += bin(i);
        if (seen >= std::max<std::uint64_t>(rank, 1))
            return std::min(std::sqrt(bin_low_us(i) * bin_low_us(i + 1)), max_us());
    }
    return max_us();
}

}  // namespace glovebox::vr
