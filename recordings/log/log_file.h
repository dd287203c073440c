// Reads the files of a log while its writer may have them open. Files are identified by integer handles, so that a map
// of pages can store them. CMake compiles either log_file_posix.cpp or log_file_windows.cpp. Only LogImage uses these
// functions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

namespace glovebox::recordings {

/// Opens a regular file for reading and returns its handle, or -1 if there is no such file. The caller closes it.
int open_file(const std::filesystem::path& path);
void close_file(int file);

/// Returns the size of the file; 0 if it cannot be determined.
std::uintmax_t bytes_of(int file);

/// Fills `to` with the bytes from offset `at` on. Returns false if the file ends before `to` is full.
bool read_at(int file, std::uintmax_t at, std::span<unsigned char> to);

/// Takes shared locks on a -shm that keep SQLite from copying pages of the -wal into the database and from restarting
/// the -wal. The locks last until the file is closed. Returns false if a writer holds a conflicting lock.
bool lock_for_reading(int shm);

}  // namespace glovebox::recordings
