// The hash of stored data, which identifies meshes and detects damaged files. It is not cryptographic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace glovebox::collision {

/// Returns XXH3's 64-bit hash of the bytes, the same on every machine. About 10 GB/s. [xxhash]
std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed = 0);

}  // namespace glovebox::collision
