// Makes a scene of one mesh, for users without a scene file.
#pragma once

#include <filesystem>

#include "scenes/scene.h"

namespace glovebox::scenes {

/// Returns true if the file's content is a mesh (mesh_format.h).
bool is_mesh_file(const std::filesystem::path& path);

/// Returns the default colour of an object. A mesh whose longest side is above 1.5 m is taken for a room and gets the
/// colour of walls.
Eigen::Vector3f color_by_size(const collision::Shape& shape);

/// Returns a scene with the mesh as one fixed object. The unit is the metre, or the millimetre if the mesh would be
/// larger than 30 m. If the mesh is at most a metre high, the fingertips are placed at its top; otherwise hands stay
/// where they were recorded. Throws what load_mesh() throws.
Scene scene_of_mesh(const std::filesystem::path& path, MeshLoader read_mesh = load_mesh);

}  // namespace glovebox::scenes
