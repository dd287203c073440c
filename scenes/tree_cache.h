// On-disk cache of the box trees of mesh files.
//
// The first run builds a mesh's tree and stores it; later runs read it. A stored tree is used only if it is complete
// and was built from exactly this mesh with the same settings (collision/mesh/tree_file.h). Otherwise, the tree is
// built again and replaces the stored one. Several processes may share the cache folder, and it can be deleted at any
// time.
#pragma once

#include <filesystem>
#include <memory>

#include "collision/mesh/mesh_tree.h"
#include "scenes/scene.h"

namespace glovebox::scenes {

/// Returns $XDG_CACHE_HOME/glovebox/trees, by default ~/.cache/glovebox/trees. Returns an empty path, and nothing is
/// stored, if neither XDG_CACHE_HOME nor HOME is an absolute path.
std::filesystem::path tree_cache_folder();

/// Loads a mesh, and its tree from the cache if possible. If the cache cannot be read, builds the tree; if it cannot be
/// written, does not store it. Throws what load_mesh() throws.
std::shared_ptr<const collision::MeshTree> load_mesh_tree(const std::filesystem::path& path, float unit_m,
                                                          MeshLoader read_mesh = load_mesh);

}  // namespace glovebox::scenes
