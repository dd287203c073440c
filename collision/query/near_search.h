// Nearest-first search of a mesh's tree with a custom bound. It tests one box at a time, without SIMD, so that the
// order of visits is the same on every machine.
#pragma once

#include <array>

#include "collision/mesh/obb_tree.h"

namespace glovebox::collision {

/// Searches the tree. bound(box) must return a lower bound of the distance to anything in this Obb. visit(triangle) is
/// called for the triangles of boxes whose bound does not exceed the reach. It returns the new reach, which may only
/// shrink. No allocation.
template <class Bound, class Visit>
void search_near(const ObbTree& tree, double reach, const Bound& bound, const Visit& visit) {
    struct Waiting {
        std::int32_t child;
        double bound;
    };
    std::array<Waiting, ObbTree::kMaxWaiting> stack;
    std::size_t size = 0;
    stack[size++] = {0, reach};
    while (size > 0) {
        const Waiting next = stack[--size];
        if (next.bound > reach) continue;
        if (next.child < 0) {
            for (const std::int32_t triangle : tree.blocks()[static_cast<std::size_t>(~next.child)].triangle)
                if (triangle >= 0) reach = visit(triangle);
            continue;
        }
        const ObbTree::Node& node = tree.nodes()[static_cast<std::size_t>(next.child)];
        const std::size_t bottom = size;
        for (std::size_t child = 0; child < static_cast<std::size_t>(node.count); ++child) {
            const Waiting found = {node.child[child], bound(tree.box_of(node, child))};
            if (found.bound > reach) continue;
            std::size_t at = size++;  // the nearest on top
            for (; at > bottom && stack[at - 1].bound < found.bound; --at) stack[at] = stack[at - 1];
            stack[at] = found;
        }
    }
}

}  // namespace glovebox::collision
