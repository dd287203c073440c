#include "collision/query/deepest_point.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "collision/query/matrix_game.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3d;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

CorePoint moved(const CorePoint& from, double by, const CorePoint& way) {
    return {from.at_m + by * way.at_m, from.radius_m + by * way.radius_m};
}

// An upper bound of the depth inside the core: a convex function of the point.
class Limit {
  public:
    static Limit of_triangle(std::int32_t number, const Triangle& corners) {
        Limit limit{Kind::triangle, number, corners, (corners[0] + corners[1] + corners[2]) / 3.0, 0.0};
        for (const Vector3d& corner : corners)
            limit.reach_m_ = std::max(limit.reach_m_, (corner - limit.middle_m_).norm());
        return limit;
    }
    // Bound by an empty ball around a point that far outside.
    static Limit of_empty_ball(const Vector3d& middle_m, double radius_m) {
        return {Kind::empty_ball, -1, {middle_m, middle_m, middle_m}, middle_m, radius_m};
    }
    // Bound by a box that contains nothing of the solid.
    static Limit of_empty_box(const Obb& box) {
        const Eigen::Matrix3d axes = box.axes.cast<double>();
        Limit limit{Kind::empty_box, -1, {axes.col(0), axes.col(1), axes.col(2)}, box.center_m.cast<double>(), 0.0};
        limit.half_m_ = box.half_m.cast<double>();
        limit.reach_m_ = limit.half_m_.norm();
        return limit;
    }
    // Bound by a side of the core, to be added to the cell's bound; beyond the side it falls quickly below any depth.
    static Limit of_side(const Vector3d& outward, const Vector3d& on_side_m) {
        return {Kind::side, -1, {on_side_m, on_side_m, on_side_m}, kSteep * outward, kSteep * outward.dot(on_side_m)};
    }
    bool is_beyond(const Vector3d& point_m, double by_m) const { return is_side() && at(point_m) < -kSteep * by_m; }

    double at(const Vector3d& point_m) const {
        switch (kind_) {
            case Kind::triangle:
                return (closest_on_triangle(point_m, corners_m_).point - point_m).norm();
            case Kind::empty_ball:
                return (point_m - middle_m_).norm() - reach_m_;
            case Kind::empty_box:
                return (in_box(point_m).cwiseAbs() - half_m_).cwiseMax(0.0).norm();
            case Kind::side:
                break;
        }
        return reach_m_ - middle_m_.dot(point_m);
    }
    // True for an empty box if the point is neither beside nor above it.
    bool is_beneath(const Vector3d& point_m) const {
        if (kind_ != Kind::empty_box) return false;
        const Vector3d along = in_box(point_m);
        return std::abs(along.x()) <= half_m_.x() && std::abs(along.y()) <= half_m_.y() && along.z() <= half_m_.z();
    }
    // Returns the distance beneath its bottom: equals at() there, negative inside the box.
    double beneath_m(const Vector3d& point_m) const { return -half_m_.z() - in_box(point_m).z(); }
    // Returns false only if at() >= depth_m. Not for sides.
    bool may_be_below(const Vector3d& point_m, double depth_m) const {
        const double far_m = depth_m + reach_m_;
        return far_m > 0.0 && (point_m - middle_m_).squaredNorm() < far_m * far_m;
    }
    bool is_triangle() const { return kind_ == Kind::triangle; }
    bool is_side() const { return kind_ == Kind::side; }
    std::int32_t number() const { return number_; }

    Limit() = default;

  private:
    static constexpr double kSteep = 100.0;
    enum class Kind : std::uint8_t { triangle, empty_ball, empty_box, side };
    Limit(Kind kind, std::int32_t number, const Triangle& corners_m, const Vector3d& middle_m, double reach_m)
        : kind_(kind), number_(number), corners_m_(corners_m), middle_m_(middle_m), reach_m_(reach_m) {}
    Vector3d in_box(const Vector3d& point_m) const {
        const Vector3d offset = point_m - middle_m_;
        return {corners_m_[0].dot(offset), corners_m_[1].dot(offset), corners_m_[2].dot(offset)};
    }

    Kind kind_;
    std::int32_t number_;
    Triangle corners_m_;
    Vector3d middle_m_;  // for a side: its normal, scaled by the slope
    double reach_m_;     // for a side: its height
    Vector3d half_m_ = Vector3d::Zero();
};

class Search {
  public:
    Search(const MeshTree& tree, const BoxedCore& core, MeshTreeCounts& counts)
        : tree_(tree), core_(core), counts_(counts) {
        for (std::size_t k = 0; k < core.axes; ++k) size_m_ += 4.0 * core.half[k].at_m.squaredNorm();
        size_m_ = std::sqrt(size_m_);
        tolerance_m_ = core.tolerance_m > 0.0 ? core.tolerance_m : kTolerance * size_m_;
        max_radius_m_ = core.middle.radius_m;
        for (std::size_t k = 0; k < core.axes; ++k) max_radius_m_ += std::abs(core.half[k].radius_m);
        CorePoint middle = core.middle;
        // A segment without length is its larger end.
        if (size_m_ == 0.0) middle.radius_m = max_radius_m_;
        if (core.nearest != nullptr) middle.at_m = core.nearest(core.core, middle.at_m);
        look(middle);
    }

    const DeepestPoint& best() const { return best_; }
    double size_m() const { return size_m_; }

    void divide() {
        // Depths of two points differ by at most the distance of the points.
        const double max_m = size_m_ - best_.surface.distance_m + max_radius_m_;
        consider({core_.middle, {1.0, 1.0, 1.0}, max_m, 0, {}, {}});
        while (cell_count_ > 0 && cells_.front().bound_m > tolerance_reached_m()) {
            if (considered_ >= kMaxCells) {
                is_unfinished_ = true;
                break;
            }
            std::pop_heap(cells_.begin(), cells_.begin() + cell_count_, allows_less);
            Cell cell = cells_[static_cast<std::size_t>(--cell_count_)];
            const std::size_t axis = bent_axis(cell);
            cell.of_half[axis] *= 0.5;
            for (const double side : {-1.0, 1.0}) {
                Cell half = cell;
                half.middle = moved(cell.middle, side * cell.of_half[axis], core_.half[axis]);
                consider(half);
            }
        }
        if (cell_count_ > 0) shown_m_ = std::max(shown_m_, cells_.front().bound_m);
        counts_.unfinished += is_unfinished_ ? 1 : 0;
    }

    // Treats the solid as convex: planes perpendicular to the nearest-surface directions bound the depth. Queries the
    // point that maximises the bound and adds the plane there, repeatedly [Kelley60].
    void cut() {
        planes_.rows = end_count();
        planes_.columns = 0;
        add_plane(best_);
        for (;;) {
            const GameSolution most = solve(planes_);
            if (!(most.value > -best_.distance_m() + tolerance_m_)) return;
            query_core(mixture(ends_of_core(), most));
            if (!add_plane(last_)) return;
        }
    }
    // If many points are equally deep (a palm lying flat), chooses one that is not equally near another side of the
    // surface. The planes that do not limit the depth are pushed away, while those that do may give way within the
    // tolerance.
    void center() {
        cut();
        const Ends ends = ends_of_core();
        const GameSolution most = solve(planes_);
        const double depth_m = -best_.surface.distance_m;
        if (planes_.columns < 2 || !(depth_m > 0.0)) return;
        const double given_m =
            std::clamp(tolerance_m_ - best_.distance_m() - shown_m_, kToleranceShare * tolerance_m_, tolerance_m_);
        for (int i = 0; i < 8; ++i) {
            MatrixGame kept_off = planes_;
            for (std::size_t k = 0; k < planes_.columns; ++k)
                for (std::size_t j = 0; j < planes_.rows; ++j) {
                    double& gain = kept_off.gain[k][j];
                    gain -= most.value;
                    if (most.column_share[k] > kHolds) gain = (gain + tolerance_m_) / kToleranceGain;
                }
            const DeepestPoint deepest = best_;
            best_.surface.distance_m += std::min(given_m, 0.5 * depth_m);
            if (query_core(mixture(ends, solve(kept_off)))) return;
            best_ = deepest;
            if (!add_plane(last_)) return;
        }
    }

  private:
    // Fractions of the box's size.
    static constexpr double kTolerance = 1e-4, kToleranceGain = 1e-2;
    static constexpr double kHolds = 0.1;           // of the total weight: nearly parallel sides weigh little
    static constexpr double kToleranceShare = 0.3;  // of the tolerance: left to center() by the bound proven before
    static constexpr double kLittle = 0.2;  // of the missing reduction: if a round gains less, bisection is better
    static constexpr int kMaxQueries = 112, kMaxCells = 1000, kMaxRounds = 24;
    static constexpr std::size_t kMaxLimits = 400, kMaxColumns = 12;

    using Ends = std::array<CorePoint, MatrixGame::kMaxRows>;
    struct Cell {
        CorePoint middle;
        std::array<double, 3> of_half;
        double bound_m;  // bound of depth plus radius in the cell
        std::size_t limit_count;
        std::array<std::uint16_t, kMaxColumns> limits;  // the bounds that limit it
        std::array<double, kMaxColumns> share;          // and their weights
    };
    static bool allows_less(const Cell& a, const Cell& b) { return a.bound_m < b.bound_m; }

    double tolerance_reached_m() const { return -best_.distance_m() + (1.0 - kToleranceShare) * tolerance_m_; }
    // True if no point outside the solid is as good as the best.
    bool is_inside() const { return -best_.distance_m() > max_radius_m_; }
    std::size_t end_count() const { return std::size_t{1} << core_.axes; }
    Ends ends_of(const CorePoint& middle, const std::array<double, 3>& of_half) const {
        Ends ends;
        for (std::size_t i = 0; i < end_count(); ++i) {
            ends[i] = middle;
            for (std::size_t k = 0; k < core_.axes; ++k)
                ends[i] = moved(ends[i], (i >> k & 1U) != 0 ? of_half[k] : -of_half[k], core_.half[k]);
        }
        return ends;
    }
    Ends ends_of_core() const { return ends_of(core_.middle, {1.0, 1.0, 1.0}); }
    CorePoint mixture(const Ends& ends, const GameSolution& solution) const {
        CorePoint mixed{Vector3d::Zero(), 0.0};
        for (std::size_t i = 0; i < end_count(); ++i) mixed = moved(mixed, solution.row_share[i], ends[i]);
        return mixed;
    }

    // Queries the surface at a point and adds the bounds found. Returns true if the point is the deepest so far.
    bool look(const CorePoint& point) {
        ++query_count_;
        double near_m = kInfinity;
        for (std::size_t i = 0; i < limit_count_; ++i)
            if (limits_[i].is_triangle() && limits_[i].may_be_below(point.at_m, near_m))
                near_m = std::min(near_m, limits_[i].at(point.at_m));
        last_ = {point, tree_.nearest_surface(point.at_m, counts_, near_m * near_m)};
        const MeshTree::SurfacePoint& surface = last_.surface;
        if (surface.distance_m > 0.0) add(Limit::of_empty_ball(point.at_m, surface.distance_m));
        add_empty_box(last_);
        const auto end = limits_.begin() + static_cast<std::ptrdiff_t>(limit_count_);
        if (std::none_of(limits_.begin(), end, [&](const Limit& l) { return l.number() == surface.triangle; }))
            add(Limit::of_triangle(surface.triangle, triangle_of(tree_.mesh(), surface.triangle)));
        if (query_count_ > 1 && !(last_.distance_m() < best_.distance_m())) return false;
        best_ = last_;
        return true;
    }
    // Adds an empty box in front of the surface there: over all of the core, or as much of it as is empty. Not for
    // segments, which are bisected quickly.
    void add_empty_box(const DeepestPoint& found) {
        if (core_.axes < 2) return;
        const Vector3d out = outward_of(found);
        Vector3d side = Vector3d::Zero();
        for (std::size_t k = 0; k < core_.axes; ++k) {
            const Vector3d across = core_.half[k].at_m - out.dot(core_.half[k].at_m) * out;
            if (across.squaredNorm() > side.squaredNorm()) side = across;
        }
        if (!(side.squaredNorm() > 0.0)) return;
        Eigen::Matrix3d axes;
        axes << side.normalized(), out.cross(side).normalized(), out;
        Vector3d low = Vector3d::Zero(), high = Vector3d::Zero();
        const Ends ends = ends_of_core();
        for (std::size_t i = 0; i < end_count(); ++i) {
            const Vector3d at = axes.transpose() * (ends[i].at_m - found.surface.nearest_m);
            low = low.cwiseMin(at);
            high = high.cwiseMax(at);
        }
        const double slack_m = 0.2 * tolerance_m_;
        for (const double part : {1.0, 0.5, 0.25}) {
            // Wider than the core, so that rounding leaves no end of the core beside the box.
            const Vector3d rim_m = Vector3d::Constant(slack_m);
            Vector3d from = part * low - rim_m, to = part * high + rim_m;
            from.z() = slack_m;
            to.z() = std::max(2.0 * slack_m, to.z());
            const Obb box{(found.surface.nearest_m + axes * (0.5 * (from + to))).cast<float>(), axes.cast<float>(),
                          (0.5 * (to - from)).cast<float>()};
            if (tree_.overlaps(box, counts_)) continue;
            add(Limit::of_empty_box(box));
            return;
        }
    }
    static Vector3d outward_of(const DeepestPoint& found) {
        const Vector3d out = found.surface.nearest_m - found.point.at_m;
        const double length = out.norm();
        if (length > 0.0) return (found.surface.distance_m < 0.0 ? 1.0 : -1.0) / length * out;
        return found.surface.outward.normalized();
    }
    bool query_core(CorePoint point) {
        if (core_.nearest != nullptr) point.at_m = core_.nearest(core_.core, point.at_m);
        return look(point);
    }
    void add(const Limit& limit) {
        if (limit_count_ < kMaxLimits) limits_[limit_count_++] = limit;
    }
    struct Allowed {
        std::size_t number;
        double depth_m;
    };
    Allowed min_limit(const Vector3d& at_m) const {
        Allowed least{0, kInfinity};
        for (std::size_t i = 0; i < limit_count_; ++i) {
            if (limits_[i].is_side() || !limits_[i].may_be_below(at_m, least.depth_m)) continue;
            if (const double depth_m = limits_[i].at(at_m); depth_m < least.depth_m) least = {i, depth_m};
        }
        return least;
    }

    // Keeps a cell if it may contain a deeper point.
    void consider(Cell cell) {
        ++considered_;
        if (!may_hold_more(cell)) {
            shown_m_ = std::max(shown_m_, cell.bound_m);
        } else if (cell_count_ == std::ssize(cells_)) {
            is_unfinished_ = true;
        } else {
            cells_[static_cast<std::size_t>(cell_count_++)] = cell;
            std::push_heap(cells_.begin(), cells_.begin() + cell_count_, allows_less);
        }
    }
    // Queries the surface where the bound of the cell is attained, which lowers the bound.
    bool may_hold_more(Cell& cell) {
        const Ends ends = ends_of(cell.middle, cell.of_half);
        MatrixGame game;
        game.rows = end_count();
        // Returns false if this bound alone excludes the cell.
        const auto add_column = [&](std::size_t number) {
            const Limit& limit = limits_[number];
            // If a whole cell is beneath an empty box, the solid in it is beneath the plane of the box's bottom.
            const bool is_plane =
                is_inside() && std::all_of(ends.begin(), ends.begin() + static_cast<std::ptrdiff_t>(game.rows),
                                           [&](const CorePoint& end) { return limit.is_beneath(end.at_m); });
            double max_m = -kInfinity;
            for (std::size_t i = 0; i < game.rows; ++i) {
                const double gain_m = (is_plane ? limit.beneath_m(ends[i].at_m) : limit.at(ends[i].at_m)) +
                                      (limit.is_side() ? cell.bound_m : ends[i].radius_m);
                game.gain[game.columns][i] = gain_m;
                max_m = std::max(max_m, gain_m);
            }
            ++game.columns;
            if (max_m > tolerance_reached_m()) return true;
            cell.bound_m = std::min(cell.bound_m, max_m);
            return false;
        };
        const auto take = [&](std::size_t limit) {
            cell.limits[cell.limit_count++] = static_cast<std::uint16_t>(limit);
            return add_column(limit);
        };
        const auto has = [&](std::size_t limit) {
            const auto end = cell.limits.begin() + static_cast<std::ptrdiff_t>(cell.limit_count);
            return std::find(cell.limits.begin(), end, limit) != end;
        };
        for (std::size_t k = 0; k < cell.limit_count; ++k)
            if (!add_column(cell.limits[k])) return false;
        if (cell.limit_count > 0) {
            // The bounds that limited the whole cell often limit its half.
            std::array<double, MatrixGame::kMaxColumns> share{};
            std::copy(cell.share.begin(), cell.share.end(), share.begin());
            if (const double max_m = max_row_mean(game, share); max_m <= tolerance_reached_m()) {
                cell.bound_m = std::min(cell.bound_m, max_m);
                return false;
            }
        } else if (!take(min_limit(cell.middle.at_m).number)) {
            return false;
        }
        double before_m = kInfinity;
        for (int round = 0; round < kMaxRounds; ++round) {
            const GameSolution most = solve(game);
            const double lowered_m = std::min(0.0, most.value - cell.bound_m);
            cell.bound_m += lowered_m;
            if (cell.bound_m <= tolerance_reached_m()) return false;
            const bool is_little = cell.bound_m > before_m - kLittle * (before_m - tolerance_reached_m());
            before_m = cell.bound_m;
            // Drops bounds that do not limit the value.
            std::size_t kept = 0;
            for (std::size_t k = 0; k < cell.limit_count; ++k) {
                if (!(most.column_share[k] > 0.0)) continue;
                cell.limits[kept] = cell.limits[k];
                cell.share[kept] = most.column_share[k];
                game.gain[kept] = game.gain[k];
                if (limits_[cell.limits[k]].is_side())
                    for (double& gain_m : game.gain[kept]) gain_m += lowered_m;
                ++kept;
            }
            cell.limit_count = game.columns = kept;
            std::fill(cell.share.begin() + static_cast<std::ptrdiff_t>(kept), cell.share.end(), 0.0);
            if (kept == kMaxColumns) break;
            const CorePoint at = mixture(ends, most);
            if (const std::size_t side = side_beyond(at.at_m); side < kMaxLimits) {
                if (!has(side)) {
                    if (!take(side)) return false;
                } else if (is_little) {
                    break;
                }
                continue;
            }
            Allowed least = min_limit(at.at_m);
            if (has(least.number) && least.depth_m + at.radius_m > tolerance_reached_m() && may_query()) {
                query_core(at);
                least = min_limit(at.at_m);
            }
            if (has(least.number)) break;
            if (!take(least.number)) return false;
            if (is_little) break;
        }
        return cell.bound_m > tolerance_reached_m();
    }
    // Returns the axis along which bisection gains most: curved bounds are lower at the ends of a half than at those of
    // the whole. Length also counts a little, because other bounds may become active.
    std::size_t bent_axis(const Cell& cell) const {
        std::size_t axis = 0;
        double max_m = -1.0;
        for (std::size_t k = 0; k < core_.axes; ++k) {
            const Vector3d half_m = cell.of_half[k] * core_.half[k].at_m;
            double bend_m = 0.05 * half_m.norm();
            for (std::size_t i = 0; i < cell.limit_count; ++i) {
                const Limit& limit = limits_[cell.limits[i]];
                const Vector3d& middle_m = cell.middle.at_m;
                bend_m += cell.share[i] *
                          (limit.at(middle_m + half_m) + limit.at(middle_m - half_m) - 2.0 * limit.at(middle_m));
            }
            if (!(bend_m > max_m)) continue;
            max_m = bend_m;
            axis = k;
        }
        return axis;
    }
    bool may_query() const { return query_count_ < kMaxQueries && limit_count_ + 3 <= kMaxLimits; }

    // Returns a side of the core beyond which a point of the box lies, preferably a known one.
    std::size_t side_beyond(const Vector3d& at_m) {
        if (core_.nearest == nullptr) return kMaxLimits;
        // Less than the tolerance, or the bound of a cell this far beyond a side would never come down to it.
        const double by_m = kToleranceShare * tolerance_m_;
        for (std::size_t i = 0; i < limit_count_; ++i)
            if (limits_[i].is_beyond(at_m, by_m)) return i;
        const Vector3d in_core_m = core_.nearest(core_.core, at_m);
        const double beyond_m = (at_m - in_core_m).norm();
        if (limit_count_ == kMaxLimits || !(beyond_m > by_m)) return kMaxLimits;
        add(Limit::of_side((at_m - in_core_m) / beyond_m, in_core_m));
        return limit_count_ - 1;
    }

    // Adds the plane that a convex solid lies below at this surface point. Returns false if it is known.
    bool add_plane(const DeepestPoint& found) {
        const Ends ends = ends_of_core();
        if (planes_.columns == MatrixGame::kMaxColumns) return false;
        const Vector3d out = outward_of(found);
        std::array<double, MatrixGame::kMaxRows>& gain = planes_.gain[planes_.columns];
        for (std::size_t i = 0; i < planes_.rows; ++i)
            gain[i] = out.dot(found.surface.nearest_m - ends[i].at_m) + ends[i].radius_m;
        for (std::size_t k = 0; k < planes_.columns; ++k) {
            double apart_m = 0.0;
            for (std::size_t i = 0; i < planes_.rows; ++i)
                apart_m = std::max(apart_m, std::abs(planes_.gain[k][i] - gain[i]));
            if (apart_m <= tolerance_m_) return false;
        }
        ++planes_.columns;
        return true;
    }

    const MeshTree& tree_;
    const BoxedCore& core_;
    MeshTreeCounts& counts_;
    double size_m_ = 0.0, tolerance_m_ = 0.0, max_radius_m_ = 0.0;
    DeepestPoint best_, last_;
    std::array<Limit, kMaxLimits> limits_;
    std::size_t limit_count_ = 0;
    MatrixGame planes_;
    std::array<Cell, 256> cells_;  // that may contain a deeper point
    std::ptrdiff_t cell_count_ = 0;
    double shown_m_ = -kInfinity;  // bound of all discarded cells
    int query_count_ = 0, considered_ = 0;
    bool is_unfinished_ = false;
};

}  // namespace

DeepestPoint deepest_point(const MeshTree& tree, const BoxedCore& core, MeshTreeCounts& counts) {
    Search search(tree, core, counts);
    if (search.size_m() == 0.0) return search.best();
    search.cut();
    search.divide();
    search.center();
    return search.best();
}

}  // namespace glovebox::collision
