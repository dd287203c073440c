// Two hierarchies walked together: the boxes of a body, refitted this frame, down the tree of a mesh.
//
// Whichever box is larger is opened [Gottschalk96], one box of the body against eight of the tree at once. What is left
// are pairs of a bone and a part of the tree: blocks of triangles, and nodes that are smaller than the bone, below
// which the exact query goes to the nearest triangle first. Nothing within the boxes' reach is missed.
#pragma once

#include <array>
#include <cstdint>

#include "collision/body/refit.h"
#include "collision/mesh/obb_tree.h"
#include "collision/query/descent_memory.h"

namespace glovebox::collision {

/// The boxes of one refit method in world coordinates, by node, and what it asks of a leaf besides.
struct BodyVolumes {
    const ArticulatedBody& body;
    const BodyBoxes& boxes;
    bool aligned;  ///< the hierarchy's boxes are axis-aligned
    LeafTest leaf;

    Obb box_of(std::int32_t node) const {
        const auto i = static_cast<std::size_t>(node);
        return aligned ? obb_of(boxes.aabb[i]) : boxes.obb[i];
    }
};

/// Appends to memory.found what the bones below body node `root` reach of the tree when every box is grown by margin_m.
/// Returns box tests, one for each pair of boxes; false in `complete` if there was no room for all.
std::int64_t descend(const BodyVolumes& volumes, std::int32_t root, const ObbTree& tree,
                     const Eigen::Isometry3f& mesh_from_world, float margin_m, std::int32_t object,
                     DescentMemory& memory, bool& complete);

/// Bit k is set when the box, in the mesh's frame, overlaps child k: the 15-axis test of box.h with room for rounding.
/// `area_m2` receives the children's areas, of half extents.
std::uint32_t overlap_children(const Obb& box, const ObbTree::Node& node, float slack_m,
                               std::array<float, ObbTree::kWidth>& area_m2);
std::uint32_t overlap_children_scalar(const Obb& box, const ObbTree::Node& node, float slack_m,
                                      std::array<float, ObbTree::kWidth>& area_m2);

}  // namespace glovebox::collision
