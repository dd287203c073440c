#include "collision/mesh/hash.h"

#include <xxhash.h>

namespace glovebox::collision {

std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed) {
    return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

}  // namespace glovebox::collision
