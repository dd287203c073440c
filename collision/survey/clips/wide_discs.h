// Bounding discs of consecutive samples of a clip, tested with SIMD.
//
// Both clips are divided into runs of eight samples, so discs that share time are contiguous in both: for a range of i,
// disc i of one against discs i + d and i + d + 1 of the other. That takes only loads and no branch for as many pairs
// as the machine has lanes; the result is a bit mask. A disc takes a quarter of the operations of a rectangle. Over a
// quarter of a second it is hardly larger, since a walker who steps 30 cm is not much longer than wide. A disc of a
// level covers 128 discs of the level below, so one disc of the second level covers about half a minute.
// Uses single precision, since discs only exclude, and the slack covers the rounding. Samples are compared in double,
// with the arithmetic of discs_collide(), so the result is the same.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "collision/survey/clips/clip.h"

namespace glovebox::collision::clips {

/// Samples per disc of the lowest level, chosen by counting operations.
inline constexpr std::int64_t kWideLeaf = 8;
inline constexpr std::int64_t kWideFan = 128;  ///< discs of a level per disc of the next
static_assert((kWideLeaf & (kWideLeaf - 1)) == 0 && (kWideFan & (kWideFan - 1)) == 0, "time is divided by shifts");

/// Columns x, y, radius in one block of memory, so that consecutive values load as a vector. Each column begins at a
/// cache line, so no vector load crosses two lines.
template <typename Real>
class DiscColumns {
  public:
    static constexpr std::int64_t kPadding = 32;  ///< readable before the first and after the last; never collides

    void resize(std::int64_t new_count);
    void set(std::int64_t i, const Eigen::Vector2d& center_m, Real radius_m);

    std::int64_t count() const { return count_; }
    std::size_t memory_bytes() const { return lines_.size() * sizeof(Line); }
    /// Returns a pointer to disc i's value, followed by those of the next discs; i from -kPadding on.
    const Real* x(std::int64_t i) const { return lines_.front().numbers.data() + kPadding + i; }
    const Real* y(std::int64_t i) const { return x(stride_ + i); }
    const Real* radius(std::int64_t i) const { return x(2 * stride_ + i); }

  private:
    static constexpr std::size_t kLineBytes = 64;
    struct alignas(kLineBytes) Line {
        std::array<Real, kLineBytes / sizeof(Real)> numbers;
    };
    Real* mutable_x(std::int64_t i) { return lines_.front().numbers.data() + kPadding + i; }

    std::int64_t count_ = 0, stride_ = 0;
    std::vector<Line> lines_;
};

/// One level: discs around 2^log2_stretch samples each; the last one may cover fewer.
struct WideLevel {
    int log2_stretch = 0;
    DiscColumns<float> discs;
};

struct WideDiscs {
    DiscColumns<double> samples;
    std::vector<WideLevel> levels;  ///< from the lowest up to the first with a single disc; empty: not made

    std::size_t memory_bytes() const;
};
WideDiscs make_wide_discs(std::span<const ClipSample> samples);

/// Counts of the pairs tested.
struct WideCounts {
    std::int64_t discs = 0, samples = 0, leaves = 0;
};

/// Returns true if any two samples that share time collide. Tests the clips' whole range, starting at the highest level
/// on which neither clip is a single disc; short ranges compare samples at once. `size_m`: bound of all coordinates.
bool wide_collide(const WideDiscs& a, const WideDiscs& b, const RelativePlacement& b_from_a, const SampleShift& shift,
                  double size_m, WideCounts& counts);

/// Does the same one pair after the other, as the reference for tests, including the counters.
bool wide_collide_scalar(const WideDiscs& a, const WideDiscs& b, const RelativePlacement& b_from_a,
                         const SampleShift& shift, double size_m, WideCounts& counts);

}  // namespace glovebox::collision::clips
