// Checks the structure of a tree that is read from a file, while its nodes arrive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "collision/mesh/box_tree.h"

namespace glovebox::collision {

/// The greatest depth that a tree may have. Files with deeper trees are rejected, because traversal stacks have fixed
/// sizes. Builders make at most 40 levels by position and 32 by halving.
inline constexpr int kDeepestTree = 72;

/// Checks the same as check() of box_tree.h, piece by piece. Both arrays must outlive the checker; they may be
/// incomplete and their content arbitrary. Every call may throw std::invalid_argument with the first fault.
class TreeChecker {
  public:
    TreeChecker(std::span<const BoxTree::Node> nodes, std::span<const std::int32_t> order, std::int64_t mesh_triangles,
                bool doubled_allowed);

    /// Checks the links of the nodes from the `end` of the last call up to this `end`.
    void check_links(std::size_t end);
    /// Checks the boxes of nodes [first, end), in any order and from any thread.
    void check_boxes(std::size_t first, std::size_t end) const;
    /// Checks the remaining links and the conditions on the whole tree.
    void finish();

  private:
    std::span<const BoxTree::Node> nodes_;
    std::span<const std::int32_t> order_;
    std::int64_t mesh_triangles_;
    bool doubled_allowed_;
    std::size_t checked_ = 0;
    std::int64_t leaves_ = 0;
    std::vector<std::int32_t> leaf_at_;  // per entry of order_, the size of the leaf that begins there, or 0
    std::vector<std::uint8_t> level_;    // per node, its level (1 for the root); 0 if no parent links to it yet
};

}  // namespace glovebox::collision
