#include "collision/box/shape.h"

#include <algorithm>

#include "collision/box/convex_hull.h"
#include "collision/mesh/mesh_tree.h"

namespace glovebox::collision {
namespace {

template <class... Visitors>
struct Overloaded : Visitors... {
    using Visitors::operator()...;
};
template <class... Visitors>
Overloaded(Visitors...) -> Overloaded<Visitors...>;

Obb box_of(const RoundCone& cone, const Eigen::Vector3f& roll_up) {
    Eigen::Vector3f along = cone.b_m - cone.a_m;
    const float length_m = along.norm();
    const bool has_axis = length_m > 1e-18F;  // its square is a float with all its digits
    Obb box;
    if (has_axis) {
        along /= length_m;
        Eigen::Vector3f side = roll_up.cross(along);
        if (side.squaredNorm() < 1e-8F) side = along.unitOrthogonal();
        side.normalize();
        box.axes << along, side, along.cross(side);
    }
    // Along the axis one end sphere may contain the other; across it the larger radius decides.
    // Ends too close for an axis may lie in any direction from each other: their offset enlarges the box on all sides.
    const float round_m = has_axis ? 0.0F : length_m;
    const float low_m = std::min(-cone.radius_a_m, length_m - cone.radius_b_m) - round_m;
    const float high_m = std::max(cone.radius_a_m, length_m + cone.radius_b_m) + round_m;
    const float radius_m = std::max(cone.radius_a_m, cone.radius_b_m) + round_m;
    box.center_m = cone.a_m + box.axes.col(0) * (0.5F * (low_m + high_m));
    box.half_m = {0.5F * (high_m - low_m), radius_m, radius_m};
    return box;
}

template <class Points>
Aabb aabb_of_points(const Eigen::Isometry3f& target_from_points, const Points& points) {
    Aabb box;
    for (const Eigen::Vector3f& point : points) box.include(target_from_points * point);
    return box;
}

}  // namespace

Shape transformed(const Eigen::Isometry3f& target_from_shape, const Shape& shape) {
    return std::visit(Overloaded{
                          [&](const RoundCone& cone) -> Shape {
                              return RoundCone{target_from_shape * cone.a_m, target_from_shape * cone.b_m,
                                               cone.radius_a_m, cone.radius_b_m};
                          },
                          [&](const RoundedBox& box) -> Shape {
                              return RoundedBox{transformed(target_from_shape, box.core), box.radius_m};
                          },
                          [&](const HullInstance& hull) -> Shape {
                              return HullInstance{hull.hull, target_from_shape * hull.world_from_hull};
                          },
                          [&](const MeshInstance& mesh) -> Shape {
                              return MeshInstance{mesh.tree, target_from_shape * mesh.world_from_mesh};
                          },
                      },
                      shape);
}

Obb bounding_box(const Shape& shape, const Eigen::Vector3f& roll_up) {
    return std::visit(
        Overloaded{
            [&](const RoundCone& cone) { return box_of(cone, roll_up); },
            [](const RoundedBox& rounded) {
                Obb box = rounded.core;
                box.half_m.array() += rounded.radius_m;
                return box;
            },
            [](const HullInstance& hull) { return transformed(hull.world_from_hull, hull.hull->box()); },
            [](const MeshInstance& mesh) { return transformed(mesh.world_from_mesh, mesh.tree->root_box()); },
        },
        shape);
}

Aabb aabb_of(const Shape& shape) {
    return std::visit(
        Overloaded{
            [](const RoundCone& cone) { return aabb_of(cone); },
            [](const RoundedBox& rounded) { return aabb_of(rounded); },
            [](const HullInstance& hull) { return aabb_of_points(hull.world_from_hull, hull.hull->corners_m()); },
            [](const MeshInstance& mesh) { return aabb_of_points(mesh.world_from_mesh, mesh.tree->mesh().vertices_m); },
        },
        shape);
}

}  // namespace glovebox::collision
