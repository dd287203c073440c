// Helpers shared by the broad-phase methods, and each method's entry in their table. For this folder's sources only.
#pragma once

#include <algorithm>
#include <limits>

#include "collision/broad_phase/broad_phase.h"

namespace glovebox::collision {

/// Collects the pairs of one step: puts the lower index first and drops pairs that the layers exclude.
class PairSink {
  public:
    PairSink(const Bodies& bodies, std::vector<BodyPair>& pairs) : layers_(bodies.layers), pairs_(pairs) {
        pairs_.clear();
    }
    void add(std::int32_t i, std::int32_t j) {
        if (!layers_.empty() &&
            !may_collide(layers_[static_cast<std::size_t>(i)], layers_[static_cast<std::size_t>(j)]))
            return;
        pairs_.push_back({std::min(i, j), std::max(i, j)});
    }

  private:
    std::span<const Layers> layers_;
    std::vector<BodyPair>& pairs_;
};

/// Returns false for an empty box and for one with a NaN.
inline bool is_present(const Aabb& box) {
    return box.min_m[0] <= box.max_m[0] && box.min_m[1] <= box.max_m[1] && box.min_m[2] <= box.max_m[2];
}

/// Returns 1 if a <= b, else 0. An int, because compilers make a branch of each bool when bools are combined.
inline int not_above(float a, float b) {
    return a <= b ? 1 : 0;
}

/// Returns the same as overlap() of box.h, but without branches and inline, for the innermost loops.
inline bool meet(const Aabb& a, const Aabb& b) {
    return (not_above(a.min_m[0], b.max_m[0]) & not_above(b.min_m[0], a.max_m[0]) & not_above(a.min_m[1], b.max_m[1]) &
            not_above(b.min_m[1], a.max_m[1]) & not_above(a.min_m[2], b.max_m[2]) &
            not_above(b.min_m[2], a.max_m[2])) != 0;
}
inline bool holds(const Aabb& outer, const Aabb& inner) {
    return (not_above(outer.min_m[0], inner.min_m[0]) & not_above(inner.max_m[0], outer.max_m[0]) &
            not_above(outer.min_m[1], inner.min_m[1]) & not_above(inner.max_m[1], outer.max_m[1]) &
            not_above(outer.min_m[2], inner.min_m[2]) & not_above(inner.max_m[2], outer.max_m[2])) != 0;
}

/// Returns the longest edge, or infinity if an edge is NaN (infinity - infinity is NaN).
inline float largest_extent_m(const Aabb& box) {
    const Eigen::Vector3f edge_m = box.max_m - box.min_m;
    const float infinity = std::numeric_limits<float>::infinity();
    return edge_m.sum() < infinity ? edge_m.maxCoeff() : infinity;
}

/// Returns the entry in the table of methods of a class that has the function `void step(const Bodies&, PairSink&,
/// BroadPhaseCounts&)`.
template <typename Method>
BroadPhase row(std::string_view name, std::string_view summary) {
    struct Memory : BroadPhaseMemory {
        Method method;
    };
    return {name, summary, []() -> std::unique_ptr<BroadPhaseMemory> { return std::make_unique<Memory>(); },
            [](BroadPhaseMemory& memory, const Bodies& bodies, std::vector<BodyPair>& pairs, BroadPhaseCounts& counts) {
                PairSink sink(bodies, pairs);
                static_cast<Memory&>(memory).method.step(bodies, sink, counts);
            }};
}

BroadPhase brute_force();
BroadPhase sweep_and_prune();
BroadPhase sorted_grid();
BroadPhase hierarchical_grid_by_center();
BroadPhase hierarchical_grid_by_overlap();
BroadPhase octree();
BroadPhase loose_octree();
BroadPhase kd_tree();
BroadPhase dynamic_tree();
BroadPhase grid_of_trees();
BroadPhase grid_of_sweeps();

}  // namespace glovebox::collision
