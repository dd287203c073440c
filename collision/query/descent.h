// Traverses two hierarchies together: the refitted boxes of a body, and the tree of a mesh.
//
// One of two overlapping boxes is replaced by its children [Gottschalk96]: the body's, unless the tree's is four times
// as large. A node of the mesh's tree has eight children; they are tested at once against one box of the body. The
// result is a list of bones with the parts of the tree that they reach. A part is a block of triangles, or a node
// smaller than the bone. The descent does not go below such a node: the exact query that follows searches it, the
// nearest child first.
#pragma once

#include <array>
#include <cstdint>

#include "collision/body/refit.h"
#include "collision/mesh/obb_tree.h"
#include "collision/query/descent_memory.h"

namespace glovebox::collision {

/// The boxes that a refit method computed, by node and in world coordinates. If the box of a single bone
/// overlaps, some methods test that bone again, more tightly; `leaf` says how.
struct BodyVolumes {
    const ArticulatedBody& body;
    const BodyBoxes& boxes;
    bool aligned;  ///< true if the hierarchy's boxes are axis-aligned
    LeafTest leaf;

    Obb box_of(std::int32_t node) const {
        const auto i = static_cast<std::size_t>(node);
        return aligned ? obb_of(boxes.aabb[i]) : boxes.obb[i];
    }
};

/// Appends to memory.found the parts of the tree that the bones below body node `root` reach, if each box of the body
/// is taken to be larger by margin_m on every side. `object` is the mesh's index, for memory.trace. Returns the number
/// of box tests, one per pair of boxes. `complete` receives whether there was room for all parts; if so, no pair of
/// overlapping boxes is missed.
std::int64_t descend(const BodyVolumes& volumes, std::int32_t root, const ObbTree& tree,
                     const Eigen::Isometry3f& mesh_from_world, float margin_m, std::int32_t object,
                     DescentMemory& memory, bool& complete);

/// Returns a mask in which bit k is set if the box, given in the mesh's frame, overlaps child k. Uses the 15-axis test
/// of box.h, with slack for rounding. `area_m2` receives a measure of each child's size, an eighth of its surface area:
/// hx hy + hy hz + hz hx of the half extents h. The scalar function is the same without SIMD, for tests.
std::uint32_t overlap_children(const Obb& box, const ObbTree::Node& node, float slack_m,
                               std::array<float, ObbTree::kWidth>& area_m2);
std::uint32_t overlap_children_scalar(const Obb& box, const ObbTree::Node& node, float slack_m,
                                      std::array<float, ObbTree::kWidth>& area_m2);

}  // namespace glovebox::collision
