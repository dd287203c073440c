// A stage's durations as a row of bars on a logarithmic axis: what is drawn where, in whole device pixels.
//
// Bins are an integer number of pixels wide from an integer x: fractional bins shimmer as the window moves.
#pragma once

#include <array>

#include "vr/session/stage_stats.h"

namespace glovebox::vr {

struct HistogramAxis {
    static constexpr int kBins = 44;
    static constexpr double kFirst_us = 0.5, kLast_us = 20000.0;

    int left_px = 0;   ///< of the first bin
    int pitch_px = 3;  ///< bin to bin
    int bar_px = 2;    ///< the rest is gap

    int width_px() const { return kBins * pitch_px; }
    /// Bin that a duration falls into; beyond the ends it is the last one on that side.
    static int bin_of(double duration_us);
    /// Where a duration lies, in whole pixels.
    int x_of(double duration_us) const;
    int bar_left_px(int bin) const { return left_px + bin * pitch_px; }
};

/// 3 px a bin (2 bar, 1 gap) at scale 1, and whole pixels at every other one.
HistogramAxis make_axis(float left_logical, float scale);

/// Bar heights 0..1 by square root of the count, so that a single outlier among thousands still shows.
std::array<float, HistogramAxis::kBins> bar_heights(const DurationHistogram& histogram);

}  // namespace glovebox::vr
