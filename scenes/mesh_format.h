// The formats of mesh files that are read, told by what a file holds.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace glovebox::scenes {

enum class MeshFormat : std::uint8_t { obj, stl, ply, gltf };

/// Returns "OBJ", "STL", "PLY" or "glTF".
std::string_view name_of(MeshFormat format);

/// Tells the format from the file's first bytes: PLY, glTF, STL, or the first line of an OBJ that is no comment.
/// Nothing: no mesh, as far as they show.
std::optional<MeshFormat> mesh_format_by_content(const std::filesystem::path& path);

/// The same; where the content does not show it (an STL in text without its first word, say), by the name's ending.
std::optional<MeshFormat> mesh_format_of(const std::filesystem::path& path);

}  // namespace glovebox::scenes
