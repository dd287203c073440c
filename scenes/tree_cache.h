// Meshes of files with their box trees, which are kept from one run to the next.
//
// The first run builds a mesh's tree and stores it; every later one reads it. A stored tree is believed only if it was
// built from this very mesh with these settings and is whole (collision/mesh/tree_file.h); any other is built again and
// replaced. Processes may share the folder. It can be deleted at any time.
#pragma once

#include <filesystem>
#include <memory>

#include "collision/mesh/mesh_tree.h"
#include "scenes/scene.h"

namespace glovebox::scenes {

/// $XDG_CACHE_HOME/glovebox/trees, by default ~/.cache/glovebox/trees. Empty where neither is known: nothing is kept.
std::filesystem::path tree_cache_folder();

/// load_mesh() and its tree. Throws what load_mesh() throws; a cache that cannot be read or written costs the build
/// only.
std::shared_ptr<const collision::MeshTree> load_mesh_tree(const std::filesystem::path& path, float unit_m,
                                                          MeshLoader read_mesh = load_mesh);

}  // namespace glovebox::scenes
