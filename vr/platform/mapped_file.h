// A read-only memory-mapped file. Only pages that are accessed are read from disk.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace glovebox::vr {

/// Owns the mapping.
class MappedFile {
  public:
    MappedFile() = default;
    /// Maps a file. Throws std::runtime_error if it cannot be opened. An empty file maps to no bytes.
    explicit MappedFile(const std::filesystem::path& path);
    ~MappedFile();
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::span<const std::byte> bytes() const { return {data_, size_}; }

  private:
    const std::byte* data_ = nullptr;
    std::size_t size_ = 0;
};

/// Asks the system to remove the file from its page cache, so that the next reader waits for the disk. This has no
/// effect on file systems in memory.
void drop_from_page_cache(const std::filesystem::path& path);

}  // namespace glovebox::vr
