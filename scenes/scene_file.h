// Scenes as text: TOML, with comments, and errors that say the line. The keys are in docs/reference/scenes.md.
#pragma once

#include <filesystem>

#include "scenes/scene.h"

namespace glovebox::scenes {

/// Throws std::runtime_error: file, line, reason. Paths inside are relative to the scene file; $NAME stands for an
/// environment variable. Meshes are loaded; tracks are named only (SceneObject::track_path).
Scene read_scene_file(const std::filesystem::path& path, MeshLoader read_mesh = load_mesh);

}  // namespace glovebox::scenes
