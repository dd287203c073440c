// Data that find_candidates() passes to find_contacts(), and an optional trace of the traversal's box tests.
#pragma once

#include <cstdint>
#include <vector>

#include "collision/box/box.h"
#include "collision/box/box_columns.h"
#include "collision/mesh/tree_part.h"

namespace glovebox::collision {

struct BoneMemory;  // mesh/bone_memory.h
struct PairMemory;  // pair_memory.h

/// One body box tested against children of a node in a mesh's tree. If `tree_node` is -1, it was tested against the
/// object's own box.
struct BoxTest {
    std::int32_t object, body_node, tree_node;
    /// Bit masks of the children that were tested and of those that overlap. For the object's own box, only bit 0 is
    /// used.
    std::uint32_t tested, met;
};

/// A bone and a part of the tree within its reach.
struct ReachedPart {
    std::int32_t bone;
    TreePart part;
};

/// Results of find_candidates() for a body in one frame, from which find_contacts() continues. Buffers are reused
/// between frames: only the constructors and the trace allocate. A copy shares nothing but the trace, so two copies may
/// be used on two threads, and both continue with the same results.
struct DescentMemory {
    explicit DescentMemory(std::size_t bones);
    DescentMemory(const DescentMemory& other);
    DescentMemory(DescentMemory&&) noexcept;
    DescentMemory& operator=(const DescentMemory&);
    DescentMemory& operator=(DescentMemory&&) noexcept;
    ~DescentMemory();

    std::vector<TreePart> parts;  ///< of all candidates; each candidate has its range
    float margin_m = -1.0F;       ///< parts have all triangles within this distance; negative: no parts
    /// For each bone, the side of a mesh that it was on, and for each rounded bone the triangles that were near it in
    /// the last frames; the exact query tests these first. Object i uses slot i modulo kPlaces. Results do not depend
    /// on it. `use_near` false disables it.
    std::vector<BoneMemory> near;
    bool use_near = true;
    /// Warm starts of pairs of a bone and an object. They change results by rounding only.
    std::vector<PairMemory> pairs;
    static constexpr std::size_t kPlaces = 8;
    std::vector<BoxTest>* trace = nullptr;  ///< receives every box test, unless nullptr

    // Scratch.
    std::vector<ReachedPart> found;
    std::vector<Obb> boxes_in_mesh;
    std::vector<std::uint8_t> has_box;
    std::vector<std::int32_t> count_of_bone;
    std::vector<std::int32_t> near_objects;
    // Convex objects that are tested together, and for each bone a bit mask of those that its box met.
    static constexpr std::size_t kTogether = 64;
    std::vector<std::int32_t> targets;
    std::vector<Obb> target_boxes;
    BoxColumns target_columns;
    std::vector<std::uint64_t> met;

    /// Capacity of `parts`, larger than a hand needs in a frame. If there is no room for a bone's parts, its query
    /// traverses the tree from the root.
    static constexpr std::size_t kMaxParts = 4096;
};

}  // namespace glovebox::collision
