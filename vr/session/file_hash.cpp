#include "vr/session/file_hash.h"

#include <array>
#include <fstream>
#include <span>

#include "collision/mesh/hash.h"
#include "tracking/formatted.h"
#include "vr/platform/version.h"

namespace glovebox::vr {

std::string hex(std::uint64_t value) {
    return tracking::formatted("%016llx", static_cast<unsigned long long>(value));
}

std::uint64_t hash_of_file(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::array<char, 1 << 16> block{};
    std::uint64_t hash = collision::hash_bytes({});
    while (in.read(block.data(), block.size()) || in.gcount() > 0)
        hash =
            collision::hash_bytes(std::as_bytes(std::span(block.data(), static_cast<std::size_t>(in.gcount()))), hash);
    return hash;
}

std::string hash_of_scene(const std::string& name_or_path) {
    return std::filesystem::is_regular_file(name_or_path) ? hex(hash_of_file(name_or_path))
                                                          : "built in, version " + std::string(kVersion);
}

}  // namespace glovebox::vr
