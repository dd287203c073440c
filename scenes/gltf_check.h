// A look through a glTF file before Assimp reads it, because Assimp believes what the file says of itself: a chunk of
// 4 GB that is not there is allocated all the same, and a corner that does not exist quietly goes.
#pragma once

#include <filesystem>

namespace glovebox::scenes {

/// Throws std::invalid_argument with the reason, which the caller puts behind the file's name, where chunks, buffers,
/// views, accessors or corners reach beyond what holds them. Files that are no glTF pass. One pass over the file and
/// the buffers that it names; of buffers written as text inside the file only the size is looked at.
void check_gltf(const std::filesystem::path& path);

}  // namespace glovebox::scenes
