// Validates a glTF file before Assimp reads it, because Assimp trusts the file. If a file declares a chunk of 4 GB that
// it does not contain, Assimp allocates 4 GB. It silently drops a corner whose vertex does not exist. Its stack
// overflows if nodes are nested 30,000 levels deep.
#pragma once

#include <filesystem>
#include <string>

namespace glovebox::scenes {

/// Checks that chunks, buffers, views, accessors, corners and nodes stay within their bounds. Nodes must form trees of
/// at most 500 levels, and external buffers must be regular files in the mesh's folder. Throws std::invalid_argument if
/// the check fails or the file is not glTF 2.0. The message is only the reason, to which the caller adds the file's
/// name. Makes one pass over the file and the buffers that it names.
void check_gltf(const std::filesystem::path& path);

/// Does the same and returns the geometry (nodes, positions and corners) as the bytes of a self-contained .glb file.
/// That file refers to no other file and has no texture, skin, animation or extension. Also throws if the geometry is
/// compressed (Draco, meshopt), quantised or sparse.
std::string gltf_shape(const std::filesystem::path& path);

}  // namespace glovebox::scenes
