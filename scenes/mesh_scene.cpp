#include "scenes/mesh_scene.h"

#include <array>
#include <cstring>
#include <fstream>
#include <string>

#include "collision/box/box.h"
#include "collision/mesh/mesh_tree.h"
#include "scenes/tree_cache.h"

namespace glovebox::scenes {
namespace {

constexpr float kLargestPlace_m = 30.0F, kHighestThing_m = 1.0F, kLongestThing_m = 1.5F;

// Eighty bytes of anything, the number of triangles, and fifty bytes for each.
bool is_binary_stl(std::ifstream& in, std::uintmax_t bytes) {
    std::uint32_t triangles = 0;
    in.seekg(80);
    in.read(reinterpret_cast<char*>(&triangles), sizeof(triangles));
    return in.good() && bytes == 84 + std::uintmax_t{50} * triangles;
}

bool is_obj(std::ifstream& in) {
    in.seekg(0);
    for (std::string line; std::getline(in, line);) {
        const std::size_t begin = line.find_first_not_of(" \t\r");
        if (begin == std::string::npos || line[begin] == '#') continue;
        const std::string word = line.substr(begin, line.find_first_of(" \t\r", begin) - begin);
        for (const char* known : {"v", "vn", "vt", "o", "g", "s", "f", "mtllib", "usemtl"})
            // "g = 1" is TOML.
            if (word == known) return line.find('=') == std::string::npos;
        return false;
    }
    return false;
}

collision::Aabb bounds_of(const collision::Mesh& mesh) {
    collision::Aabb bounds;
    for (const Eigen::Vector3f& vertex_m : mesh.vertices_m) bounds.include(vertex_m);
    return bounds;
}

// The middle of what is as high as the highest vertex: of a flat top no corner, but its middle.
Eigen::Vector3f top_of(const collision::Mesh& mesh, const collision::Aabb& bounds) {
    const float height_m = bounds.max_m.y() - bounds.min_m.y();
    collision::Aabb top;
    for (const Eigen::Vector3f& vertex_m : mesh.vertices_m)
        if (vertex_m.y() >= bounds.max_m.y() - 1e-3F * height_m) top.include(vertex_m);
    return {0.5F * (top.min_m.x() + top.max_m.x()), bounds.max_m.y(), 0.5F * (top.min_m.z() + top.max_m.z())};
}

}  // namespace

bool is_mesh_file(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::array<char, 6> begin{};
    in.read(begin.data(), begin.size());
    const auto bytes = static_cast<std::size_t>(in.gcount());
    const auto starts = [&](const char* word) {
        return bytes >= std::strlen(word) && std::memcmp(begin.data(), word, std::strlen(word)) == 0;
    };
    if (starts("ply\n") || starts("ply\r") || starts("glTF") || starts("solid ") || starts("{")) return true;
    in.clear();
    if (is_binary_stl(in, std::filesystem::file_size(path))) return true;
    in.clear();
    return is_obj(in);
}

Eigen::Vector3f color_by_size(const collision::Shape& shape) {
    const auto* instance = std::get_if<collision::MeshInstance>(&shape);
    if (instance == nullptr) return SceneObject().color;
    const collision::Aabb bounds = bounds_of(instance->tree->mesh());
    const bool room = (bounds.max_m - bounds.min_m).maxCoeff() > kLongestThing_m;
    // #C9C5BD, a table's white in half shade: dark enough for the light to show what is uneven.
    return room ? Eigen::Vector3f(0.788F, 0.773F, 0.741F) : SceneObject().color;
}

Scene scene_of_mesh(const std::filesystem::path& path) {
    auto tree = load_mesh_tree(path, 1.0F);
    collision::Aabb bounds = bounds_of(tree->mesh());
    const bool millimetres = (bounds.max_m - bounds.min_m).maxCoeff() > kLargestPlace_m;
    if (millimetres) {
        tree = load_mesh_tree(path, 0.001F);
        bounds = bounds_of(tree->mesh());
    }
    const bool place = bounds.max_m.y() - bounds.min_m.y() > kHighestThing_m;

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
