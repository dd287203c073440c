#include "scenes/tree_cache.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "collision/mesh/tree_file.h"
#include "scenes/scene.h"
#include "tracking/quoted.h"

namespace glovebox::scenes {
namespace {

// The XDG base directory specification asks to ignore relative paths.
std::filesystem::path absolute_from(const char* variable) {
    const char* value = std::getenv(variable);
    const std::filesystem::path path = value == nullptr ? "" : value;
    return path.is_absolute() ? path : std::filesystem::path();
}

}  // namespace

std::filesystem::path tree_cache_folder() {
    if (const auto cache = absolute_from("XDG_CACHE_HOME"); !cache.empty()) return cache / "glovebox" / "trees";
    if (const auto home = absolute_from("HOME"); !home.empty()) return home / ".cache" / "glovebox" / "trees";
    return {};
}

std::shared_ptr<const collision::MeshTree> load_mesh_tree(const std::filesystem::path& path, float unit_m,
                                                          MeshLoader read_mesh) {
    collision::Mesh mesh = read_mesh(path, unit_m);
    const std::filesystem::path folder = tree_cache_folder();
    if (folder.empty()) return collision::MeshTree::build(std::move(mesh));
    collision::BuildSettings settings;
    settings.max_leaf_triangles = collision::MeshTree::kLeafTriangles;
    collision::CachedTree cached = collision::cached_tree(mesh, settings, folder);
    if (cached.was_refused) std::fprintf(stderr, "glovebox: %s\n", tracking::printable(cached.note).c_str());
    return collision::MeshTree::over(std::move(mesh), std::move(cached.tree));
}

}  // namespace glovebox::scenes
