// A scene of one mesh, for those who have a mesh and no scene file.
#pragma once

#include <filesystem>

#include "scenes/scene.h"

namespace glovebox::scenes {

/// Told by content (mesh_format.h).
bool is_mesh_file(const std::filesystem::path& path);

/// The colour of an object that was given none. What can be touched from one place stands out; a mesh whose longest
/// side is above 1.5 m is a room or its furniture, and has the colour of walls.
Eigen::Vector3f color_by_size(const collision::Shape& shape);

/// The mesh alone, fixed, where its file has it. One coordinate is a metre; of what would be larger than 30 m, a
/// millimetre. Up to a metre high it is a thing, and the fingertips are led to its top; higher it is a place, and hands
/// are where their recording has them. Throws what load_mesh() throws.
Scene scene_of_mesh(const std::filesystem::path& path, MeshLoader read_mesh = load_mesh);

}  // namespace glovebox::scenes
