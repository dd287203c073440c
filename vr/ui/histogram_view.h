// Layout of a stage's duration histogram, with bars on a logarithmic axis, in whole device pixels.
//
// Bins have integer widths and positions, because fractional bins shimmer as the window moves.
#pragma once

#include <array>

#include "vr/session/stage_stats.h"

namespace glovebox::vr {

/// A logarithmic axis in device pixels.
struct HistogramAxis {
    static constexpr int kBins = 44;
    static constexpr double kFirst_us = 0.5, kLast_us = 20000.0;

    int left_px = 0;   ///< left edge of the first bin
    int pitch_px = 3;  ///< distance from one bin to the next
    int bar_px = 2;    ///< width of a bar; the rest of the pitch is a gap

    int width_px() const { return kBins * pitch_px; }
    /// Returns the bin of a duration, clamped to the first and last one.
    static int bin_of(double duration_us);
    /// Returns the x of a duration, in whole pixels.
    int x_of(double duration_us) const;
    int bar_left_px(int bin) const { return left_px + bin * pitch_px; }
};

/// Returns an axis with 3 px per bin (2 bar, 1 gap) at scale 1, and whole pixels at every other scale.
HistogramAxis make_axis(float left_logical, float scale);

/// Returns bar heights from 0 to 1 by the square root of the count, so that one outlier among thousands is visible.
std::array<float, HistogramAxis::kBins> bar_heights(const DurationHistogram& histogram);

}  // namespace glovebox::vr
