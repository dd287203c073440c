#include "vr/ui/histogram_view.h"

#include <algorithm>
#include <cmath>

namespace glovebox::vr {
namespace {

double along_axis(double duration_us) {
    const double at = std::log(std::max(duration_us, 1e-6) / HistogramAxis::kFirst_us);
    return at / std::log(HistogramAxis::kLast_us / HistogramAxis::kFirst_us);
}

}  // namespace

int HistogramAxis::bin_of(double duration_us) {
    return std::clamp(static_cast<int>(std::floor(along_axis(duration_us) * kBins)), 0, kBins - 1);
}

int HistogramAxis::x_of(double duration_us) const {
    return left_px + static_cast<int>(std::lround(std::clamp(along_axis(duration_us), 0.0, 1.0) * width_px()));
}

HistogramAxis make_axis(float left_logical, float scale) {
    HistogramAxis axis;
    axis.left_px = static_cast<int>(std::lround(left_logical * scale));
    axis.pitch_px = std::max(3, static_cast<int>(std::floor(3.0F * scale + 1e-3F)));
    axis.bar_px = std::max(2, static_cast<int>(std::lround(static_cast<float>(axis.pitch_px) * 2.0F / 3.0F)));
    return axis;
}

std::array<float, HistogramAxis::kBins> bar_heights(const DurationHistogram& histogram) {
    std::array<std::uint64_t, HistogramAxis::kBins> counts{};
    for (int i = 0; i < DurationHistogram::kBinCount; ++i) {
        if (histogram.bin(i) == 0) continue;
        const double middle_us = std::sqrt(DurationHistogram::bin_low_us(i) * DurationHistogram::bin_low_us(i + 1));
        counts[static_cast<std::size_t>(HistogramAxis::bin_of(middle_us))] += histogram.bin(i);
    }
    const auto most = static_cast<double>(std::max<std::uint64_t>(1, *std::ranges::max_element(counts)));
    std::array<float, HistogramAxis::kBins> heights{};
    for (std::size_t i = 0; i < counts.size(); ++i)
        heights[i] = static_cast<float>(std::sqrt(static_cast<double>(counts[i]) / most));
    return heights;
}

}  // namespace glovebox::vr
