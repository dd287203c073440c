#include "collision/box/convex_hull.h"
#include "collision/mesh/mesh_tree.h"
#include "scenes/scene.h"

namespace glovebox::scenes {
namespace {

using collision::Shape;
using Eigen::Matrix3f;
using tracking::Axes;

Shape turned(const Axes& axes, collision::RoundCone cone) {
    cone.a_m = axes.ours_from_file * cone.a_m;
    cone.b_m = axes.ours_from_file * cone.b_m;
    return cone;
}

Shape turned(const Axes& axes, collision::RoundedBox box) {
    box.core.center_m = axes.ours_from_file * box.core.center_m;
    box.core.axes = axes.ours_from_file * box.core.axes;
    if (axes.mirrors()) box.core.axes.col(0) *= -1.0F;  // a box is its own mirror image
    return box;
}

Shape turned(const Axes& axes, const collision::HullInstance& instance) {
    std::vector<Eigen::Vector3f> corners_m(instance.hull->corners_m().begin(), instance.hull->corners_m().end());
    for (Eigen::Vector3f& corner_m : corners_m) corner_m = axes.ours_from_file * corner_m;
    return collision::HullInstance{collision::ConvexHull::from_points(corners_m),
                                   axes.turned(instance.world_from_hull)};
}

Shape turned(const Axes& axes, const collision::MeshInstance& instance) {
    collision::Mesh mesh = instance.tree->mesh();
    for (Eigen::Vector3f& vertex_m : mesh.vertices_m) vertex_m = axes.ours_from_file * vertex_m;
    if (axes.mirrors())
        for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
    return collision::MeshInstance{collision::MeshTree::build(std::move(mesh)), axes.turned(instance.world_from_mesh)};
}

}  // namespace

Shape in_our_axes(const Axes& axes, const Shape& shape) {
    return std::visit([&axes](const auto& solid) { return turned(axes, solid); }, shape);
}

}  // namespace glovebox::scenes
