// A part of a mesh's tree. Box traversals return such parts, and exact queries start from them.
#pragma once

#include <array>
#include <cstdint>

namespace glovebox::collision {

/// Some of the children of one node of an ObbTree; bit k is set for child k.
struct TreePart {
    std::int32_t node;
    std::uint32_t children;
};
inline constexpr std::array<TreePart, 1> kWholeTree = {{{0, 0xFF}}};

}  // namespace glovebox::collision
