// A dynamic tree of boxes: binary, incremental, balanced by rotations [Catto19].
//
// A leaf goes where the surface area grows least; a rotation on the way up keeps the tree flat. Leaves are put in and
// taken out one by one, so that what rests costs nothing. About a microsecond a leaf among thousands; a query visits
// what its box overlaps and the nodes above. No allocation once as many leaves were in at a time.
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
    /// Returns the number of the leaf. `body` is the caller's, not negative.
    std::int32_t insert(const Aabb& box, std::int32_t body);
    void remove(std::int32_t leaf);
    const Aabb& box_of(std::int32_t leaf) const { return node(leaf).box; }

    /// Calls visit(body) for every leaf whose box overlaps this one, each once. Returns the box tests made.
    template <class Visit>
    std::int64_t visit_overlapping(const Aabb& box, const Visit& visit) const {
        std::int64_t tests = 0;
        if (root_ < 0) return tests;
        WalkStack<std::int32_t, 256> stack;
        stack.push(root_);
        while (!stack.empty()) {
            const Node& here = node(stack.pop());
            ++tests;
            if (!meet(box, here.box)) continue;
            if (here.is_leaf()) {
                visit(here.body);
            } else {
                stack.push(here.children[0]);
                stack.push(here.children[1]);
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

/// A box to keep for a body that moved by `motion_m` since its last one: larger by a tenth of its size, and looking
/// ahead. What lies at infinity is kept as it is.
Aabb fattened(const Aabb& box, const Eigen::Vector3f& motion_m);

}  // namespace glovebox::collision
