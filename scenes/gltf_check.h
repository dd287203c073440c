// Validation of a glTF file before Assimp reads it. Assimp trusts the file: it allocates a declared 4 GB chunk that is
// not there, and silently drops a corner whose vertex does not exist. It overflows the stack if nodes are nested 30,000
// levels deep.
#pragma once

#include <filesystem>
#include <string>

namespace glovebox::scenes {

/// Checks that chunks, buffers, views, accessors, corners and nodes stay within their bounds. Nodes must form trees of
/// at most 500 levels, and external buffers must be regular files in the mesh's folder. Throws std::invalid_argument
/// with the reason, which the caller appends to the file's name; also if the file is not glTF 2.0.
/// Makes one pass over the file and the buffers that it names.
void check_gltf(const std::filesystem::path& path);

/// Does the same and returns the geometry as the bytes of a self-contained .glb file: nodes, positions and corners. Its
/// reader opens no other file and meets no texture, skin, animation or extension. Also throws if the geometry is
/// compressed (Draco, meshopt), quantised or sparse.
std::string gltf_shape(const std::filesystem::path& path);

}  // namespace glovebox::scenes
