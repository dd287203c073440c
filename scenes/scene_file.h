// Reader for scene files (TOML). Errors name the line; docs/reference/scenes.md lists the keys.
#pragma once

#include <filesystem>

#include "scenes/scene.h"

namespace glovebox::scenes {

/// Reads a scene file. Throws std::runtime_error with file, line and reason. Paths in it are relative to the scene
/// file; $NAME is replaced by an environment variable. Loads the meshes, but not the tracks, for which it only sets
/// SceneObject::track_path.
Scene read_scene_file(const std::filesystem::path& path, MeshLoader read_mesh = load_mesh);

}  // namespace glovebox::scenes
