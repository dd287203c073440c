// The structure of a tree, checked as its nodes arrive: what a file must pass before it is believed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "collision/mesh/box_tree.h"

namespace glovebox::collision {

/// Builders stay above it, at 40 levels by place and 32 by halving, and walks have room for so much: a file that goes
/// deeper is refused.
inline constexpr int kDeepestTree = 72;

/// Does what check() of box_tree.h does, in pieces. Both arrays must stay; nothing of them is believed. Every call may
/// throw std::invalid_argument with the first fault.
class TreeChecker {
  public:
    TreeChecker(std::span<const BoxTree::Node> nodes, std::span<const std::int32_t> order, std::int64_t mesh_triangles,
                bool doubled_allowed);

    /// Checks the links of the nodes from where it stood up to `end`.
    void check_links(std::size_t end);
    /// Checks the boxes of nodes [first, end), in any order and from any thread.
    void check_boxes(std::size_t first, std::size_t end) const;
    /// Checks the rest of the links, and what all of them have in common.
    void finish();

  private:
    std::span<const BoxTree::Node> nodes_;
    std::span<const std::int32_t> order_;
    std::int64_t mesh_triangles_;
    bool doubled_allowed_;
    std::size_t checked_ = 0;
    std::int64_t leaves_ = 0;
    std::vector<std::int32_t> leaf_at_;  // by place in the list: triangles of the leaf that begins there; 0: none does
    std::vector<std::uint8_t> level_;    // of each node that was named as a child, the root 1; 0 of the others
};

}  // namespace glovebox::collision
