// Reads untrusted mesh files in a separate process.
//
// The libraries that read meshes are large and old, and a malicious file may exploit one of them. Meshes are therefore
// read in a child process with limited memory and time (scenes/mesh_limits.h). The child writes no file and returns
// bytes through a pipe. Whatever happens to the child, this process continues with validated data or with a one-line
// error.
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenes/scene.h"

namespace glovebox::vr {

/// Runs `read` in a child process, with limits according to the size of the file at `path`, and returns its bytes,
/// which the caller must validate. Throws std::runtime_error if `read` throws, with the same message, and if the child
/// crashes or exceeds its memory or time. Besides `read` itself, it takes a few milliseconds for a fork and a copy.
std::string read_apart(const std::filesystem::path& path, const std::function<std::string()>& read);

/// Appends the number of items and the items' bytes. Items must be trivially copyable.
template <class Item>
void put(std::span<const Item> items, std::string& bytes) {
    const std::uint64_t count = items.size();
    bytes.append(reinterpret_cast<const char*>(&count), sizeof count);
    bytes.append(reinterpret_cast<const char*>(items.data()), items.size_bytes());
}

/// Removes items appended by put() from the front of `bytes`. Returns false if there are fewer bytes than needed.
template <class Item>
bool take(std::string_view& bytes, std::vector<Item>& items) {
    std::uint64_t count = 0;
    if (bytes.size() < sizeof count) return false;
    std::memcpy(&count, bytes.data(), sizeof count);
    bytes.remove_prefix(sizeof count);
    if (count > bytes.size() / sizeof(Item)) return false;
    items.resize(count);
    if (count > 0) std::memcpy(static_cast<void*>(items.data()), bytes.data(), count * sizeof(Item));
    bytes.remove_prefix(count * sizeof(Item));
    return true;
}

/// Runs scenes::load_mesh() in a child process. Throws std::runtime_error if load_mesh() throws, with the same message,
/// and if it crashes or takes too much memory or time.
collision::Mesh load_mesh_apart(const std::filesystem::path& path, float unit_m);

/// Does the same with `read` in place of scenes::load_mesh().
collision::Mesh load_mesh_apart(const std::filesystem::path& path, float unit_m, scenes::MeshLoader read);

}  // namespace glovebox::vr
