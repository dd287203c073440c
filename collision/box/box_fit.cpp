#include "collision/box/box_fit.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cmath>
#include <limits>
#include <vector>

#include "collision/box/convex_hull.h"

namespace glovebox::collision {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Matrix3d vertex_covariance(std::span<const Eigen::Vector3f> points) {
    Vector3d mean = Vector3d::Zero();
    for (const auto& point : points) mean += point.cast<double>();
    mean /= static_cast<double>(points.size());
    Matrix3d covariance = Matrix3d::Zero();
    for (const auto& point : points) {
        const Vector3d offset = point.cast<double>() - mean;
        covariance += offset * offset.transpose();
    }
    return covariance / static_cast<double>(points.size());
}

// Fewer points make no useful hull: their own surface is as good and costs a hundredth.
constexpr std::size_t kSmallestHull = 32;

}  // namespace

SurfaceCovariance surface_covariance(std::span<const Eigen::Vector3f> points,
                                     std::span<const std::array<std::int32_t, 3>> triangles) {
    SurfaceCovariance result;
    if (triangles.empty()) return result;
    const auto at = [&](std::int32_t i) -> Vector3d { return points[static_cast<std::size_t>(i)].cast<double>(); };
    const Vector3d origin = at(triangles[0][0]);
    Vector3d mean = Vector3d::Zero();
    // C = (1/A) sum (m/12) (9 c c^T + p p^T + q q^T + r r^T) - mu mu^T
    for (const auto& triangle : triangles) {
        const Vector3d p = at(triangle[0]) - origin, q = at(triangle[1]) - origin, r = at(triangle[2]) - origin;
        const Vector3d c = (p + q + r) / 3.0;
        const double area = 0.5 * (q - p).cross(r - p).norm();
        result.area_m2 += area;
        mean += area * c;
        result.covariance +=
            area / 12.0 * (9.0 * c * c.transpose() + p * p.transpose() + q * q.transpose() + r * r.transpose());
    }
    if (!(result.area_m2 > 0.0)) return {};
    mean /= result.area_m2;
    result.covariance = result.covariance / result.area_m2 - mean * mean.transpose();
    return result;
}

Eigen::Matrix3f principal_axes(const Matrix3d& covariance) {
    const double scale = covariance.cwiseAbs().maxCoeff();
    if (!(scale > 0.0) || !std::isfinite(scale)) return Eigen::Matrix3f::Identity();
    const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(covariance / scale);
    Matrix3d axes;
    axes << solver.eigenvectors().col(2), solver.eigenvectors().col(1),
        solver.eigenvectors().col(2).cross(solver.eigenvectors().col(1));
    return axes.cast<float>();
}

Obb enclose(const Eigen::Matrix3f& axes, std::span<const Eigen::Vector3f> points) {
    const Matrix3d a = axes.cast<double>();
    const Vector3d origin = points.front().cast<double>();
    Vector3d low = Vector3d::Zero(), high = Vector3d::Zero();
    for (const auto& point : points) {
        const Vector3d along = a.transpose() * (point.cast<double>() - origin);
        low = low.cwiseMin(along);
        high = high.cwiseMax(along);
    }
    Obb box;
    box.axes = axes;
    box.center_m = (origin + a * (0.5 * (low + high))).cast<float>();
    // The centre was rounded, and the axes are orthonormal only to float precision. So the extents are measured again
    // from the final centre, then rounded up.
    Vector3d half = Vector3d::Zero();
    for (const auto& point : points)
        half = half.cwiseMax((a.transpose() * (point.cast<double>() - box.center_m.cast<double>())).cwiseAbs());
    for (int i = 0; i < 3; ++i)
        box.half_m[i] = std::nextafter(static_cast<float>(half[i]), std::numeric_limits<float>::infinity());
    return box;
}

Obb fit_hull_covariance(std::span<const Eigen::Vector3f> points,
                        std::span<const std::array<std::int32_t, 3>> triangles) {
    SurfaceCovariance surface;
    if (points.size() >= kSmallestHull) {
        const HullSurface hull = hull_surface(points);
        if (!hull.facets.empty()) {
            std::vector<std::array<std::int32_t, 3>> facets = hull.facets;
            for (auto& facet : facets)
                for (auto& index : facet) index = hull.from[static_cast<std::size_t>(index)];
            surface = surface_covariance(points, facets);
        }
    }
    if (!(surface.area_m2 > 0.0)) surface = surface_covariance(points, triangles);
    return enclose(principal_axes(surface.area_m2 > 0.0 ? surface.covariance : vertex_covariance(points)), points);
}

}  // namespace glovebox::collision
