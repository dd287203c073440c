// Finds the first point of a shape that a ray hits, for pointing, visibility and sensors.
//
// A mesh's tree is traversed along the ray, and its triangles are tested in double. For convex shapes, the distance of
// a point to the shape is a convex function along the ray, so Newton's method from the ray's start never passes the
// surface.
#pragma once

#include <limits>
#include <optional>

#include "collision/query/collide.h"

namespace glovebox::collision {

/// A ray, or a segment if `length_m` is finite.
struct Ray {
    Eigen::Vector3f from_m;
    Eigen::Vector3f direction;  ///< need not have unit length
    float length_m = std::numeric_limits<float>::infinity();
};

/// The first hit of a ray, in the ray's frame.
struct RayHit {
    float distance_m = 0.0F;  ///< from the ray's start
    Eigen::Vector3f point_m;
    Eigen::Vector3f normal;      ///< unit, out of the surface on the side that the ray comes from
    std::int32_t triangle = -1;  ///< index in the mesh; -1 if the shape is no mesh, or if the ray starts inside
};

/// Returns the first hit within the ray's length, if there is one. A ray that starts inside a solid hits it at distance
/// 0, with the normal against the ray. Both sides of a triangle are hit. No ray passes between triangles that share an
/// edge. Convex shapes are hit to 0.01 mm. A ray that is not finite or has no direction hits nothing. Takes
/// microseconds; does not allocate.
std::optional<RayHit> cast_ray(const Ray& ray, const Shape& shape, CollideCounts& counts);

}  // namespace glovebox::collision
