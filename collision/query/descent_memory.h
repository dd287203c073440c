// What find_candidates() hands on to find_contacts(), and what it tells of its way: plain values, reused every frame.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "collision/box/box.h"
#include "collision/mesh/tree_part.h"

namespace glovebox::collision {

struct BoneMemory;  // mesh/bone_memory.h
struct PairMemory;  // pair_memory.h

/// One box of the body against some children of one node of a mesh's tree, or, where `tree_node` is -1, against the
/// object's own box.
struct BoxTest {
    std::int32_t object, body_node, tree_node;
    std::uint32_t tested, met;  ///< children, as bits; of the object's own box bit 0
};

/// A bone and what it reaches of the tree.
struct ReachedPart {
    std::int32_t bone;
    TreePart part;
};

/// What find_candidates() found for a body in one frame, for find_contacts() to go on from. Reused from frame to frame:
/// allocates only when it is made, but for the trace.
struct DescentMemory {
    explicit DescentMemory(std::size_t bones);

    std::vector<TreePart> parts;  ///< of all candidates; each knows its range
    float margin_m = -1.0F;       ///< parts hold all that is within this distance of the bones
    /// Per rounded bone and mesh: what was near in the last frames, for the exact query to look at first. Objects whose
    /// numbers are kPlaces apart share a place. It changes no answer; false: it is not used.
    std::shared_ptr<BoneMemory[]> near;
    bool use_near = true;
    /// Of convex pairs: where their last answer was. Answers are as without, to rounding.
    std::shared_ptr<PairMemory[]> pairs;
    static constexpr std::size_t kPlaces = 8;
    std::vector<BoxTest>* trace = nullptr;  ///< every box test is appended; nullptr: none is kept

    // Scratch.
    std::vector<ReachedPart> found;
    std::vector<Obb> boxes_in_mesh;
    std::vector<std::uint8_t> has_box;
    std::vector<std::int32_t> count_of_bone;
    std::vector<std::int32_t> near_objects;

    /// More parts than a hand ever reaches in a frame. A bone that finds no room begins at the root.
    static constexpr std::size_t kMaxParts = 4096;
};

}  // namespace glovebox::collision
