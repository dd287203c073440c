// A look through a glTF file before Assimp reads it, because Assimp believes what the file says of itself: a chunk of
// 4 GB that is not there is allocated all the same, a corner that does not exist quietly goes, and of a node below
// 30,000 others the stack ends.
#pragma once

#include <filesystem>
#include <string>

namespace glovebox::scenes {

/// Checks that chunks, buffers, views, accessors, corners and nodes stay within what holds them, that nodes form trees
/// of at most 500 levels, and that buffers in files of their own are regular files in the mesh's folder. Throws
/// std::invalid_argument with the reason, which the caller puts behind the file's name; what is no glTF 2.0 is refused.
/// One pass over the file and the buffers that it names.
void check_gltf(const std::filesystem::path& path);

/// Does the same and returns the shape alone as the bytes of a .glb file: nodes, positions and corners, with every
/// buffer inside. A reader of it opens no file and sees no texture, skin, animation or extension. A shape that is
/// compressed (Draco, meshopt), quantised or sparse is refused.
std::string gltf_shape(const std::filesystem::path& path);

}  // namespace glovebox::scenes
