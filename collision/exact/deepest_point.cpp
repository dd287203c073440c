#include "collision/exact/deepest_point.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>

namespace glovebox::collision {
namespace {

using Eigen::Vector3d;

// Triangles that were nearest to points asked before: nothing is further from the surface than from any of them.
class SeenTriangles {
  public:
    void add(const Mesh& mesh, std::int32_t triangle) {
        const auto end = number_.begin() + count_;
        if (triangle < 0 || std::find(number_.begin(), end, triangle) != end) return;
        number_[static_cast<std::size_t>(next_)] = triangle;
        corners_[static_cast<std::size_t>(next_)] = triangle_of(mesh, triangle);
        next_ = (next_ + 1) % kMost;
        count_ = std::min(count_ + 1, kMost);
    }
    // Of the nearest of them; infinite if there are none.
    double distance2(const Vector3d& point_m) const {
        double least2 = std::numeric_limits<double>::infinity();
        for (int i = 0; i < count_; ++i) least2 = std::min(least2, distance2_to(i, point_m));
        return least2;
    }
    // Is one of them as near?
    bool within(const Vector3d& point_m, double reach_m) const {
        for (int i = count_ - 1; i >= 0; --i)
            if (distance2_to(i, point_m) <= reach_m * reach_m) return true;
        return false;
    }

  private:
    double distance2_to(int i, const Vector3d& point_m) const {
        return (closest_on_triangle(point_m, corners_[static_cast<std::size_t>(i)]).point - point_m).squaredNorm();
    }

    static constexpr int kMost = 24;
    std::array<std::int32_t, kMost> number_;
    std::array<Triangle, kMost> corners_;
    int count_ = 0, next_ = 0;
};

// A point of the solid lies below it, where the solid is convex.
struct Plane {
    Vector3d normal;
    double height_m;
};

class Search {
  public:
    Search(const MeshTree& tree, std::span<const CoreCorner> corners, std::span<double> scratch, MeshTreeCounts& counts)
        : tree_(tree), corners_(corners), scratch_(scratch), counts_(counts) {
        for (const CoreCorner& corner : corners)
            size_m_ = std::max(size_m_, (corner.at_m - corners.front().at_m).norm());
    }

    const DeepestPoint& best() const { return best_; }
    bool may_look() const { return looks_ < kMostLooks; }
    double size_m() const { return size_m_; }

    // True if nothing deeper has been looked at.
    bool look(const CoreCorner& point) {
        ++looks_;
        const MeshTree::SurfacePoint surface = tree_.nearest_surface(point.at_m, counts_, seen_.distance2(point.at_m));
        seen_.add(tree_.mesh(), surface.triangle);
        const DeepestPoint found{point, surface};
        last_ = found;
        note(plane_of(found), surface.nearest_m);
        if (looks_ > 1 && !(found.distance_m() < best_.distance_m())) return false;
        best_ = found;
        return true;
    }
    // False only if the point is not deeper, or not by what is worth a look; whether any is inside always is.
    bool may_be_deeper(const CoreCorner& point) const {
        const double by_m = best_.surface.distance_m > 0.0 ? 0.0 : kWorthIt * size_m_;
        const double reach_m = by_m - best_.distance_m() - point.radius_m;
        return !(reach_m > 0.0 && seen_.within(point.at_m, reach_m));
    }

    // To the deepest point that the planes allow, and again with the plane there: in the core, or in as small a copy of
    // it round the best point.
    void cut(double part = 1.0) {
        anchor_ = best_.point;
        part_ = part;
        plane_count_ = 0;
        add(plane_of(best_));
        while (may_look() && plane_count_ < kMostPlanes) {
            double allowed_m = 0.0;
            const CoreCorner next = most_allowed(allowed_m);
            if (!(allowed_m > -best_.distance_m() + kTolerance * size_m_)) return;
            look(next);
            add(plane_of(last_));
        }
    }
    // Uphill where the solid is not convex: planes hold about as far as the surface is away.
    void climb() {
        while (may_look() && best_.surface.distance_m < 0.0) {
            const double before_m = best_.distance_m();
            cut(std::clamp(-kClimb * best_.surface.distance_m / size_m_, kWorthIt, 1.0));
            if (!(best_.distance_m() < before_m - kWorthIt * size_m_)) return;
        }
    }
    // A palm that lies flat is as deep all over: of points that are, one whose nearest surface is not as near on
    // another side too. Planes that do not hold the depth down are kept off while those that do give by what is allowed
    // anyway.
    void center() {
        cut();
        const double depth_m = -best_.surface.distance_m;
        if (plane_count_ < 2 || !(depth_m > 0.0)) return;
        double allowed_m = 0.0;
        most_allowed(allowed_m);
        for (int i = 0; i < 8 && may_look() && plane_count_ < kMostPlanes; ++i) {
            const DeepestPoint deepest = best_;
            best_.surface.distance_m += std::min(kTolerance * size_m_, 0.5 * depth_m);
            double margin_m = allowed_m;
            if (look(most_allowed(margin_m, 1.0 / kGiven))) return;
            best_ = deepest;
            add(plane_of(last_));
        }
    }
    // Halves the core until no part can hold what is deeper by as much as is worth it.
    void divide(const RoundCore& round, const IntoCore& into_core) {
        round_ = &round;
        into_core_ = &into_core;
        part_count_ = 0;
        consider({round.middle, {1.0, 1.0, 1.0}, std::numeric_limits<double>::infinity(), best_.surface.triangle});
        while (part_count_ > 0 && may_divide()) {
            const auto end = parts_.begin() + part_count_;
            const auto most = std::max_element(parts_.begin(), end,
                                               [](const Part& a, const Part& b) { return a.bound_m < b.bound_m; });
            Part part = *most;
            *most = *(end - 1);
            --part_count_;
            if (part.bound_m <= good_enough_m()) return;
            const auto length_m = [&](std::size_t k) { return part.of_half[k] * round.half[k].at_m.norm(); };
            std::size_t longest = 0;
            for (std::size_t k = 1; k < round.axes; ++k)
                if (length_m(k) > length_m(longest)) longest = k;
            part.of_half[longest] *= 0.5;
            for (const double side : {-1.0, 1.0}) {
                Part half = part;
                half.middle = moved(part.middle, side * part.of_half[longest], round.half[longest]);
                consider(half);
            }
        }
    }

  private:
    // Of the core's size.
    static constexpr double kTolerance = 1e-4, kGiven = 1e-2, kWorthIt = 1e-3;
    static constexpr double kHolds = 0.1;  // of what all planes do: a side that is nearly along does little
    static constexpr double kClimb = 1.5;  // of the depth: much more looks beyond the other side of a peg
    // The last ones are for center(). A stick is soon divided; of what is larger not much is, as long as the solid has
    // looked convex: planes have searched that.
    static constexpr int kMostLooks = 96, kMostDividing = 80, kMostDividingConvex = 16;

    // A part of the box round the core.
    struct Part {
        CoreCorner middle;
        std::array<double, 3> of_half;
        double bound_m;         // depth and radius: no point in it has more
        std::int32_t triangle;  // that was nearest to a point in it, or near it
    };
    static CoreCorner moved(const CoreCorner& from, double by, const CoreCorner& way) {
        return {from.at_m + by * way.at_m, from.radius_m + by * way.radius_m};
    }
    bool may_divide() const { return looks_ < (convex_ && round_->axes > 1 ? kMostDividingConvex : kMostDividing); }
    double good_enough_m() const { return -best_.distance_m() + kWorthIt * size_m_; }

    // Looks at the middle of a part and where its bound is attained, and keeps it if it may still hold more.
    void consider(Part part) {
        std::array<CoreCorner, 8> ends;
        const std::size_t count = std::size_t{1} << round_->axes;
        double reach_m = 0.0;
        for (std::size_t i = 0; i < count; ++i) {
            ends[i] = part.middle;
            for (std::size_t k = 0; k < round_->axes; ++k)
                ends[i] = moved(ends[i], (i >> k & 1U) != 0 ? part.of_half[k] : -part.of_half[k], round_->half[k]);
            reach_m = std::max(reach_m, (ends[i].at_m - part.middle.at_m).norm());
        }
        // Bounds are convex functions of the point: at an end they are largest.
        double depth_m = std::numeric_limits<double>::infinity();
        std::size_t furthest = 0;
        const auto bound_by = [&](const auto& depth_at) {
            double deepest_m = -std::numeric_limits<double>::infinity(), most_m = deepest_m;
            std::size_t most = 0;
            for (std::size_t i = 0; i < count; ++i) {
                const double at_end_m = depth_at(ends[i].at_m);
                deepest_m = std::max(deepest_m, at_end_m);
                if (at_end_m + ends[i].radius_m <= most_m) continue;
                most_m = at_end_m + ends[i].radius_m;
                most = i;
            }
            depth_m = std::min(depth_m, deepest_m);
            if (most_m >= part.bound_m) return;
            part.bound_m = most_m;
            furthest = most;
        };
        const auto bound_by_triangle = [&](std::int32_t number) {
            if (number < 0) return;
            const Triangle triangle = triangle_of(tree_.mesh(), number);
            bound_by([&](const Vector3d& end) { return (closest_on_triangle(end, triangle).point - end).norm(); });
        };
        const auto is_done = [&] { return part.bound_m <= good_enough_m() || depth_m <= kTolerance * size_m_; };
        // True if nothing more is to be looked at.
        const auto look_at = [&](CoreCorner point, double within_m) {
            if (into_core_->call != nullptr && !into_core_->call(into_core_->core, point.at_m, within_m)) return true;
            const bool is_deeper = look(point);
            const MeshTree::SurfacePoint surface = last_.surface;
            bound_by([&](const Vector3d& end) { return (end - point.at_m).norm() - surface.distance_m; });
            if (surface.distance_m <= 0.0) bound_by_triangle(surface.triangle);
            part.triangle = surface.triangle;
            if (is_deeper) climb();
            return is_done();
        };
        bound_by_triangle(part.triangle);
        if (best_.surface.triangle != part.triangle) bound_by_triangle(best_.surface.triangle);
        if (is_done() || !may_divide() || look_at(part.middle, reach_m)) return;
        if (may_divide() && may_be_deeper(ends[furthest]) && look_at(ends[furthest], 2.0 * reach_m)) return;
        if (part_count_ < std::ssize(parts_)) parts_[static_cast<std::size_t>(part_count_++)] = part;
    }

    // Does any point of the surface lie beyond a plane that a convex solid would be below?
    void note(const Plane& plane, const Vector3d& on_surface) {
        if (!convex_) return;
        const double slack_m = kTolerance * size_m_;
        const auto last = static_cast<std::size_t>(looks_ - 1);
        noted_[last] = plane;
        noted_points_[last] = on_surface;
        for (std::size_t i = 0; i < last; ++i)
            if (plane.normal.dot(noted_points_[i]) > plane.height_m + slack_m ||
                noted_[i].normal.dot(on_surface) > noted_[i].height_m + slack_m)
                convex_ = false;
    }

    static Plane plane_of(const DeepestPoint& found) {
        Vector3d out = found.surface.nearest_m - found.point.at_m;
        const double length = out.norm();
        if (length > 0.0)
            out *= (found.surface.distance_m < 0.0 ? 1.0 : -1.0) / length;
        else
            out = found.surface.outward.normalized();
        return {out, out.dot(found.surface.nearest_m)};
    }
    void add(const Plane& plane) {
        if (plane_count_ < kMostPlanes) planes_[plane_count_++] = plane;
    }

    CoreCorner corner(std::size_t j) const {
        return {anchor_.at_m + part_ * (corners_[j].at_m - anchor_.at_m),
                anchor_.radius_m + part_ * (corners_[j].radius_m - anchor_.radius_m)};
    }
    // The mixture of corners at which the least of the planes allows most: a matrix game, solved by the simplex method
    // from the planes' side, where doing nothing is a start. Rows are corners, columns planes, and behind them what is
    // left of each row; the last row is what a plane still gains. A pivot exchanges a row and a column in place. With a
    // weight, how far planes are from `allowed_m`, and those that held it there last time count so much more.
    CoreCorner most_allowed(double& allowed_m, double weight = 0.0) {
        const std::size_t rows = corners_.size(), columns = plane_count_, width = columns + 2, label = columns + 1;
        const auto entry = [&](std::size_t row, std::size_t column) -> double& {
            return scratch_[row * width + column];
        };
        double least_m = std::numeric_limits<double>::infinity();
        for (std::size_t j = 0; j < rows; ++j)
            for (std::size_t k = 0; k < columns; ++k) {
                entry(j, k) = planes_[k].height_m - planes_[k].normal.dot(corner(j).at_m) + corner(j).radius_m;
                if (weight > 0.0) {
                    entry(j, k) -= allowed_m;
                    if (holds_[k]) entry(j, k) = weight * (entry(j, k) + kTolerance * size_m_);
                }
                least_m = std::min(least_m, entry(j, k));
            }
        // All positive, in sizes of the core.
        const double shift_m = size_m_ - least_m;
        std::array<std::size_t, kMostPlanes> in_column;
        for (std::size_t j = 0; j < rows; ++j) {
            for (std::size_t k = 0; k < columns; ++k) entry(j, k) = (entry(j, k) + shift_m) / size_m_;
            entry(j, columns) = 1.0;
            entry(j, label) = static_cast<double>(columns + j);
        }
        for (std::size_t k = 0; k < columns; ++k) {
            entry(rows, k) = -1.0;
            in_column[k] = k;
        }
        entry(rows, columns) = 0.0;
        for (std::size_t round = 0; round < 4 * kMostPlanes; ++round) {
            std::size_t column = 0, row = rows;
            for (std::size_t k = 1; k < columns; ++k)
                if (entry(rows, k) < entry(rows, column)) column = k;
            if (!(entry(rows, column) < -1e-10)) break;
            double least = std::numeric_limits<double>::infinity();
            for (std::size_t j = 0; j < rows; ++j)
                if (entry(j, column) > 1e-10 && entry(j, columns) < least * entry(j, column)) {
                    least = entry(j, columns) / entry(j, column);
                    row = j;
                }
            if (row == rows) break;
            const double pivot = entry(row, column);
            for (std::size_t k = 0; k <= columns; ++k)
                if (k != column) entry(row, k) /= pivot;
            for (std::size_t j = 0; j <= rows; ++j) {
                const double by = entry(j, column);
                if (j == row || by == 0.0) continue;
                for (std::size_t k = 0; k <= columns; ++k)
                    if (k != column) entry(j, k) -= by * entry(row, k);
                entry(j, column) = -by / pivot;
            }
            entry(row, column) = 1.0 / pivot;
            const auto was = static_cast<std::size_t>(entry(row, label));
            entry(row, label) = static_cast<double>(in_column[column]);
            in_column[column] = was;
        }
        if (weight == 0.0) holds_.fill(false);
        for (std::size_t j = 0; j < rows && weight == 0.0; ++j)
            if (const auto plane = static_cast<std::size_t>(entry(j, label));
                plane < columns && entry(j, columns) > kHolds * entry(rows, columns))
                holds_[plane] = true;
        CoreCorner mixture{Vector3d::Zero(), 0.0};
        double sum = 0.0;
        for (std::size_t k = 0; k < columns; ++k) {
            if (in_column[k] < columns || !(entry(rows, k) > 0.0)) continue;
            const CoreCorner mixed = corner(in_column[k] - columns);
            sum += entry(rows, k);
            mixture.at_m += entry(rows, k) * mixed.at_m;
            mixture.radius_m += entry(rows, k) * mixed.radius_m;
        }
        if (!(sum > 0.0)) return best_.point;
        allowed_m = size_m_ / sum - shift_m;
        return {mixture.at_m / sum, mixture.radius_m / sum};
    }

    const MeshTree& tree_;
    std::span<const CoreCorner> corners_;
    std::span<double> scratch_;
    MeshTreeCounts& counts_;
    double size_m_ = 0.0;
    SeenTriangles seen_;
    DeepestPoint best_, last_;
    CoreCorner anchor_{Vector3d::Zero(), 0.0};
    double part_ = 1.0;
    std::array<Plane, kMostPlanes> planes_;
    std::array<bool, kMostPlanes> holds_{};
    std::size_t plane_count_ = 0;
    const RoundCore* round_ = nullptr;
    const IntoCore* into_core_ = nullptr;
    std::array<Part, kMostLooks> parts_;
    std::ptrdiff_t part_count_ = 0;
    std::array<Plane, kMostLooks> noted_;
    std::array<Vector3d, kMostLooks> noted_points_;
    bool convex_ = true;  // as far as has been seen
    int looks_ = 0;
};

}  // namespace

DeepestPoint deepest_point(const MeshTree& tree, std::span<const CoreCorner> corners, const RoundCore& round,
                           std::span<const CoreCorner> starts, std::span<double> scratch, MeshTreeCounts& counts,
                           IntoCore into_core) {
    assert(!starts.empty() && scratch.size() >= deepest_scratch(corners.size()));
    Search search(tree, corners, scratch, counts);
    search.look(starts.front());
    if (search.size_m() == 0.0) return search.best();
    search.cut();
    for (const CoreCorner& start : starts.subspan(1))
        if (search.may_look() && search.may_be_deeper(start) && search.look(start)) search.climb();
    search.divide(round, into_core);
    search.center();
    return search.best();
}

}  // namespace glovebox::collision
