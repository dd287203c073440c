// What files of trees ask of the system: whole files in memory, files that appear whole, folders of one user alone.
// tree_storage_posix.cpp and tree_storage_windows.cpp; CMake takes one of them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace glovebox::collision {

/// A file in memory, from when it was opened: files of trees are replaced and never cut.
class StoredBytes {
  public:
    /// Where the file cannot be read, view() is empty and fault() says why.
    explicit StoredBytes(const std::filesystem::path& path);
    ~StoredBytes();
    StoredBytes(const StoredBytes&) = delete;
    StoredBytes& operator=(const StoredBytes&) = delete;

    std::span<const std::byte> view() const { return view_; }
    const std::string& fault() const { return fault_; }  ///< "is not a file"; empty: none

  private:
    std::span<const std::byte> view_;
    std::vector<std::byte> read_;  // where files are not mapped
    std::string fault_;
};

/// Writes the parts one after another to a file beside `path` and moves that there. Returns why it could not, or "".
std::string write_whole(const std::filesystem::path& path, std::span<const std::span<const std::byte>> parts);

/// Returns why files in a folder could be a stranger's ("belongs to another user"). Empty: they are this user's, or
/// there is no folder yet. On Windows, where rights come from the folder above, it only says whether it is a folder.
std::string fault_of_private_folder(const std::filesystem::path& folder);

/// Makes a folder, and those above it, where there is none. The folder is for this user alone.
void make_private_folder(const std::filesystem::path& folder);

}  // namespace glovebox::collision
