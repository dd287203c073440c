// A dynamic tree of boxes: binary, incremental, balanced by rotations [Catto19].
//
// A leaf is inserted where the surface area grows least; rotations on the way to the root keep the tree balanced.
// Leaves are inserted and removed one by one, so resting bodies cost nothing. In a tree of thousands, an update takes
// about a microsecond per leaf. A query visits the nodes that its box overlaps and their children. Memory is allocated
// only if there are more leaves than ever before.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "collision/broad_phase/rows.h"
#include "collision/query/walk_stack.h"

namespace glovebox::collision {

class DynamicTree {
  public:
    /// Inserts a box and returns the index of its leaf. `body` is the caller's identifier, not negative.
    std::int32_t insert(const Aabb& box, std::int32_t body);
    void remove(std::int32_t leaf);
    const Aabb& box_of(std::int32_t leaf) const { return node(leaf).box; }

    /// Calls visit(body) once for every leaf whose box overlaps `box`. Returns the number of box tests.
    template <class Visit>
    std::int64_t visit_overlapping(const Aabb& box, const Visit& visit) const {
        std::int64_t tests = 0;
        if (root_ < 0) return tests;
        WalkStack<std::int32_t, 256> stack;
        stack.push(root_);
        while (!stack.empty()) {
            const Node& visited = node(stack.pop());
            ++tests;
            if (!meet(box, visited.box)) continue;
            if (visited.is_leaf()) {
                visit(visited.body);
            } else {
                stack.push(visited.children[0]);
                stack.push(visited.children[1]);
            }
        }
        return tests;
    }

  private:
    struct Node {
        Aabb box;
        std::int32_t parent = -1, body = -1;
        std::array<std::int32_t, 2> children = {-1, -1};
        bool is_leaf() const { return body >= 0; }
    };

    Node& node(std::int32_t at) { return nodes_[static_cast<std::size_t>(at)]; }
    const Node& node(std::int32_t at) const { return nodes_[static_cast<std::size_t>(at)]; }
    std::int32_t take_node();
    std::int32_t best_sibling(const Aabb& box) const;
    void refit_up(std::int32_t at);
    void rotate(std::int32_t at);

    std::vector<Node> nodes_;
    std::vector<std::int32_t> free_;
    std::int32_t root_ = -1;
};

/// Returns the enlarged box to store for a body that moved by `motion_m` since its box was last stored. The box is
/// enlarged by a tenth of its size and, unless the motion was a teleport, extended by four times the motion. A box that
/// is not finite is returned unchanged.
Aabb fattened(const Aabb& box, const Eigen::Vector3f& motion_m);

}  // namespace glovebox::collision
