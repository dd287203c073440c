// Rectangles round consecutive stretches of a clip, tested by the register.
//
// Both clips are cut into equal stretches of sixteen samples, so the boxes that share time lie side by side in both:
// box i of one against boxes i + d and i + d + 1 of the other, for a run of i. That is loads and no branch for as many
// pairs as the machine has lanes, and what meets comes out as bits. A level's stretches are 128 times those of the
// level below: a MOBB tree with 128 children a node, and a minute of motion under one. Single precision: boxes only
// rule out, and the slack covers the rounding.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "collision/clips/clip_box.h"

namespace glovebox::collision::clips {

inline constexpr std::int64_t kWideLeaf = 16;  ///< samples of a box of the lowest level
inline constexpr std::int64_t kWideFan = 128;  ///< boxes of a level under one of the next

/// Boxes of one level, by columns, so that runs of them load as they are.
struct WideBoxes {
    enum Column : std::int64_t { center_x, center_y, axis_x, axis_y, half_x, half_y, kColumns };
    static constexpr std::int64_t kPadding = 32;  ///< readable before the first and after the last box

    std::int64_t stretch = 0;  ///< samples of each box but the last
    std::int64_t count = 0;
    std::int64_t stride = 0;  ///< of a column
    std::vector<float> values;

    const float* at(Column column, std::int64_t i) const { return values.data() + column * stride + kPadding + i; }
};

/// Levels from the lowest up to the first that has a single box.
std::vector<WideBoxes> make_wide_boxes(std::span<const ClipSample> samples, AxisRule rule);

/// b's plane from a's, and what to add to every reach: at least the rounding of single precision.
struct WidePlacement {
    float cos, sin, x_m, y_m, slack_m;
};

/// Sixteen pairs a word, 128 pairs in all.
using WideBits = std::array<std::uint16_t, kWideFan / 16>;

/// Bit k: box first_a + k of a may meet box first_b + k of b, `next` the same with box first_b + k + 1, for k < count
/// rounded up to sixteen. Bits of boxes that are not there mean nothing. first_b may be -1. count <= 128.
void may_meet(const WideBoxes& a, std::int64_t first_a, const WideBoxes& b, std::int64_t first_b, std::int64_t count,
              const WidePlacement& b_from_a, WideBits& same, WideBits& next);

/// The same, one pair after the other: what the tests compare with.
void may_meet_scalar(const WideBoxes& a, std::int64_t first_a, const WideBoxes& b, std::int64_t first_b,
                     std::int64_t count, const WidePlacement& b_from_a, WideBits& same, WideBits& next);

/// Does a sample a[k], brought into b's plane, collide with b[k], or with b[k + 1] if `next`? For any k < count. The
/// same arithmetic as discs_collide(), so the same answer to the last bit.
bool any_collide(const ClipSample* a, const ClipSample* b, std::int64_t count, bool next,
                 const RelativePlacement& b_from_a);

}  // namespace glovebox::collision::clips
