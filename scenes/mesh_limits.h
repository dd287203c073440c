// Limits on the time and memory that reading a mesh file may take.
//
// A small file can make its reader do much work. A glTF that places one mesh a thousand times is plausible; one that
// places it a thousand million times is not. Each limit is a fixed allowance plus a part that grows with the file's
// size.
#pragma once

#include <cstdint>

namespace glovebox::scenes {

/// Returns the maximum number of vertices or triangles for a file of this size: one for each byte, but at least 20
/// million.
constexpr std::uint64_t max_elements(std::uint64_t file_bytes) {
    constexpr std::uint64_t kAlways = 20'000'000;
    return file_bytes > kAlways ? file_bytes : kAlways;
}

/// Returns the maximum memory for reading a file of this size: 2 GiB plus 64 times its size.
constexpr std::uint64_t max_memory_bytes(std::uint64_t file_bytes) {
    return (std::uint64_t{2} << 30U) + 64 * file_bytes;
}

/// Returns the maximum CPU time for reading a file of this size: 20 s plus 2 s for each MiB.
constexpr std::uint64_t max_cpu_s(std::uint64_t file_bytes) {
    return 20 + 2 * (file_bytes >> 20U);
}

/// Maximum number of corners of a face. The time to triangulate a face is quadratic in this number.
inline constexpr std::uint64_t kMaxCorners = 4096;

}  // namespace glovebox::scenes
