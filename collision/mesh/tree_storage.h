// System calls for tree files: reading whole files, atomic writes, private folders.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace glovebox::collision {

/// The bytes of a file as it was when opened. Tree files are replaced and never truncated, so a mapping stays valid.
class StoredBytes {
  public:
    /// Opens the file. If it cannot be read, view() is empty and fault() gives the reason.
    explicit StoredBytes(const std::filesystem::path& path);
    ~StoredBytes();
    StoredBytes(const StoredBytes&) = delete;
    StoredBytes& operator=(const StoredBytes&) = delete;

    std::span<const std::byte> view() const { return view_; }
    const std::string& fault() const { return fault_; }  ///< such as "is not a file"; empty if there is none

  private:
    std::span<const std::byte> view_;
    std::vector<std::byte> read_;  // the bytes, on systems where the file is not mapped
    std::string fault_;
};

/// Writes the parts in order to a temporary file beside `path` and renames it to `path`. Returns an error, or "".
std::string write_whole(const std::filesystem::path& path, std::span<const std::span<const std::byte>> parts);

/// Returns why other users could write files in a folder, such as "belongs to another user". Returns "" if they could
/// not, or if the folder does not exist. On Windows, where permissions are inherited, it only checks that `folder` is a
/// folder.
std::string fault_of_private_folder(const std::filesystem::path& folder);

/// Creates a folder and its parents if they are missing; errors are ignored. On POSIX, only this user may access the
/// new folders.
void make_private_folder(const std::filesystem::path& folder);

}  // namespace glovebox::collision
