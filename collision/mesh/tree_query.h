// One mesh against another through their box trees: which triangles touch.
//
// The traversal of [Gottschalk96] with the errors of its printed forms closed: the result of a recursion is used, boxes
// are tested before triangles, and the frames are never exchanged. The larger box is descended first, by area, because
// a flat box has no volume.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "collision/mesh/box_tree.h"
#include "collision/query/triangle.h"

namespace glovebox::collision {

struct TreeQueryCounts {
    std::int64_t box_tests = 0, triangle_tests = 0;  ///< N_v and N_p
};

struct MeshAndTree {
    const Mesh& mesh;
    const BoxTree& tree;
};

using TrianglePairs = std::vector<std::pair<std::int32_t, std::int32_t>>;

/// Every touching pair (triangle of a, triangle of b), appended in the order found; doubled straddlers are found twice.
void touching_triangles(const MeshAndTree& a, const MeshAndTree& b, const Eigen::Isometry3f& a_from_b,
                        TrianglePairs& pairs, TreeQueryCounts& counts);

/// Is there one? Stops at the first.
bool touch(const MeshAndTree& a, const MeshAndTree& b, const Eigen::Isometry3f& a_from_b, TreeQueryCounts& counts);

/// The triangle in double, in its mesh's frame and moved.
Triangle triangle_at(const Mesh& mesh, std::int32_t number);
Triangle moved(const Eigen::Isometry3f& target_from_mesh, const Triangle& triangle);

}  // namespace glovebox::collision
