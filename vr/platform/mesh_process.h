// Meshes of strangers, read in a process of their own.
//
// The libraries that read meshes are large and old, and a file that someone sent may be made to break one of them. So
// it is read in a child of this process, which may take only so much memory and time (scenes/mesh_limits.h), writes no
// file and hands back bytes through a pipe. Whatever happens to the child, this process goes on with what it has
// checked itself, or with one line.
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

/// Runs `read` in a child process, which has what the file at `path` may ask for, and returns the bytes that `read`
/// returns. They may be anything. Throws std::runtime_error: what `read` throws, or that it takes too much memory or
/// time, or ends the process that it runs in. Costs a fork and a copy: a few milliseconds and what `read` takes.
std::string read_apart(const std::filesystem::path& path, const std::function<std::string()>& read);

/// Appends the number of items and the items, which are plain values.
template <class Item>
void put(std::span<const Item> items, std::string& bytes) {
    const std::uint64_t count = items.size();
    bytes.append(reinterpret_cast<const char*>(&count), sizeof count);
    bytes.append(reinterpret_cast<const char*>(items.data()), items.size_bytes());
}

/// Takes what put() appended off the front. False if that is not what stands there.
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

/// Does what scenes::load_mesh() does, in a child process. Throws std::runtime_error: what load_mesh() throws, or that
/// reading the file takes too much memory or time, or ends the process that reads it.
collision::Mesh load_mesh_apart(const std::filesystem::path& path, float unit_m);

/// The same with another reader than scenes::load_mesh(). It runs in the child.
collision::Mesh load_mesh_apart(const std::filesystem::path& path, float unit_m, scenes::MeshLoader read);

}  // namespace glovebox::vr
