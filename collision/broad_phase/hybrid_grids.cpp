// Hybrids: a coarse uniform grid whose cells are searched by another method, a k-d tree or a sweep.
//
// A uniform grid is the cheapest division of space, but has one cell size; the method in a cell adapts to its bodies. A
// body is in every cell that it overlaps. Cells do not overlap, and the outer ones extend to infinity. A pair is listed
// by the cell that contains the lowest corner of the overlap. Rebuilt in every step.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "collision/broad_phase/kd_division.h"

namespace glovebox::collision {
namespace {

/// The planes that divide one axis into cells; without planes, one cell.
class Cuts {
  public:
    void set(float low_m, float high_m, std::size_t cells) {
        planes_m_.clear();
        low_m_ = low_m;
        cell_m_ = (high_m - low_m) / static_cast<float>(cells);
        if (!(cell_m_ > 0.0F) || !std::isfinite(cell_m_)) return;
        for (std::size_t k = 1; k < cells; ++k) planes_m_.push_back(low_m + cell_m_ * static_cast<float>(k));
    }
    std::size_t cells() const { return planes_m_.size() + 1; }
    /// Returns the cell of a coordinate. Estimated by division, then compared with the planes, so rounding never moves
    /// a body.
    std::size_t cell_of(float at_m) const {
        if (planes_m_.empty()) return 0;
        const auto last = static_cast<float>(planes_m_.size());
        auto cell = static_cast<std::size_t>(std::clamp((at_m - low_m_) / cell_m_, 0.0F, last));
        while (cell > 0 && at_m < planes_m_[cell - 1]) --cell;
        while (cell < planes_m_.size() && at_m >= planes_m_[cell]) ++cell;
        return cell;
    }
    void bound(std::size_t cell, int axis, Aabb& box) const {
        if (cell > 0) box.min_m[axis] = planes_m_[cell - 1];
        if (cell < planes_m_.size()) box.max_m[axis] = planes_m_[cell];
    }

  private:
    std::vector<float> planes_m_;
    float low_m_ = 0.0F, cell_m_ = 0.0F;
};

/// Bodies in the cells of a coarse grid.
class CoarseGrid {
  public:
    /// Divides space into cells of about `bodies_a_cell`; with `columns` the widest axis is not divided.
    void build(const Bodies& bodies, bool columns, std::size_t bodies_a_cell) {
        present_.clear();
        Aabb centers;
        for (std::size_t body = 0; body < bodies.boxes.size(); ++body) {
            const Aabb& box = bodies.boxes[body];
            if (!is_present(box)) continue;
            present_.push_back(static_cast<std::int32_t>(body));
            centers.include({center_on(box, 0), center_on(box, 1), center_on(box, 2)});
        }
        cut(centers, columns ? 1 : 0, static_cast<double>(present_.size()) / static_cast<double>(bodies_a_cell));
        fill(bodies);
    }

    /// Returns the axis with the widest spread of centers, which columns follow.
    int widest_axis() const { return order_[0]; }
    std::size_t present() const { return present_.size(); }
    std::size_t cells() const { return begins_.size() - 1; }
    std::span<const std::int32_t> bodies_in(std::size_t cell) const {
        return std::span(members_).subspan(begins_[cell], begins_[cell + 1] - begins_[cell]);
    }
    Aabb box_of(std::size_t cell) const {
        Aabb box = whole_space();
        for (int axis = 0; axis < 3; ++axis) {
            const Cuts& cuts = cuts_[static_cast<std::size_t>(axis)];
            cuts.bound(cell % cuts.cells(), axis, box);
            cell /= cuts.cells();
        }
        return box;
    }

  private:
    /// Divides the axes from rank `first` on, the widest having rank 0, into about `cells` cubes.
    void cut(const Aabb& centers, std::size_t first, double cells) {
        std::array<double, 3> spread_m{};
        if (!present_.empty())
            for (int axis = 0; axis < 3; ++axis)
                spread_m[static_cast<std::size_t>(axis)] = double{centers.max_m[axis]} - double{centers.min_m[axis]};
        const auto spread_of = [&](std::size_t rank) { return spread_m[static_cast<std::size_t>(order_[rank])]; };
        order_ = {0, 1, 2};
        std::ranges::sort(order_, [&](int x, int y) {
            return std::pair(-spread_m[static_cast<std::size_t>(x)], x) <
                   std::pair(-spread_m[static_cast<std::size_t>(y)], y);
        });
        // An axis that is too narrow for a cell, such as the height of bodies on a floor, is not divided.
        std::size_t last = 3;
        double edge_m = 0.0;
        for (; last > first; --last) {
            double volume = 1.0;
            for (std::size_t rank = first; rank < last; ++rank) volume *= spread_of(rank);
            edge_m = std::pow(volume / cells, 1.0 / static_cast<double>(last - first));
            if (spread_of(last - 1) >= edge_m && edge_m > 0.0) break;
        }
        for (Cuts& cuts : cuts_) cuts.set(0.0F, 0.0F, 1);
        for (std::size_t rank = first; rank < last; ++rank) {
            const int axis = order_[rank];
            const double count = std::clamp(std::floor(spread_of(rank) / edge_m), 1.0, kMaxCells);
            cuts_[static_cast<std::size_t>(axis)].set(centers.min_m[axis], centers.max_m[axis],
                                                      static_cast<std::size_t>(count));
        }
    }

    template <typename Visit>
    void for_cells(const Aabb& box, Visit visit) const {
        std::array<std::size_t, 3> low{}, high{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            low[axis] = cuts_[axis].cell_of(box.min_m[static_cast<int>(axis)]);
            high[axis] = cuts_[axis].cell_of(box.max_m[static_cast<int>(axis)]);
        }
        for (std::size_t z = low[2]; z <= high[2]; ++z)
            for (std::size_t y = low[1]; y <= high[1]; ++y)
                for (std::size_t x = low[0]; x <= high[0]; ++x)
                    visit((z * cuts_[1].cells() + y) * cuts_[0].cells() + x);
    }

    /// Counts, then fills: two passes over the bodies, no list per cell.
    void fill(const Bodies& bodies) {
        begins_.assign(cuts_[0].cells() * cuts_[1].cells() * cuts_[2].cells() + 1, 0);
        for (const std::int32_t body : present_)
            for_cells(bodies.boxes[static_cast<std::size_t>(body)], [&](std::size_t cell) { ++begins_[cell + 1]; });
        for (std::size_t cell = 1; cell < begins_.size(); ++cell) begins_[cell] += begins_[cell - 1];
        members_.resize(begins_.back());
        ends_.assign(begins_.begin(), begins_.end());
        for (const std::int32_t body : present_)
            for_cells(bodies.boxes[static_cast<std::size_t>(body)],
                      [&](std::size_t cell) { members_[ends_[cell]++] = body; });
    }

    static constexpr double kMaxCells = 1024.0;  ///< per axis
    std::array<Cuts, 3> cuts_;
    std::array<int, 3> order_{0, 1, 2};
    std::vector<std::int32_t> present_, members_;
    std::vector<std::size_t> begins_ = {0}, ends_;
};

class GridOfTrees {
  public:
    void step(const Bodies& bodies, PairSink& sink, BroadPhaseCounts& counts) {
        grid_.build(bodies, false, 32);
        counts.updates += static_cast<std::int64_t>(grid_.present());
        for (std::size_t cell = 0; cell < grid_.cells(); ++cell)
            if (grid_.bodies_in(cell).size() > 1)
                division_.find_pairs(bodies, grid_.box_of(cell), grid_.bodies_in(cell), sink, counts);
    }

  private:
    CoarseGrid grid_;
    KdDivision division_;
};

/// Sweeps along the axis on which bodies spread widest. Bodies that settle on a floor cluster in height, so no list is
/// sorted by height.
class GridOfSweeps {
  public:
    void step(const Bodies& bodies, PairSink& sink, BroadPhaseCounts& counts) {
        grid_.build(bodies, true, 16);
        counts.updates += static_cast<std::int64_t>(grid_.present());
        const int axis = grid_.widest_axis();
        for (std::size_t cell = 0; cell < grid_.cells(); ++cell)
            if (grid_.bodies_in(cell).size() > 1) sweep(bodies, cell, axis, sink, counts);
    }

  private:
    void sweep(const Bodies& bodies, std::size_t cell, int axis, PairSink& sink, BroadPhaseCounts& counts) {
        intervals_.clear();
        for (const std::int32_t body : grid_.bodies_in(cell)) {
            const Aabb& box = bodies.boxes[static_cast<std::size_t>(body)];
            intervals_.push_back({box.min_m[axis], box.max_m[axis], body});
        }
        std::ranges::sort(intervals_, [](const Interval& x, const Interval& y) {
            return std::pair(x.begin_m, x.body) < std::pair(y.begin_m, y.body);
        });
        const Aabb column = grid_.box_of(cell);
        for (std::size_t i = 0; i < intervals_.size(); ++i) {
            const Aabb& a = bodies.boxes[static_cast<std::size_t>(intervals_[i].body)];
            for (std::size_t j = i + 1; j < intervals_.size() && intervals_[j].begin_m <= intervals_[i].end_m; ++j) {
                ++counts.box_tests;
                const Aabb& b = bodies.boxes[static_cast<std::size_t>(intervals_[j].body)];
                if (meet(a, b) && cell_holds(column, a.min_m.cwiseMax(b.min_m)))
                    sink.add(intervals_[i].body, intervals_[j].body);
            }
        }
    }

    struct Interval {
        float begin_m, end_m;
        std::int32_t body;
    };
    CoarseGrid grid_;
    std::vector<Interval> intervals_;
};

}  // namespace

BroadPhase grid_of_trees() {
    return row<GridOfTrees>("grid-kd-tree", "hybrid: a coarse grid, its crowded cells cut at medians");
}
BroadPhase grid_of_sweeps() {
    return row<GridOfSweeps>("grid-sweep", "hybrid: a coarse grid of columns, swept along each");
}

}  // namespace glovebox::collision
