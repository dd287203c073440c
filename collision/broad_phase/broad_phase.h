// Broad phases: methods that find which of many bodies may touch. They save the narrow phase most of its work.
//
// All methods have one signature. In every step, each gets the boxes of all bodies and lists the pairs of boxes that
// overlap; all return the same set. A body is identified by its index. It is present in a step if the boxes include its
// index and its box is not empty. State between steps is in BroadPhaseMemory, made once and owned by the caller. No
// method allocates once its memory is warm.
//
// Degenerate input: a box with min > max on any axis, or with a NaN, is absent. Flat, point and infinite boxes are
// allowed. Touching counts as overlap.
// Sources (REFERENCES.md): [Lin93], [Cohen95] (sweep and prune), [Mirtich97] (hierarchical grid), [Ericson05, ch. 7],
// [Ulrich00] (loose octree), [Catto19] (dynamic tree). docs/how-to/laboratory.md says when to use which method.
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

/// Two bodies may meet if each is on a layer that the other's mask includes.
struct Layers {
    std::uint32_t layer = 1;   ///< the layers that the body is on, one bit each
    std::uint32_t mask = ~0U;  ///< the layers whose bodies it may meet, one bit each
    friend bool operator==(const Layers&, const Layers&) = default;
};
/// Returns true if the two bodies may meet.
inline bool may_collide(const Layers& a, const Layers& b) {
    return (a.layer & b.mask) != 0 && (b.layer & a.mask) != 0;
}

/// All bodies of one step, in one frame of reference.
struct Bodies {
    std::span<const Aabb> boxes;
    std::span<const Layers> layers;  ///< as many as boxes; if empty, every body may meet every other
};

/// Two bodies whose boxes overlap.
struct BodyPair {
    std::int32_t a, b;  ///< a < b
    friend auto operator<=>(const BodyPair&, const BodyPair&) = default;
};

/// Counts of the work done. Methods add to them and never reset them.
struct BroadPhaseCounts {
    std::int64_t box_tests = 0;              ///< box against box
    std::int64_t updates = 0;                ///< bodies inserted again
    std::array<std::int64_t, 3> swaps = {};  ///< swaps in the three sorted lists; sweep and prune only
};

/// State of a method between steps.
struct BroadPhaseMemory {
    virtual ~BroadPhaseMemory() = default;
};

/// An entry of the table of broad phases.
struct BroadPhase {
    std::string_view name;     ///< as on the command line
    std::string_view summary;  ///< one line of help for the user
    std::unique_ptr<BroadPhaseMemory> (*make_memory)();
    /// Replaces `pairs` by the overlapping pairs of this step, each once, in an order that depends only on the input.
    /// `memory` must come from the same method.
    void (*find_pairs)(BroadPhaseMemory& memory, const Bodies& bodies, std::vector<BodyPair>& pairs,
                       BroadPhaseCounts& counts);
};

/// Returns all methods, the default first: the fastest one for 1,000 and 10,000 moving bodies.
std::span<const BroadPhase> broad_phases();

/// Returns the method of that name, or nullptr.
const BroadPhase* find_broad_phase(std::string_view name);

/// Returns a box that contains a body in any rotation about `center_m`. With such boxes, bodies that only rotate cost
/// the method "sweep and prune" no sorting. `radius_m` is the distance from the centre to the body's farthest point.
inline Aabb cube_for_all_rotations(const Eigen::Vector3f& center_m, float radius_m) {
    return {center_m.array() - radius_m, center_m.array() + radius_m};
}

}  // namespace glovebox::collision
