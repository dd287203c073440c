// Validates a PLY file before Assimp reads it, because Assimp trusts the file. Assimp hangs if the header has no end,
// uses up all memory if counts are false, and crashes if a face has no corners. If the vertex of a corner does not
// exist, it silently uses the last vertex.
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
