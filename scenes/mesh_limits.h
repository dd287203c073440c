// How much a mesh file may ask for.
//
// A small file can ask for much: a glTF that places one mesh a thousand times is honest, one that places it a thousand
// million times is not. Time and memory of reading grow with the file's size; beyond that there is a fixed allowance.
#pragma once

#include <cstdint>

namespace glovebox::scenes {

/// Returns how many vertices or triangles a file of this size may become: 20 million, or as many as it has bytes.
constexpr std::uint64_t most_elements(std::uint64_t file_bytes) {
    constexpr std::uint64_t kAlways = 20'000'000;
    return file_bytes > kAlways ? file_bytes : kAlways;
}

/// Returns how much memory reading a file of this size may take: 2 GB, and 64 times its size.
constexpr std::uint64_t most_memory_bytes(std::uint64_t file_bytes) {
    return (std::uint64_t{2} << 30U) + 64 * file_bytes;
}

/// Returns how long the processor may work on a file of this size: 20 s, and 2 s for each MB.
constexpr std::uint64_t most_cpu_s(std::uint64_t file_bytes) {
    return 20 + 2 * (file_bytes >> 20U);
}

/// A face of more corners is refused: cutting it into triangles takes the square of their number.
inline constexpr std::uint64_t kMaxCorners = 4096;

}  // namespace glovebox::scenes
