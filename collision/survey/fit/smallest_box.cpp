#include "collision/survey/fit/smallest_box.h"

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <set>
#include <vector>

#include "collision/box/convex_hull.h"
#include "collision/mesh/fit/point_set.h"

namespace glovebox::collision {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

double volume_in(const Matrix3d& axes, std::span<const Vector3d> points) {
    Vector3d low = axes.transpose() * points.front(), high = low;
    for (const Vector3d& point : points) {
        const Vector3d p = axes.transpose() * point;
        low = low.cwiseMin(p);
        high = high.cwiseMax(p);
    }
    return (high - low).prod();
}

// Computes a frame in which one face contains edge 1: its normal is rotated about that edge by the parameter. The next
// face contains edge 2: its normal is perpendicular to both the first normal and that edge.
bool frame_at(const Vector3d& edge_1, const Vector3d& edge_2, double angle_rad, Matrix3d& axes) {
    const Vector3d across = edge_1.unitOrthogonal();
    const Vector3d normal_1 = std::cos(angle_rad) * across + std::sin(angle_rad) * edge_1.cross(across);
    Vector3d normal_2 = normal_1.cross(edge_2);
    if (normal_2.squaredNorm() < 1e-16) return false;
    normal_2.normalize();
    axes << normal_1, normal_2, normal_1.cross(normal_2);
    return true;
}

}  // namespace

Obb smallest_box(std::span<const Eigen::Vector3f> points_m, int scan) {
    const HullSurface hull = hull_surface(points_m);
    std::vector<Vector3d> corners;
    for (const std::int32_t i : hull.from)
        corners.push_back((points_m[static_cast<std::size_t>(i)] - points_m.front()).cast<double>());

    // Edges of the hull; a flat hull has none, so every pair of corners is used instead.
    std::set<std::pair<std::int32_t, std::int32_t>> pairs;
    for (const auto& facet : hull.facets)
        for (std::size_t k = 0; k < 3; ++k) pairs.insert(std::minmax(facet[k], facet[(k + 1) % 3]));
    if (hull.facets.empty())
        for (std::int32_t a = 0; a < static_cast<std::int32_t>(corners.size()); ++a)
            for (std::int32_t b = a + 1; b < static_cast<std::int32_t>(corners.size()); ++b) pairs.insert({a, b});
    std::vector<Vector3d> edges;
    for (const auto& [a, b] : pairs) {
        const Vector3d edge = corners[static_cast<std::size_t>(b)] - corners[static_cast<std::size_t>(a)];
        if (edge.norm() > 0.0) edges.push_back(edge.normalized());
    }

    Matrix3d best = Matrix3d::Identity();
    double best_m3 = volume_in(best, corners);
    for (const Vector3d& edge_1 : edges)
        for (const Vector3d& edge_2 : edges) {
            const double step_rad = std::numbers::pi / scan;
            const auto volume_at = [&](double angle_rad) {
                Matrix3d axes;
                return frame_at(edge_1, edge_2, angle_rad, axes) ? volume_in(axes, corners)
                                                                 : std::numeric_limits<double>::infinity();
            };
            std::vector<double> volumes(static_cast<std::size_t>(scan));
            for (int i = 0; i < scan; ++i) volumes[static_cast<std::size_t>(i)] = volume_at(i * step_rad);
            for (int i = 0; i < scan; ++i) {
                const double here = volumes[static_cast<std::size_t>(i)];
                if (here > volumes[static_cast<std::size_t>((i + 1) % scan)] ||
                    here > volumes[static_cast<std::size_t>((i + scan - 1) % scan)])
                    continue;
                // Ternary search between the neighbours.
                double from = (i - 1) * step_rad, to = (i + 1) * step_rad;
                for (int k = 0; k < 60; ++k) {
                    const double a = from + (to - from) / 3.0, b = to - (to - from) / 3.0;
                    if (volume_at(a) < volume_at(b))
                        to = b;
                    else
                        from = a;
                }
                Matrix3d axes;
                if (!frame_at(edge_1, edge_2, 0.5 * (from + to), axes)) continue;
                const double volume_m3 = volume_in(axes, corners);
                if (volume_m3 < best_m3) {
                    best_m3 = volume_m3;
                    best = axes;
                }
            }
        }
    PointSet points;
    points.assign(points_m);
    return enclose(points, best.cast<float>());
}

}  // namespace glovebox::collision
