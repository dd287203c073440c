// Fitting one oriented box to a set of triangles: the step that trees of boxes are built from.
#pragma once

#include <Eigen/Core>
#include <array>
#include <span>

#include "collision/box/box.h"

namespace glovebox::collision {

/// Axes from the area-weighted covariance of the surface of the points' convex hull [Gottschalk96], so that neither
/// interior vertices nor tessellation turn the box. Falls back to the given triangles' covariance where there is no
/// hull (flat), to the vertices' where there is no area, to the identity where all points coincide. Extents from all
/// points; encloses them also after rounding. `triangles` index `points` and may be empty.
Obb fit_hull_covariance(std::span<const Eigen::Vector3f> points,
                        std::span<const std::array<std::int32_t, 3>> triangles);

/// The box with these axes round these points, padded for rounding.
Obb enclose(const Eigen::Matrix3f& axes, std::span<const Eigen::Vector3f> points);

/// Area-weighted covariance of a triangle surface about its mean, m^2, relative to the first corner used so that
/// distance from the origin costs no digits. Zero for a surface without area, whose `area_m2` is then 0.
struct SurfaceCovariance {
    Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();
    double area_m2 = 0.0;
};
SurfaceCovariance surface_covariance(std::span<const Eigen::Vector3f> points,
                                     std::span<const std::array<std::int32_t, 3>> triangles);

/// Eigenvectors as a right-handed frame, longest first.
Eigen::Matrix3f principal_axes(const Eigen::Matrix3d& covariance);

}  // namespace glovebox::collision
