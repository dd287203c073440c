// The three covariance fitters of the OBBTree paper, and the descent that starts from the best of them.
#include <vector>

#include "collision/box/box_fit.h"
#include "collision/box/convex_hull.h"
#include "collision/mesh/fit/fitter.h"

namespace glovebox::collision {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Matrix3d vertex_covariance(const PointSet& points) {
    Vector3d mean = Vector3d::Zero();
    for (std::size_t i = 0; i < points.size(); ++i) mean += points.local_m(i).cast<double>();
    mean /= static_cast<double>(points.size());
    Matrix3d covariance = Matrix3d::Zero();
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vector3d offset = points.local_m(i).cast<double>() - mean;
        covariance += offset * offset.transpose();
    }
    return covariance / static_cast<double>(points.size());
}

Eigen::Matrix3f axes_of_surface(const FitInput& input) {
    const SurfaceCovariance surface = surface_covariance(input.points_m, input.triangles);
    return principal_axes(surface.area_m2 > 0.0 ? surface.covariance : vertex_covariance(input.points));
}

struct Hull {
    PointSet corners;
    Eigen::Matrix3f axes;  // of the hull's surface, or of the triangles if there is no hull
};

Hull hull_of(const FitInput& input) {
    Hull result;
    const HullSurface hull = hull_surface(input.points_m);
    result.corners.assign(input.points, hull.from);
    std::vector<Eigen::Vector3f> corners_m;
    corners_m.reserve(hull.from.size());
    for (const std::int32_t i : hull.from) corners_m.push_back(input.points_m[static_cast<std::size_t>(i)]);
    const SurfaceCovariance surface = surface_covariance(corners_m, hull.facets);
    result.axes = surface.area_m2 > 0.0 ? principal_axes(surface.covariance) : axes_of_surface(input);
    return result;
}

}  // namespace

FittedBox fit_vertex_covariance(const FitInput& input) {
    return {enclose(input.points, principal_axes(vertex_covariance(input.points)))};
}

FittedBox fit_triangle_covariance(const FitInput& input) {
    return {enclose(input.points, axes_of_surface(input))};
}

FittedBox fit_hull_surface(const FitInput& input) {
    return {enclose(input.points, hull_of(input).axes)};
}

FittedBox fit_hull_descent(const FitInput& input) {
    if (is_one_triangle(input)) return {box_of_triangle(input.points_m[0], input.points_m[1], input.points_m[2])};
    const Hull hull = hull_of(input);
    return {enclose(input.points, descend(hull.corners, hull.axes))};
}

PointSet hull_corners(const FitInput& input) {
    PointSet corners;
    corners.assign(input.points, hull_surface(input.points_m).from);
    return corners;
}

}  // namespace glovebox::collision
