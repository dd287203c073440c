// Files of a log that its writer may have open: read at any place, and kept from being moved. Files are numbers, so
// that a map of pages can name them. log_file_posix.cpp and log_file_windows.cpp; CMake takes one of them. For LogImage
// only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

namespace glovebox::recordings {

/// Opens a regular file for reading; -1 where there is none. The caller closes it.
int open_file(const std::filesystem::path& path);
void close_file(int file);

std::uintmax_t bytes_of(int file);  ///< 0 where that cannot be told

/// Fills `to` with the bytes from `at`. False at the end of the file.
bool read_at(int file, std::uintmax_t at, std::span<unsigned char> to);

/// Takes both ends of SQLite's own read locks on a -shm: no one checkpoints, no one begins the -wal again, until the
/// file is closed. False where a writer has them just now.
bool lock_for_reading(int shm);

}  // namespace glovebox::recordings
