// The solids that can touch each other: rounded bones and boxes, convex hulls, triangle meshes, all in world
// coordinates.
//
// Bones are rounded, because their contacts are smooth. While the depth is less than the radius, what is rounded does
// not overlap, so no iterative penetration search is needed. A sphere is a round cone whose ends coincide.
#pragma once

#include <memory>
#include <variant>

#include "collision/box/box.h"

namespace glovebox::collision {

class ConvexHull;
class MeshTree;

/// A sphere swept from a to b while its radius changes linearly; a sphere if a == b.
struct RoundCone {
    Eigen::Vector3f a_m, b_m;
    float radius_a_m, radius_b_m;
};

/// All points within `radius_m` of a solid box; radius 0 is the box itself.
struct RoundedBox {
    Obb core;
    float radius_m = 0.0F;
};

/// A shared, constant hull with its pose.
struct HullInstance {
    std::shared_ptr<const ConvexHull> hull;
    Eigen::Isometry3f world_from_hull = Eigen::Isometry3f::Identity();
};
/// A shared, constant mesh with its pose.
struct MeshInstance {
    std::shared_ptr<const MeshTree> tree;
    Eigen::Isometry3f world_from_mesh = Eigen::Isometry3f::Identity();
};

/// Any solid that can touch another.
using Shape = std::variant<RoundCone, RoundedBox, HullInstance, MeshInstance>;

/// Returns the shape in the target frame. Hulls and meshes are shared, not copied.
Shape transformed(const Eigen::Isometry3f& target_from_shape, const Shape& shape);

/// Returns a tight box, as used for the leaves of the hierarchy. The major axis of a cone's box lies along the cone.
/// `roll_up`, a unit vector not parallel to the cone, sets the box's roll about that axis. For a hand's bone it
/// is the joint's dorsal axis.
Obb bounding_box(const Shape& shape, const Eigen::Vector3f& roll_up = Eigen::Vector3f::UnitY());

/// Returns the smallest axis-aligned box of the solid. It may be smaller than the one around bounding_box().
Aabb aabb_of(const Shape& shape);
inline Aabb aabb_of(const RoundCone& cone) {
    return {(cone.a_m.array() - cone.radius_a_m).min(cone.b_m.array() - cone.radius_b_m),
            (cone.a_m.array() + cone.radius_a_m).max(cone.b_m.array() + cone.radius_b_m)};
}
inline Aabb aabb_of(const RoundedBox& box) {
    return aabb_of(box.core).grown(box.radius_m);
}

}  // namespace glovebox::collision
