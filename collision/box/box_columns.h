// Many oriented boxes side by side, and the separating-axis test of one box against all of them with SIMD.
//
// The same fifteen axes and the same padding as overlap(Obb, Obb); a box a lane, so there is no branch per box. A block
// is first asked by the balls round the boxes: where few are left, these wait until they fill a register. Blocks of
// which the faces of either box separate everything leave before the edges. [Gottschalk96]
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collision/box/box.h"

namespace glovebox::collision {

class BoxColumns {
  public:
    static constexpr std::size_t kBlock = 16;  ///< boxes of a word of bits; more than that only pad
    enum Column : std::size_t { center = 0, axes = 3, half = 12, radius = 15, kColumns = 16 };

    BoxColumns() = default;
    explicit BoxColumns(std::span<const Obb> boxes) { assign(boxes); }

    /// Allocates only when there are more boxes than ever before.
    void assign(std::span<const Obb> boxes);

    std::size_t size() const { return size_; }
    std::size_t words() const { return (size_ + kBlock - 1) / kBlock; }
    /// center: x y z; axes: column after column; half; radius of the ball round the box. Readable to the end of the
    /// last block.
    const float* column(std::size_t number) const { return values_.data() + first_ + number * stride_; }

  private:
    std::size_t size_ = 0, stride_ = 0, first_ = 0;  // first_: where in values_ a cache line begins
    std::vector<float> values_;
};

/// Bit i % 16 of hits[i / 16]: `box` overlaps box i. Returns how many do. `hits` has columns.words() words. Answers may
/// differ from overlap(Obb, Obb) where the boxes are within rounding of touching, a few 1e-7 of their size and
/// distance. NaN reports separation.
int overlaps(const Obb& box, const BoxColumns& columns, std::span<std::uint16_t> hits);

/// The same box by box: what tests compare with.
int overlaps_scalar(const Obb& box, const BoxColumns& columns, std::span<std::uint16_t> hits);

/// How many boxes are tested at once on this machine.
int box_lanes();

}  // namespace glovebox::collision
