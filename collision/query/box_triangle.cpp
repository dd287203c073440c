#include "collision/query/box_triangle.h"

#include <algorithm>
#include <cmath>

namespace glovebox::collision {
namespace {

using Eigen::Vector3d;

// A box and a triangle in the box's frame, where the box extends from -half to half.
struct TriangleInBox {
    Vector3d half;
    Triangle corner, edge;

    TriangleInBox(const Obb& box, const Triangle& triangle) : half(box.half_m.cast<double>()) {
        const Eigen::Matrix3d box_from_mesh = box.axes.transpose().cast<double>();
        const Vector3d center = box.center_m.cast<double>();
        for (std::size_t i = 0; i < 3; ++i) corner[i] = box_from_mesh * (triangle[i] - center);
        edge = {corner[1] - corner[0], corner[2] - corner[1], corner[0] - corner[2]};
    }
};

// Returns the direction from the box to the triangle.
Vector3d normal_of(const TriangleInBox& in, const AxisGap& along) {
    Vector3d normal = along.axis < 0 ? Vector3d(in.edge[0].cross(in.edge[1])) : Vector3d(Vector3d::Unit(along.axis));
    if (along.edge >= 0) normal = Vector3d::Unit(along.axis).cross(in.edge[static_cast<std::size_t>(along.edge)]);
    return (along.against ? -1.0 : 1.0) * normal.normalized();
}

// Computes the two points that are as far apart as the gap. Returns false if they are not a single pair of corners or
// edges, or lie elsewhere.
bool on_axis(const Obb& box, const Triangle& triangle, const AxisGap& along, ConvexPair& pair) {
    const TriangleInBox in(box, triangle);
    if (!has_area(triangle)) return false;
    const Vector3d normal = normal_of(in, along);
    // Differences below this along the normal count as level: then the farthest corner is not known.
    constexpr double kLevel = 1e-7;
    const double size = in.half.norm() + in.edge[0].norm() + in.edge[1].norm();
    Vector3d on_box, on_triangle;
    if (along.axis >= 0 && along.edge < 0) {
        std::array<std::size_t, 3> order = {0, 1, 2};
        std::sort(order.begin(), order.end(),
                  [&](std::size_t a, std::size_t b) { return normal.dot(in.corner[a]) < normal.dot(in.corner[b]); });
        if (normal.dot(in.corner[order[1]] - in.corner[order[0]]) < kLevel * size) return false;
        on_triangle = in.corner[order[0]];
        on_box = on_triangle - along.gap_m * normal;
    } else if (along.edge < 0) {
        if (normal.cwiseAbs().minCoeff() < kLevel) return false;
        on_box = normal.cwiseSign().cwiseProduct(in.half);
        on_triangle = on_box + along.gap_m * normal;
    } else {
        const auto i = static_cast<std::size_t>(along.edge);
        const int k1 = (along.axis + 1) % 3, k2 = (along.axis + 2) % 3;
        if (std::min(std::abs(normal[k1]), std::abs(normal[k2])) < kLevel) return false;
        // The nearest points of both edges' lines after they are brought together.
        Vector3d middle = normal.cwiseSign().cwiseProduct(in.half);
        middle[along.axis] = 0.0;
        const Vector3d half_edge = Vector3d::Unit(along.axis) * in.half[along.axis], shift = along.gap_m * normal;
        const SegmentParameters nearest = closest_segment_parameters(
            middle - half_edge, middle + half_edge, in.corner[i] - shift, in.corner[(i + 1) % 3] - shift);
        on_triangle = in.corner[i] + nearest.t * in.edge[i];
        on_box = on_triangle - shift;
    }
    // The points of an overlap are on box and triangle, except for rounding.
    if (!((on_box.cwiseAbs() - in.half).maxCoeff() <= kLevel * size)) return false;
    const Vector3d across = in.edge[0].cross(in.edge[1]);
    for (std::size_t i = 0; i < 3; ++i)
        if (!(across.cross(in.edge[i]).dot(on_triangle - in.corner[i]) >=
              -kLevel * size * across.norm() * in.edge[i].norm()))
            return false;
    const Eigen::Matrix3d axes = box.axes.cast<double>();
    const Vector3d center = box.center_m.cast<double>();
    pair = {along.gap_m, axes * normal, axes * on_box + center, axes * on_triangle + center};
    return true;
}

}  // namespace

AxisGap gap_along_axes(const Obb& box, const Triangle& triangle) {
    const TriangleInBox in(box, triangle);
    AxisGap best{-std::numeric_limits<double>::infinity()};
    // Distance from the triangle's lowest to the box's highest point, and vice versa.
    const auto consider = [&](double low, double high, double reach, double length, int edge, int axis) {
        const double gap = (std::max(low, -high) - reach) / length;
        if (gap > best.gap_m) best = {gap, edge, axis, -high > low};
    };
    const Vector3d low = in.corner[0].cwiseMin(in.corner[1]).cwiseMin(in.corner[2]);
    const Vector3d high = in.corner[0].cwiseMax(in.corner[1]).cwiseMax(in.corner[2]);
    for (int k = 0; k < 3; ++k) consider(low[k], high[k], in.half[k], 1.0, -1, k);

    // If the corners are nearly collinear, this is no normal: they are not equally far along it.
    const Vector3d normal = in.edge[0].cross(in.edge[1]);
    if (const double length = normal.norm(); length > 0.0) {
        const double a = normal.dot(in.corner[0]), b = normal.dot(in.corner[1]), c = normal.dot(in.corner[2]);
        consider(std::min({a, b, c}), std::max({a, b, c}), normal.cwiseAbs().dot(in.half), length, -1, -1);
    }

    // Across edge i and the box's axis k. Both ends of the edge project to the same value there.
    for (std::size_t i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            const int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            const double x = -in.edge[i][k2], y = in.edge[i][k1];
            const double length2 = x * x + y * y;
            if (!(length2 > 1e-12 * in.edge[i].squaredNorm())) continue;  // parallel: one of the axes above
            const auto at = [&](const Vector3d& point) { return x * point[k1] + y * point[k2]; };
            const double on_edge = at(in.corner[i]), other = at(in.corner[(i + 2) % 3]);
            consider(std::min(on_edge, other), std::max(on_edge, other),
                     in.half[k1] * std::abs(x) + in.half[k2] * std::abs(y), std::sqrt(length2), static_cast<int>(i), k);
        }
    return best;
}

bool has_area(const Triangle& triangle) {
    const Vector3d ab = triangle[1] - triangle[0], bc = triangle[2] - triangle[1];
    return ab.cross(bc).squaredNorm() > 1e-12 * ab.squaredNorm() * bc.squaredNorm();
}

double rounding_of_gap(const Obb& box) {
    return 1e-6 * double{box.half_m.norm() + box.center_m.cwiseAbs().maxCoeff()};
}

ConvexPair closest(const Obb& box, const Triangle& triangle, const AxisGap& along) {
    if (ConvexPair pair; on_axis(box, triangle, along, pair)) return pair;
    return closest(ConvexCore(box), ConvexCore(triangle));
}

}  // namespace glovebox::collision
