// Discs round consecutive stretches of a clip, tested with SIMD.
//
// Both clips are cut into equal stretches of eight samples, so the discs that share time lie side by side in both: disc
// i of one against discs i + d and i + d + 1 of the other, for a run of i. That is loads and no branch for as many
// pairs as the machine has lanes, and what meets comes out as bits. By operations a disc is a quarter of a rectangle's
// work, and over a quarter of a second hardly larger: a walker who steps 30 cm is not much longer than wide. A level's
// stretches are 128 times those of the level below, so a minute of motion lies under one of the second.
// Single precision: discs only rule out, and the slack covers the rounding. Samples are compared in double, with the
// arithmetic of discs_collide() and so to the same answer.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "collision/survey/clips/clip.h"

namespace glovebox::collision::clips {

/// Samples of a disc of the lowest level: chosen by counting operations.
inline constexpr std::int64_t kWideLeaf = 8;
inline constexpr std::int64_t kWideFan = 128;  ///< discs of a level under one of the next
static_assert((kWideLeaf & (kWideLeaf - 1)) == 0 && (kWideFan & (kWideFan - 1)) == 0, "time is divided by shifts");

/// Numbers in columns x y radius, so that runs of them load as they are: one block of memory, and each column begins
/// with a cache line, so that a register's worth lies in one line and not across two.
template <typename Real>
class DiscColumns {
  public:
    static constexpr std::int64_t kPadding = 32;  ///< readable before the first and after the last, and never met

    void resize(std::int64_t new_count);
    void set(std::int64_t i, const Eigen::Vector2d& center_m, Real radius_m);

    std::int64_t count() const { return count_; }
    std::size_t memory_bytes() const { return lines_.size() * sizeof(Line); }
    /// Disc i's number and, behind it, those of the discs that follow; i from -kPadding on.
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

/// One level: discs round 2^log2_stretch samples each, but for the last.
struct WideLevel {
    int log2_stretch = 0;
    DiscColumns<float> discs;
};

struct WideDiscs {
    DiscColumns<double> samples;
    std::vector<WideLevel> levels;  ///< from the lowest up to the first that has a single disc; empty: not made

    std::size_t memory_bytes() const;
};
WideDiscs make_wide_discs(std::span<const ClipSample> samples);

/// What was looked at, in pairs.
struct WideCounts {
    std::int64_t discs = 0, samples = 0, leaves = 0;
};

/// Do any two samples that share time collide? The clips' whole range, from the highest level on which neither is a
/// single disc; a few samples are compared at once. `size_m`: no coordinate is larger.
bool wide_collide(const WideDiscs& a, const WideDiscs& b, const RelativePlacement& b_from_a, const SampleShift& shift,
                  double size_m, WideCounts& counts);

/// The same, one pair after the other: what the tests compare with, counters and all.
bool wide_collide_scalar(const WideDiscs& a, const WideDiscs& b, const RelativePlacement& b_from_a,
                         const SampleShift& shift, double size_m, WideCounts& counts);

}  // namespace glovebox::collision::clips
