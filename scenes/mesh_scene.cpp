#include "scenes/mesh_scene.h"

#include <string>

#include "collision/box/box.h"
#include "collision/mesh/mesh_tree.h"
#include "scenes/mesh_format.h"
#include "scenes/tree_cache.h"

namespace glovebox::scenes {
namespace {

constexpr float kLargestPlace_m = 30.0F, kMaxObjectHeight_m = 1.0F, kMaxObject_m = 1.5F;

collision::Aabb bounds_of(const collision::Mesh& mesh) {
    collision::Aabb bounds;
    for (const Eigen::Vector3f& vertex_m : mesh.vertices_m) bounds.include(vertex_m);
    return bounds;
}

// Returns the centre of all vertices that are as high as the highest, so that a flat top gives its middle, not a
// corner.
Eigen::Vector3f top_of(const collision::Mesh& mesh, const collision::Aabb& bounds) {
    const float height_m = bounds.max_m.y() - bounds.min_m.y();
    collision::Aabb top;
    for (const Eigen::Vector3f& vertex_m : mesh.vertices_m)
        if (vertex_m.y() >= bounds.max_m.y() - 1e-3F * height_m) top.include(vertex_m);
    return {0.5F * (top.min_m.x() + top.max_m.x()), bounds.max_m.y(), 0.5F * (top.min_m.z() + top.max_m.z())};
}

}  // namespace

bool is_mesh_file(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored) && mesh_format_by_content(path).has_value();
}

Eigen::Vector3f color_by_size(const collision::Shape& shape) {
    const auto* instance = std::get_if<collision::MeshInstance>(&shape);
    if (instance == nullptr) return SceneObject().color;
    const collision::Aabb bounds = bounds_of(instance->tree->mesh());
    const bool room = (bounds.max_m - bounds.min_m).maxCoeff() > kMaxObject_m;
    // #C9C5BD, a white table in half shade: dark enough for the lighting to show relief.
    return room ? Eigen::Vector3f(0.788F, 0.773F, 0.741F) : SceneObject().color;
}

Scene scene_of_mesh(const std::filesystem::path& path, MeshLoader read_mesh) {
    auto tree = load_mesh_tree(path, 1.0F, read_mesh);
    collision::Aabb bounds = bounds_of(tree->mesh());
    const bool millimetres = (bounds.max_m - bounds.min_m).maxCoeff() > kLargestPlace_m;
    if (millimetres) {
        tree = load_mesh_tree(path, 0.001F, read_mesh);
        bounds = bounds_of(tree->mesh());
    }
    const bool place = bounds.max_m.y() - bounds.min_m.y() > kMaxObjectHeight_m;

    Scene scene;
    scene.name = path.stem().string();
    scene.summary = path.filename().string() + (millimetres ? ", in millimetres by its size" : ", in metres") +
                    (place ? ", hands where they were recorded" : ", fingertips at its top");
    SceneObject object;
    object.name = scene.name;
    object.shape = collision::MeshInstance{tree, Eigen::Isometry3f::Identity()};
    object.color = color_by_size(object.shape);
    scene.objects.push_back(std::move(object));
    scene.placement = place ? Placement::recorded : Placement::fingertips;
    scene.anchor_m = top_of(tree->mesh(), bounds);
    return scene;
}

}  // namespace glovebox::scenes
