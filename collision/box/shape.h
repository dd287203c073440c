// The solids that touch each other: rounded bones and boxes, convex hulls, triangle meshes, all in world coordinates.
//
// Bones are rounded because contact with a rounded core is smooth and needs no iteration on penetration: the core
// stays apart as long as the depth is less than the radius. A sphere is a round cone whose ends coincide.
#pragma once

#include <memory>
#include <variant>

#include "collision/box/box.h"

namespace glovebox::collision {

class ConvexHull;
class MeshTree;

/// Sphere swept from a to b while its radius goes linearly from one to the other. a == b is a sphere.
struct RoundCone {
    Eigen::Vector3f a_m, b_m;
    float radius_a_m, radius_b_m;
};

/// Everything within `radius_m` of a solid box; radius 0 is the box itself.
struct RoundedBox {
    Obb core;
    float radius_m = 0.0F;
};

/// The tree is shared and immutable; an instance is where it stands.
struct HullInstance {
    std::shared_ptr<const ConvexHull> hull;
    Eigen::Isometry3f world_from_hull = Eigen::Isometry3f::Identity();
};
struct MeshInstance {
    std::shared_ptr<const MeshTree> tree;
    Eigen::Isometry3f world_from_mesh = Eigen::Isometry3f::Identity();
};

using Shape = std::variant<RoundCone, RoundedBox, HullInstance, MeshInstance>;

Shape transformed(const Eigen::Isometry3f& target_from_shape, const Shape& shape);

/// Tight box of the kind the hierarchy stores at its leaves. For a round cone: major axis along the cone, `roll` chosen
/// by the caller's up vector (any unit vector not along the cone; the hand passes the back of the joint).
Obb bounding_box(const Shape& shape, const Eigen::Vector3f& roll_up = Eigen::Vector3f::UnitY());

/// Smallest axis-aligned box of the solid itself, not of its bounding box.
Aabb aabb_of(const Shape& shape);
inline Aabb aabb_of(const RoundCone& cone) {
    return {(cone.a_m.array() - cone.radius_a_m).min(cone.b_m.array() - cone.radius_b_m),
            (cone.a_m.array() + cone.radius_a_m).max(cone.b_m.array() + cone.radius_b_m)};
}
inline Aabb aabb_of(const RoundedBox& box) {
    return aabb_of(box.core).grown(box.radius_m);
}

}  // namespace glovebox::collision
