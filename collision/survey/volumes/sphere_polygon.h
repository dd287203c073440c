// A sphere against a flat convex polygon, at rest and moving. Lengths are in any one unit.
//
// A sphere of radius r that moves along a segment meets the polygon where its center meets the polygon inflated by r.
// The inflated polygon consists of two faces shifted by r, a cylinder around every edge, and a ball around every
// corner. So the moving test casts a ray against that solid. Degenerate polygons (two corners, one corner, no area) are
// allowed and treated as the segment or point that they span. An empty polygon is not allowed. Cost is linear in the
// number of corners.
#pragma once

#include <Eigen/Geometry>
#include <optional>
#include <span>

namespace glovebox::collision {

/// Corners in order, clockwise or counter-clockwise; planar and convex up to rounding.
using Polygon = std::span<const Eigen::Vector3d>;

Eigen::Vector3d closest_on_polygon(const Eigen::Vector3d& point, Polygon polygon);

/// True if the sphere and the polygon share a point; touching counts.
bool sphere_overlaps(const Eigen::Vector3d& center, double radius, Polygon polygon);

struct SphereImpact {
    double time;             ///< 0 at the start of the motion, 1 at its end
    Eigen::Vector3d point;   ///< on the polygon
    Eigen::Vector3d normal;  ///< unit, from the sphere to the polygon
};

/// Returns when the sphere, moving from `center` by `motion`, first touches the polygon; nothing if it does not. A
/// sphere that overlaps at the start touches at time 0. If its center is then on the polygon, the normal is the plane
/// normal that points along the motion. A zero motion finds only an overlap at the start.
std::optional<SphereImpact> sweep_sphere(const Eigen::Vector3d& center, double radius, const Eigen::Vector3d& motion,
                                         Polygon polygon);

}  // namespace glovebox::collision
