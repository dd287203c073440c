// Octrees, plain and loose. Rebuilt every step from a pool of nodes.
//
// Plain [Ericson05, sec. 7.3]: a body descends until it meets a dividing plane and stays there, however small it is. It
// can then overlap only bodies of its own node, of its ancestors and of its descendants.
// Loose [Ulrich00]: cells extend half an edge further on every side, so a body descends to the level of its size. Pairs
// are found by a search, because neighbouring cells overlap.
#include <utility>

#include "collision/broad_phase/rows.h"

namespace glovebox::collision {
namespace {

constexpr int kMaxDepth = 12;
/// A plain node is divided if it has more bodies than this; below, pair tests are cheaper than the tree.
constexpr int kLeafBodies = 8;

struct Node {
    std::array<std::int32_t, 8> children;
    std::int32_t first_body;  ///< head of the list through `next_`
};

/// The tree's cube: contains the center of every body in reach.
struct Cube {
    Eigen::Vector3f center_m;
    float half_m;

    Cube child(int octant) const {
        const float quarter_m = 0.5F * half_m;
        return {center_m + Eigen::Vector3f((octant & 1) != 0 ? quarter_m : -quarter_m,
                                           (octant & 2) != 0 ? quarter_m : -quarter_m,
                                           (octant & 4) != 0 ? quarter_m : -quarter_m),
                quarter_m};
    }
};

Eigen::Vector3f center(const Aabb& box) {
    return box.min_m + 0.5F * (box.max_m - box.min_m);
}

/// True unless the body is so far out that the cube would become infinite; such bodies stay at the root. False for NaN.
bool is_in_reach(const Eigen::Vector3f& center_m) {
    constexpr float kMaxCoordinate_m = 1e30F;
    return (center_m.array().abs() < kMaxCoordinate_m).all();
}

Cube cube_round(const Bodies& bodies) {
    Aabb all;
    for (const Aabb& box : bodies.boxes)
        if (is_present(box) && is_in_reach(center(box))) all.include(center(box));
    if (!is_present(all)) return {Eigen::Vector3f::Zero(), 1.0F};
    return {center(all), std::max(0.5F * largest_extent_m(all), 1e-5F)};
}

int octant_of(const Eigen::Vector3f& point_m, const Eigen::Vector3f& center_m) {
    return (point_m.x() >= center_m.x() ? 1 : 0) | (point_m.y() >= center_m.y() ? 2 : 0) |
           (point_m.z() >= center_m.z() ? 4 : 0);
}

/// Nodes and the lists of bodies in them. The vectors never shrink.
class Pool {
  public:
    void reset(std::size_t bodies) {
        nodes_.clear();
        next_.resize(bodies);
        add();
    }
    std::int32_t add() {
        nodes_.push_back({{-1, -1, -1, -1, -1, -1, -1, -1}, -1});
        return static_cast<std::int32_t>(nodes_.size() - 1);
    }
    Node& node(std::int32_t at) { return nodes_[static_cast<std::size_t>(at)]; }
    std::int32_t child(std::int32_t at, int octant) {
        const auto slot = static_cast<std::size_t>(octant);
        if (node(at).children[slot] < 0) {
            const std::int32_t added = add();
            node(at).children[slot] = added;
        }
        return node(at).children[slot];
    }
    void put(std::int32_t at, std::int32_t body) {
        next_[static_cast<std::size_t>(body)] = std::exchange(node(at).first_body, body);
    }
    std::int32_t next(std::int32_t body) const { return next_[static_cast<std::size_t>(body)]; }

  private:
    std::vector<Node> nodes_;
    std::vector<std::int32_t> next_;
};

class Octree {
  public:
    void step(const Bodies& bodies, PairSink& sink, BroadPhaseCounts& counts) {
        order_.clear();
        for (std::size_t body = 0; body < bodies.boxes.size(); ++body)
            if (is_present(bodies.boxes[body])) order_.push_back(static_cast<std::int32_t>(body));
        counts.updates += static_cast<std::int64_t>(order_.size());
        above_.clear();
        divide(bodies, cube_round(bodies), 0, order_.size(), 0, sink, counts);
    }

  private:
    /// Returns the octant that contains the box without touching its planes, or -1. Touching a plane counts as crossing
    /// it; otherwise two bodies that touch each other there would be missed.
    static int octant_holding(const Aabb& box, const Eigen::Vector3f& center_m) {
        int octant = 0;
        for (int axis = 0; axis < 3; ++axis) {
            if (box.min_m[axis] > center_m[axis])
                octant |= 1 << axis;
            else if (!(box.max_m[axis] < center_m[axis]))
                return -1;
        }
        return octant;
    }

    /// Divides the cube of bodies order_[begin, end). Bodies across a plane join above_ while the rest descends. The
    /// recursion visits the ancestors of each body, so no node is stored.
    void divide(const Bodies& bodies, const Cube& cube, std::size_t begin, std::size_t end, int depth, PairSink& sink,
                BroadPhaseCounts& counts) {
        const std::size_t above = above_.size();
        if (end - begin <= kLeafBodies || depth == kMaxDepth) {
            for (std::size_t i = begin; i < end; ++i) test_ancestors(bodies, order_[i], sink, counts);
            above_.resize(above);
            return;
        }
        // Counting sort by octant; slot 0 is for bodies across a plane.
        std::array<std::size_t, 10> start{};
        scratch_.assign(order_.begin() + static_cast<std::ptrdiff_t>(begin),
                        order_.begin() + static_cast<std::ptrdiff_t>(end));
        const auto slot = [&](std::int32_t body) {
            return static_cast<std::size_t>(
                octant_holding(bodies.boxes[static_cast<std::size_t>(body)], cube.center_m) + 1);
        };
        for (const std::int32_t body : scratch_) ++start[slot(body) + 1];
        for (std::size_t k = 1; k < start.size(); ++k) start[k] += start[k - 1];
        std::array<std::size_t, 10> at = start;
        for (const std::int32_t body : scratch_) order_[begin + at[slot(body)]++] = body;

        for (std::size_t i = begin; i < begin + start[1]; ++i) test_ancestors(bodies, order_[i], sink, counts);
        for (int octant = 0; octant < 8; ++octant) {
            const auto k = static_cast<std::size_t>(octant) + 1;
            if (start[k] < start[k + 1])
                divide(bodies, cube.child(octant), begin + start[k], begin + start[k + 1], depth + 1, sink, counts);
        }
        above_.resize(above);
    }

    void test_ancestors(const Bodies& bodies, std::int32_t body, PairSink& sink, BroadPhaseCounts& counts) {
        const Aabb& box = bodies.boxes[static_cast<std::size_t>(body)];
        counts.box_tests += static_cast<std::int64_t>(above_.size());
        for (const std::int32_t other : above_)
            if (meet(box, bodies.boxes[static_cast<std::size_t>(other)])) sink.add(body, other);
        above_.push_back(body);
    }

    std::vector<std::int32_t> order_, above_, scratch_;
};

class LooseOctree {
  public:
    void step(const Bodies& bodies, PairSink& sink, BroadPhaseCounts& counts) {
        pool_.reset(bodies.boxes.size());
        const Cube root = cube_round(bodies);
        for (std::size_t body = 0; body < bodies.boxes.size(); ++body)
            if (is_present(bodies.boxes[body])) insert(bodies, static_cast<std::int32_t>(body), root, counts);
        for (std::size_t body = 0; body < bodies.boxes.size(); ++body)
            if (is_present(bodies.boxes[body])) search(bodies, static_cast<std::int32_t>(body), 0, root, sink, counts);
    }

  private:
    void insert(const Bodies& bodies, std::int32_t body, Cube cube, BroadPhaseCounts& counts) {
        const Aabb& box = bodies.boxes[static_cast<std::size_t>(body)];
        const float size_m = largest_extent_m(box);
        const Eigen::Vector3f center_m = center(box);
        std::int32_t at = 0;
        // A child's loose cell contains the body if the body is no larger than the child's own cell.
        for (int depth = 0; depth < kMaxDepth && size_m <= cube.half_m && is_in_reach(center_m); ++depth) {
            const int octant = octant_of(center_m, cube.center_m);
            at = pool_.child(at, octant);
            cube = cube.child(octant);
        }
        pool_.put(at, body);
        ++counts.updates;
    }

    void search(const Bodies& bodies, std::int32_t body, std::int32_t at, const Cube& cube, PairSink& sink,
                BroadPhaseCounts& counts) {
        const Aabb& box = bodies.boxes[static_cast<std::size_t>(body)];
        for (std::int32_t other = pool_.node(at).first_body; other >= 0; other = pool_.next(other)) {
            if (other <= body) continue;
            ++counts.box_tests;
            if (meet(box, bodies.boxes[static_cast<std::size_t>(other)])) sink.add(body, other);
        }
        for (int octant = 0; octant < 8; ++octant) {
            const std::int32_t child = pool_.node(at).children[static_cast<std::size_t>(octant)];
            if (child < 0) continue;
            const Cube cell = cube.child(octant);
            // Twice the cell, plus the rounding of centers.
            const float reach_m = 2.0F * cell.half_m + 1e-6F * (cell.center_m.cwiseAbs().maxCoeff() + cell.half_m);
            const Aabb loose = {cell.center_m.array() - reach_m, cell.center_m.array() + reach_m};
            if (meet(box, loose)) search(bodies, body, child, cell, sink, counts);
        }
    }

    Pool pool_;
};

}  // namespace

BroadPhase octree() {
    return row<Octree>("octree", "cells divided in eight; small bodies stick to large cells' planes");
}
BroadPhase loose_octree() {
    return row<LooseOctree>("loose-octree", "overlapping cells, a body on the level of its size; nothing sticks");
}

}  // namespace glovebox::collision
