#include "collision/mesh/fit/dito.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "collision/mesh/fit/fitter.h"

namespace glovebox::collision {
namespace {

using Eigen::Matrix3f;
using Eigen::Vector3d;
using Eigen::Vector3f;

// Both of unit length; `up` is made perpendicular to `along`.
Matrix3f frame(const Vector3d& along, const Vector3d& up) {
    Eigen::Matrix3d axes;
    axes.col(0) = along;
    axes.col(1) = up.cross(along).normalized();
    axes.col(2) = along.cross(axes.col(1));
    return axes.cast<float>();
}

// The smallest box so far and its frame.
struct Best {
    const PointSet& selected;
    Matrix3f axes = Matrix3f::Identity();
    float half_area_m2;

    explicit Best(const PointSet& points) : selected(points), half_area_m2(ranges_along(points, axes).half_area_m2()) {}

    void try_axes(const Matrix3f& candidate) {
        const float candidate_m2 = ranges_along(selected, candidate).half_area_m2();
        if (!(candidate_m2 < half_area_m2)) return;
        half_area_m2 = candidate_m2;
        axes = candidate;
    }

    // Tries frames flush with the face a, b, c and each of its edges. Computes in double: in float the normal of a thin
    // face would tilt, and the squares of a tiny face's edges would underflow.
    void try_face(const Vector3f& a, const Vector3f& b, const Vector3f& c) {
        const Vector3d at[3] = {a.cast<double>(), b.cast<double>(), c.cast<double>()};
        const Vector3d edges[3] = {at[1] - at[0], at[2] - at[1], at[0] - at[2]};
        Vector3d normal = edges[0].cross(edges[1]);
        const double longest_m2 = std::max({edges[0].squaredNorm(), edges[1].squaredNorm(), edges[2].squaredNorm()});
        // The corners of a needle are too coarse for a reliable normal.
        if (!(normal.squaredNorm() > 1e-8 * longest_m2 * longest_m2)) return;
        normal.normalize();
        for (const Vector3d& edge : edges) try_axes(frame(edge.normalized(), normal));
    }
};

}  // namespace

PointSet extreme_points(const PointSet& points, const Extremes& found, int direction_count) {
    std::array<std::int32_t, 2 * kMaxDirections> numbers;
    const auto n = static_cast<std::size_t>(direction_count);
    std::copy_n(found.lowest.begin(), n, numbers.begin());
    std::copy_n(found.highest.begin(), n, numbers.begin() + direction_count);
    const auto end = numbers.begin() + 2 * direction_count;
    std::sort(numbers.begin(), end);
    PointSet selected;
    selected.assign(points, {numbers.begin(), std::unique(numbers.begin(), end)});
    return selected;
}

Matrix3f best_dito_axes(const PointSet& points, const Extremes& found, const PointSet& selected, int direction_count) {
    Best best(selected);

    // Base triangle: the longest pair of extreme points, and the selected point farthest from its line.
    Vector3f p0 = Vector3f::Zero(), p1 = Vector3f::Zero();
    for (std::size_t k = 0; k < static_cast<std::size_t>(direction_count); ++k) {
        const Vector3f low = points.local_m(static_cast<std::size_t>(found.lowest[k]));
        const Vector3f high = points.local_m(static_cast<std::size_t>(found.highest[k]));
        if ((high - low).squaredNorm() > (p1 - p0).squaredNorm()) {
            p0 = low;
            p1 = high;
        }
    }
    const Vector3f edge = p1 - p0;
    const float length_m2 = edge.squaredNorm();
    if (!(length_m2 > 0.0F)) return best.axes;
    Vector3f p2 = p0;
    float furthest_m2 = 0.0F;
    for (std::size_t i = 0; i < selected.size(); ++i) {
        const Vector3f offset = selected.local_m(i) - p0;
        const float distance_m2 = (offset - edge * (edge.dot(offset) / length_m2)).squaredNorm();
        if (distance_m2 > furthest_m2) {
            furthest_m2 = distance_m2;
            p2 = selected.local_m(i);
        }
    }
    if (!(furthest_m2 > 1e-8F * length_m2)) {  // all on one line
        const Vector3d along = edge.cast<double>().normalized();
        best.try_axes(frame(along, along.unitOrthogonal()));
        return best.axes;
    }
    best.try_face(p0, p1, p2);

    // One tetrahedron to each side of the base.
    const Vector3f normal = edge.cross(p2 - p0).normalized();
    Vector3f tops[2] = {p0, p0};
    float low_m = 0.0F, high_m = 0.0F;
    for (std::size_t i = 0; i < selected.size(); ++i) {
        const float height_m = normal.dot(selected.local_m(i) - p0);
        if (height_m < low_m) {
            low_m = height_m;
            tops[0] = selected.local_m(i);
        }
        if (height_m > high_m) {
            high_m = height_m;
            tops[1] = selected.local_m(i);
        }
    }
    for (int side = 0; side < 2; ++side) {
        if (side == 0 ? low_m == 0.0F : high_m == 0.0F) continue;
        best.try_face(p0, p1, tops[side]);
        best.try_face(p1, p2, tops[side]);
        best.try_face(p2, p0, tops[side]);
    }
    return best.axes;
}

namespace {

FittedBox fit_dito(const FitInput& input, int direction_count) {
    const Extremes found = extremes(input.points, direction_count);
    const PointSet selected = extreme_points(input.points, found, direction_count);
    const Matrix3f axes = best_dito_axes(input.points, found, selected, direction_count);
    // The candidates were measured on the selected points; for all points the mesh's own axes may be better.
    const Obb box = enclose(input.points, axes), aligned = enclose(input.points, Matrix3f::Identity());
    return {aligned.area_m2() < box.area_m2() ? aligned : box};
}

}  // namespace

FittedBox fit_dito14(const FitInput& input) {
    return fit_dito(input, 7);
}

FittedBox fit_dito26(const FitInput& input) {
    return fit_dito(input, 13);
}

}  // namespace glovebox::collision
