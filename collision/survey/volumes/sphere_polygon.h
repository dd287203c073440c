// A sphere against a flat convex polygon, at rest and moving.
//
// A sphere of radius r that moves along a segment meets the polygon where its center, a point, meets the polygon
// inflated by r: two faces shifted by r, a cylinder round every edge, a ball round every corner. So the moving test is
// a ray against that solid. Degenerate polygons (two corners, one corner, no area) are legal and mean their segment or
// point. Constant cost a corner.
#pragma once

#include <Eigen/Geometry>
#include <optional>
#include <span>

namespace glovebox::collision {

/// Corners in order, either way round; flat and convex up to rounding.
using Polygon = std::span<const Eigen::Vector3d>;

Eigen::Vector3d closest_on_polygon(const Eigen::Vector3d& point, Polygon polygon);

/// Touching counts.
bool sphere_overlaps(const Eigen::Vector3d& center, double radius, Polygon polygon);

struct SphereImpact {
    double time;             ///< 0 at the start of the motion, 1 at its end
    Eigen::Vector3d point;   ///< on the polygon
    Eigen::Vector3d normal;  ///< unit, from the sphere to the polygon
};

/// When the sphere, moving from `center` by `motion`, first touches the polygon; nothing when it does not. A sphere
/// that overlaps at the start touches at time 0. Where its center starts on the polygon the normal is the plane's,
/// against the motion's side.
std::optional<SphereImpact> sweep_sphere(const Eigen::Vector3d& center, double radius, const Eigen::Vector3d& motion,
                                         Polygon polygon);

}  // namespace glovebox::collision
