// A look through a PLY file before Assimp reads it, because Assimp believes what the file says of itself: a header
// without an end makes it wait for ever, counts that lie make it ask for all memory, and a corner that does not exist
// quietly becomes the last one that does.
#pragma once

#include <filesystem>

namespace glovebox::scenes {

/// Throws std::runtime_error with file and reason. Files that are no PLY pass. One pass over the file.
void check_ply(const std::filesystem::path& path);

}  // namespace glovebox::scenes
