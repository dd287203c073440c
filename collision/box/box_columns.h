// Many oriented boxes side by side, and the separating-axis test of one box against all of them with SIMD.
//
// Uses the same fifteen axes and padding as overlap(Obb, Obb), one box per SIMD lane, without a branch per box. The
// bounding spheres of a block are tested first. If only a few boxes of a block remain, they wait until those of several
// blocks fill a vector. The edge axes are skipped if the face axes separate all boxes of a vector. [Gottschalk96]
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collision/box/box.h"

namespace glovebox::collision {

class BoxColumns {
  public:
    static constexpr std::size_t kBlock = 16;  ///< boxes per word of the bit mask; the last block is padded
    enum Column : std::size_t { center = 0, axes = 3, half = 12, radius = 15, kColumns = 16 };

    BoxColumns() = default;
    explicit BoxColumns(std::span<const Obb> boxes) { assign(boxes); }

    /// Replaces the boxes. Allocates only if there are more boxes than ever before.
    void assign(std::span<const Obb> boxes);

    std::size_t size() const { return size_; }
    std::size_t words() const { return (size_ + kBlock - 1) / kBlock; }
    /// Returns one column: the same number of every box, by index of the box. The columns are the centre x, y, z; the
    /// three axes, one after another; the half extents; and the radius of the bounding sphere. Readable to the end of
    /// the last block.
    const float* column(std::size_t number) const { return values_.data() + first_ + number * stride_; }

  private:
    std::size_t size_ = 0, stride_ = 0, first_ = 0;  // first_: index in values_ of the first cache line
    std::vector<float> values_;
};

/// Tests `box` against all boxes. Sets bit i % 16 of hits[i / 16] if it overlaps box i, and clears all other bits.
/// Returns the number of overlaps. `hits` must have columns.words() words. NaN never overlaps. For boxes that nearly
/// touch, to a few 1e-7 of their size and distance, results may differ from overlap(Obb, Obb).
int overlaps(const Obb& box, const BoxColumns& columns, std::span<std::uint16_t> hits);

/// Does the same, one box at a time; the reference for tests.
int overlaps_scalar(const Obb& box, const BoxColumns& columns, std::span<std::uint16_t> hits);

/// Returns the number of boxes tested at once on this machine.
int box_lanes();

}  // namespace glovebox::collision
