// Bounding discs of consecutive samples of a clip, tested with SIMD.
//
// Both clips are divided into runs of eight samples, so discs that share time are contiguous in both. For a range of i,
// disc i of one clip is tested against discs i + d and i + d + 1 of the other. That takes only loads and no branch for
// as many pairs as the machine has lanes; the result is a bit mask. A disc takes a quarter of the operations of a
// rectangle. For eight samples, a quarter of a second, it is hardly larger, since the area that a walker covers in 30
// cm is not much longer than wide. A disc of one level covers 128 discs of the level below, so one disc of the second
// level covers about half a minute.
// Discs are tested in single precision, because they only exclude pairs, and the slack covers the rounding. Samples are
// compared in double, with the arithmetic of discs_collide(), so the result is the same.
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

/// The columns x, y and radius in one block of memory, so that consecutive values load as a vector. Each column begins
/// at a cache line, so no vector load crosses two lines.
template <typename Real>
class DiscColumns {
  public:
    static constexpr std::int64_t kPadding = 32;  ///< entries before the first and after the last; they never collide

    void resize(std::int64_t new_count);
    void set(std::int64_t i, const Eigen::Vector2d& center_m, Real radius_m);

    std::int64_t count() const { return count_; }
    std::size_t memory_bytes() const { return lines_.size() * sizeof(Line); }
    /// Returns a pointer to the value of disc i, which the values of the next discs follow; i is at least -kPadding.
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

/// One level: each disc contains 2^log2_stretch samples; the last one may contain fewer.
struct WideLevel {
    int log2_stretch = 0;
    DiscColumns<float> discs;
};

struct WideDiscs {
    DiscColumns<double> samples;
    std::vector<WideLevel> levels;  ///< from the lowest to the first with a single disc; may be empty

    std::size_t memory_bytes() const;
};
WideDiscs make_wide_discs(std::span<const ClipSample> samples);

/// Counts of the pairs tested.
struct WideCounts {
    std::int64_t discs = 0, samples = 0, leaves = 0;
};

/// Returns true if any two samples that share time collide. Tests the clips' whole range, starting at the highest level
/// on which neither clip is a single disc; short clips are compared sample by sample at once. `size_m` is a bound of
/// all coordinates.
bool wide_collide(const WideDiscs& a, const WideDiscs& b, const RelativePlacement& b_from_a, const SampleShift& shift,
                  double size_m, WideCounts& counts);

/// Does the same, one pair at a time, and counts the same; the reference for tests.
bool wide_collide_scalar(const WideDiscs& a, const WideDiscs& b, const RelativePlacement& b_from_a,
                         const SampleShift& shift, double size_m, WideCounts& counts);

}  // namespace glovebox::collision::clips
