// Which of many bodies may touch: the first level of collision detection, run so that the second runs rarely.
//
// Nine rows with one signature, from brute force to a sorted grid. Each gets the boxes of all bodies every step and
// lists the pairs of boxes that overlap: the same set for every row. Identity is the index; a body appears when its box
// stops being empty and vanishes when it is empty again (or when the span gets shorter). What a row remembers between
// steps is in its BroadPhaseMemory, made once and owned by the caller. No row allocates once the memory is warm.
//
// Degenerate input: a box with min > max on any axis, or with NaN anywhere, is absent. Flat, point and infinite boxes
// are legal. Touching counts as overlap.
// Sources (REFERENCES.md): [Lin93], [Cohen95] (sweep and prune), [Mirtich97] (hierarchical grid), [Ericson05, ch. 7],
// [Ulrich00] (loose octree), [Catto19] (dynamic tree). docs/how-to/laboratory.md says when to use which, with measured
// numbers.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "collision/box/box.h"

namespace glovebox::collision {

/// Two bodies may meet when each is on a layer that the other's mask lets through.
struct Layers {
    std::uint32_t layer = 1;   ///< the layers that the body is on, one bit each
    std::uint32_t mask = ~0U;  ///< the layers that it meets
    friend bool operator==(const Layers&, const Layers&) = default;
};
inline bool may_meet(const Layers& a, const Layers& b) {
    return (a.layer & b.mask) != 0 && (b.layer & a.mask) != 0;
}

/// All bodies of one step, in one frame.
struct Bodies {
    std::span<const Aabb> boxes;
    std::span<const Layers> layers;  ///< as many as boxes, or none: then everything may meet everything
};

struct BodyPair {
    std::int32_t a, b;  ///< a < b
    friend auto operator<=>(const BodyPair&, const BodyPair&) = default;
};

/// What a step cost, in the units of the row. Added to, never reset.
struct BroadPhaseCounts {
    std::int64_t box_tests = 0;              ///< box against box
    std::int64_t updates = 0;                ///< bodies put into the structure again
    std::array<std::int64_t, 3> swaps = {};  ///< of neighbours in the three sorted lists; sweep and prune only
};

/// What a row keeps from step to step.
struct BroadPhaseMemory {
    virtual ~BroadPhaseMemory() = default;
};

struct BroadPhase {
    std::string_view name;     ///< as on the command line
    std::string_view summary;  ///< one line for a person choosing
    std::unique_ptr<BroadPhaseMemory> (*make_memory)();
    /// Replaces `pairs` by the overlapping pairs of this step, each once, in an order that depends on the input alone.
    /// `memory` must come from the same row.
    void (*find_pairs)(BroadPhaseMemory& memory, const Bodies& bodies, std::vector<BodyPair>& pairs,
                       BroadPhaseCounts& counts);
};

/// All rows, the default first: the one that measures fastest with 1,000 and with 10,000 moving bodies.
std::span<const BroadPhase> broad_phases();

/// nullptr if there is no such row.
const BroadPhase* find_broad_phase(std::string_view name);

/// A box that holds the body however it turns about `center_m`: bodies that tumble on the spot keep their intervals,
/// and sweep and prune has nothing to sort. `radius_m` reaches the farthest point of the body.
inline Aabb cube_for_all_rotations(const Eigen::Vector3f& center_m, float radius_m) {
    return {center_m.array() - radius_m, center_m.array() + radius_m};
}

}  // namespace glovebox::collision
