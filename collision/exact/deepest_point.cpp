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
        last_ = plane_of(found);
        if (looks_ > 1 && !(found.distance_m() < best_.distance_m())) return false;
        best_ = found;
        best_plane_ = last_;
        return true;
    }
    // False only if the point is not deeper, or not by what is worth a look; whether any is inside always is.
    bool may_be_deeper(const CoreCorner& point) const {
        const double by_m = best_.surface.distance_m > 0.0 ? 0.0 : kWorthIt * size_m_;
        const double reach_m = by_m - best_.distance_m() - point.radius_m;
        return !(reach_m > 0.0 && seen_.within(point.at_m, reach_m));
    }

    // To the deepest point that the planes allow, and again with the plane there.
    void cut() {
        plane_count_ = 0;
        add(best_plane_);
        while (may_look() && plane_count_ < kMostPlanes) {
            double allowed_m = 0.0;
            const CoreCorner next = most_allowed(allowed_m);
            if (!(allowed_m > -best_.distance_m() + kTolerance * size_m_)) return;
            look(next);
            add(last_);
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
            add(last_);
        }
    }
    // Towards each corner, with steps down to a hundredth: for solids where planes say too little.
    bool step() {
        const double before_m = best_.distance_m();
        for (double part = 0.5; part > 0.01; part *= 0.5)
            for (const CoreCorner& corner : corners_) {
                const CoreCorner from = best_.point;
                const CoreCorner next{from.at_m + part * (corner.at_m - from.at_m),
                                      from.radius_m + part * (corner.radius_m - from.radius_m)};
                if (may_look() && may_be_deeper(next)) look(next);
            }
        return best_.distance_m() < before_m - kWorthIt * size_m_;
    }

  private:
    // Of the core's size.
    static constexpr double kTolerance = 1e-4, kGiven = 1e-2, kWorthIt = 1e-3;
    static constexpr double kHolds = 0.1;  // of what all planes do: a side that is nearly along does little
    static constexpr int kMostLooks = 96;

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
                entry(j, k) = planes_[k].height_m - planes_[k].normal.dot(corners_[j].at_m) + corners_[j].radius_m;
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
            const CoreCorner& corner = corners_[in_column[k] - columns];
            sum += entry(rows, k);
            mixture.at_m += entry(rows, k) * corner.at_m;
            mixture.radius_m += entry(rows, k) * corner.radius_m;
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
    DeepestPoint best_;
    Plane best_plane_, last_;
    std::array<Plane, kMostPlanes> planes_;
    std::array<bool, kMostPlanes> holds_{};
    std::size_t plane_count_ = 0;
    int looks_ = 0;
};

}  // namespace

DeepestPoint deepest_point(const MeshTree& tree, std::span<const CoreCorner> corners,
                           std::span<const CoreCorner> starts, std::span<double> scratch, MeshTreeCounts& counts) {
    assert(!starts.empty() && scratch.size() >= deepest_scratch(corners.size()));
    Search search(tree, corners, scratch, counts);
    search.look(starts.front());
    if (search.size_m() == 0.0) return search.best();
    search.cut();
    for (const CoreCorner& start : starts.subspan(1))
        if (search.may_look() && search.may_be_deeper(start) && search.look(start)) search.cut();
    while (search.step()) search.cut();
    search.center();
    return search.best();
}

}  // namespace glovebox::collision
