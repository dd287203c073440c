// Supported mesh file formats, and their detection from a file's content.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace glovebox::scenes {

enum class MeshFormat : std::uint8_t { obj, stl, ply, gltf };

/// Returns "OBJ", "STL", "PLY" or "glTF".
std::string_view name_of(MeshFormat format);

/// Detects the format from the file's first bytes, from its size (binary STL), or from its first line that is not an
/// OBJ comment. Returns nullopt if the content is not recognised as a mesh.
std::optional<MeshFormat> mesh_format_by_content(const std::filesystem::path& path);

/// Does the same, but uses the file name extension if the content is not recognised, as with a text STL without its
/// first word.
std::optional<MeshFormat> mesh_format_of(const std::filesystem::path& path);

/// Returns what a file is that people take for a mesh or a scene, and what to do: "a COLLADA file, which is not read;
/// save the mesh as glTF ...". Returns an empty string if that is unknown.
std::string other_kind_of_file(const std::filesystem::path& path);

}  // namespace glovebox::scenes
