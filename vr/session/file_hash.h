// Hash of a file's contents, for outputs that name the files from which they were made.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace glovebox::vr {

/// Returns 16 hexadecimal digits.
std::string hex(std::uint64_t value);

/// Returns the hash of a file's bytes, in blocks of 64 KiB. A file that cannot be read hashes like an empty one.
std::uint64_t hash_of_file(const std::filesystem::path& path);

/// Returns the hash of a scene's file, or the program's version for a built-in scene.
std::string hash_of_scene(const std::string& name_or_path);

}  // namespace glovebox::vr
