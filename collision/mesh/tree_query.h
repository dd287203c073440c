// Finds which triangles of two meshes touch, by traversing their binary box trees.
//
// The traversal is that of [Gottschalk96] with three errors of its printed forms corrected: the recursion's result is
// used, boxes are tested before triangles, and the frames are never exchanged. The box with the larger area is opened
// first. Volume is not used, because a flat box has none.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "collision/mesh/box_tree.h"
#include "collision/mesh/mesh_triangle.h"

namespace glovebox::collision {

struct TreeQueryCounts {
    std::int64_t box_tests = 0, triangle_tests = 0;  ///< N_v and N_p of the paper
};

struct MeshAndTree {
    const Mesh& mesh;
    const BoxTree& tree;
};

using TrianglePairs = std::vector<std::pair<std::int32_t, std::int32_t>>;

/// Appends every touching pair (triangle of a, triangle of b) in traversal order. Pairs with duplicated straddling
/// triangles are found more than once.
void touching_triangles(const MeshAndTree& a, const MeshAndTree& b, const Eigen::Isometry3f& a_from_b,
                        TrianglePairs& pairs, TreeQueryCounts& counts);

}  // namespace glovebox::collision
