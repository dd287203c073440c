// A k-d tree over the bodies in a box-shaped region, rebuilt every step. It is never stored: each recursive call is a
// node.
//
// The region of each node, its cell, is cut at the median centre along the axis on which the centres spread most. A
// body that crosses the cut goes to both sides [Ericson05, sec. 7.4], so several leaves may find the same pair. Only
// one of them lists the pair: the one whose cell contains the lowest corner of the intersection of the two boxes. Cells
// do not overlap, so no pair is listed twice. Included by this folder's sources only.
#pragma once

#include <cmath>
#include <limits>

#include "collision/broad_phase/rows.h"

namespace glovebox::collision {

/// Returns true if the cell contains the point. Lower faces belong to the cell; upper faces do not, unless they are at
/// infinity.
inline bool cell_holds(const Aabb& cell, const Eigen::Vector3f& point_m) {
    for (int axis = 0; axis < 3; ++axis)
        if (!(point_m[axis] >= cell.min_m[axis] && (point_m[axis] < cell.max_m[axis] || std::isinf(cell.max_m[axis]))))
            return false;
    return true;
}

/// Returns all of space.
inline Aabb whole_space() {
    const float inf = std::numeric_limits<float>::infinity();
    return {Eigen::Vector3f::Constant(-inf), Eigen::Vector3f::Constant(inf)};
}

/// Returns the centre of a box along an axis, or 0 if it is not finite.
inline float center_on(const Aabb& box, int axis) {
    const float middle = 0.5F * box.min_m[axis] + 0.5F * box.max_m[axis];
    return std::isfinite(middle) ? middle : 0.0F;
}

/// Finds the overlapping pairs of bodies in a cell. Owns scratch memory that is reused in every step.
class KdDivision {
  public:
    /// Adds to `sink` each pair of the bodies listed in `inside` whose boxes overlap, if the lowest corner of their
    /// intersection is in `cell`. Every listed body must overlap the cell.
    void find_pairs(const Bodies& bodies, const Aabb& cell, std::span<const std::int32_t> inside, PairSink& sink,
                    BroadPhaseCounts& counts) {
        stack_.assign(inside.begin(), inside.end());
        divide(bodies, cell, 0, stack_.size(), 0, sink, counts);
    }

  private:
    static constexpr std::size_t kLeafBodies = 16;
    static constexpr int kMaxDepth = 20;

    static const Aabb& box_of(const Bodies& bodies, std::int32_t body) {
        return bodies.boxes[static_cast<std::size_t>(body)];
    }

    /// Divides a cell. The bodies stack_[begin, end) must overlap it.
    void divide(const Bodies& bodies, const Aabb& cell, std::size_t begin, std::size_t end, int depth, PairSink& sink,
                BroadPhaseCounts& counts) {
        if (end - begin <= kLeafBodies || depth == kMaxDepth) return leaf(bodies, cell, begin, end, sink, counts);

        Aabb centers;
        for (std::size_t i = begin; i < end; ++i)
            centers.include({center_on(box_of(bodies, stack_[i]), 0), center_on(box_of(bodies, stack_[i]), 1),
                             center_on(box_of(bodies, stack_[i]), 2)});
        int axis = 0;
        (centers.max_m - centers.min_m).maxCoeff(&axis);
        values_.clear();
        for (std::size_t i = begin; i < end; ++i) values_.push_back(center_on(box_of(bodies, stack_[i]), axis));
        const auto median = values_.begin() + static_cast<std::ptrdiff_t>(values_.size() / 2);
        std::nth_element(values_.begin(), median, values_.end());
        const float plane_m = *median;

        // Bodies extend beyond the cell, so the median of their centres may lie outside it. A plane there would divide
        // nothing.
        if (!(plane_m > cell.min_m[axis] && plane_m < cell.max_m[axis]))
            return leaf(bodies, cell, begin, end, sink, counts);

        std::size_t below = 0, above = 0;
        for (std::size_t i = begin; i < end; ++i) {
            below += box_of(bodies, stack_[i]).min_m[axis] < plane_m ? 1U : 0U;
            above += box_of(bodies, stack_[i]).max_m[axis] >= plane_m ? 1U : 0U;
        }
        // If most bodies cross the plane, cutting would only duplicate them.
        if (below + above > (end - begin) + (end - begin) / 2) return leaf(bodies, cell, begin, end, sink, counts);
        // The bodies below the cut are pushed onto the stack, divided and removed; then those above it.
        const std::size_t top = stack_.size();
        for (std::size_t i = begin; i < end; ++i)
            if (box_of(bodies, stack_[i]).min_m[axis] < plane_m) stack_.push_back(stack_[i]);
        Aabb half = cell;
        half.max_m[axis] = plane_m;
        divide(bodies, half, top, stack_.size(), depth + 1, sink, counts);
        stack_.resize(top);
        for (std::size_t i = begin; i < end; ++i)
            if (box_of(bodies, stack_[i]).max_m[axis] >= plane_m) stack_.push_back(stack_[i]);
        half = cell;
        half.min_m[axis] = plane_m;
        divide(bodies, half, top, stack_.size(), depth + 1, sink, counts);
        stack_.resize(top);
    }

    void leaf(const Bodies& bodies, const Aabb& cell, std::size_t begin, std::size_t end, PairSink& sink,
              BroadPhaseCounts& counts) {
        for (std::size_t i = begin; i < end; ++i) {
            const Aabb& a = box_of(bodies, stack_[i]);
            counts.box_tests += static_cast<std::int64_t>(end - i - 1);
            for (std::size_t j = i + 1; j < end; ++j) {
                const Aabb& b = box_of(bodies, stack_[j]);
                if (meet(a, b) && cell_holds(cell, a.min_m.cwiseMax(b.min_m))) sink.add(stack_[i], stack_[j]);
            }
        }
    }

    std::vector<std::int32_t> stack_;
    std::vector<float> values_;
};

}  // namespace glovebox::collision
