// Fits one oriented box to a set of triangles or points: the basic step of building OBB trees.
#pragma once

#include <Eigen/Core>
#include <array>
#include <span>

#include "collision/box/box.h"

namespace glovebox::collision {

/// Fits a box whose axes are the eigenvectors of the area-weighted covariance of the convex hull's surface
/// [Gottschalk96]. So interior vertices and uneven tessellation do not affect its orientation. If there is no hull (too
/// few or coplanar points), the covariance of `triangles` is used, or that of the vertices if the triangles have no
/// area. If all points coincide, the axes are the identity. The box contains all points, also after rounding to float.
/// `points` must not be empty; `triangles` index them and may be empty.
Obb fit_hull_covariance(std::span<const Eigen::Vector3f> points,
                        std::span<const std::array<std::int32_t, 3>> triangles);

/// Returns the smallest box with these axes that contains all points (at least one). Extents are rounded up so that no
/// point is outside.
Obb enclose(const Eigen::Matrix3f& axes, std::span<const Eigen::Vector3f> points);

/// Area-weighted covariance of a triangle surface about its centroid, in m^2. It is computed relative to the first
/// corner, to avoid cancellation far from the origin. Both members are zero for a surface without area.
struct SurfaceCovariance {
    Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();
    double area_m2 = 0.0;
};
SurfaceCovariance surface_covariance(std::span<const Eigen::Vector3f> points,
                                     std::span<const std::array<std::int32_t, 3>> triangles);

/// Returns the unit eigenvectors as the columns of a right-handed frame, by decreasing eigenvalue. Returns the identity
/// if the matrix is zero or not finite.
Eigen::Matrix3f principal_axes(const Eigen::Matrix3d& covariance);

}  // namespace glovebox::collision
