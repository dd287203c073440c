// A look through a PLY file before Assimp reads it, because Assimp believes what the file says of itself: a header
// without an end makes it wait for ever, counts that lie make it ask for all memory, a face without corners ends the
// program, and a corner that does not exist quietly becomes the last one that does.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

namespace glovebox::scenes {

/// Throws std::runtime_error with file and reason. Files that are no PLY pass. One pass over the file.
/// Assimp takes a line feed that begins the binary data for a part of the header; where there is one its offset is
/// returned, and another has to be put before it.
std::optional<std::size_t> check_ply(const std::filesystem::path& path);

}  // namespace glovebox::scenes
