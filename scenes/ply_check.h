// Validation of a PLY file before Assimp reads it. Assimp trusts the file: it hangs on a header without an end, takes
// all memory on false counts, and crashes on a face without corners. It silently replaces a corner whose vertex does
// not exist with the last vertex.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

namespace glovebox::scenes {

/// Checks the file in one pass. Throws std::runtime_error with file and reason. Accepts files that are not PLY.
/// Assimp mistakes a line feed at the start of the binary data for part of the header. In that case the function
/// returns the line feed's offset, and the caller must insert another line feed before it.
std::optional<std::size_t> check_ply(const std::filesystem::path& path);

}  // namespace glovebox::scenes
