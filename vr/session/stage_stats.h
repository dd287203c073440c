// Statistics of the time of each stage of a frame: histograms of constant size, from which percentiles are computed.
#pragma once

#include <array>
#include <cstdint>

#include "scenes/step.h"

namespace glovebox::vr {

/// Histogram of durations on a logarithmic scale, with 16 bins per octave from 16 ns to 18 s. A percentile from it is
/// within 4.5 % of the exact percentile.
class DurationHistogram {
  public:
    static constexpr int kBinsPerOctave = 16;
    static constexpr int kBinCount = 30 * kBinsPerOctave;

    void add(std::int64_t duration_ns);
    void clear() { *this = {}; }

    std::uint64_t count() const { return count_; }
    double mean_us() const { return count_ == 0 ? 0.0 : 1e-3 * sum_ns_ / static_cast<double>(count_); }
    double max_us() const { return 1e-3 * static_cast<double>(max_ns_); }
    /// Returns a percentile, or 0 if the histogram is empty. A `fraction` of 0.5 gives the median.
    double percentile_us(double fraction) const;

    std::uint64_t bin(int i) const { return bins_[static_cast<std::size_t>(i)]; }
    static double bin_low_us(int i);

  private:
    std::array<std::uint64_t, kBinCount> bins_{};
    std::uint64_t count_ = 0;
    std::int64_t max_ns_ = 0;
    double sum_ns_ = 0.0;
};

/// One histogram per stage.
struct StageStats {
    std::array<DurationHistogram, scenes::kStageCount> stages;
    DurationHistogram& operator[](scenes::Stage stage) { return stages[static_cast<std::size_t>(stage)]; }
    const DurationHistogram& operator[](scenes::Stage stage) const { return stages[static_cast<std::size_t>(stage)]; }
};

}  // namespace glovebox::vr
