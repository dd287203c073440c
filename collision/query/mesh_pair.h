// Finds which triangles of two meshes touch, by traversing their trees with SIMD.
//
// Both trees are traversed together, the larger box opened first, one box against eight at once [Gottschalk96]. Four
// triangles of one side are tested against each of the other's at once. Boxes and planes are tested in float with
// bounds of the rounding error; the remaining pairs are decided exactly (triangle_pair.h). So the result equals that of
// testing every triangle against every other.
#pragma once

#include <cstdint>
#include <vector>

#include "collision/mesh/obb_tree.h"
#include "collision/mesh/tree_query.h"

namespace glovebox::collision {

/// The stack of a query, reused so that a warm query does not allocate.
struct PairQueryMemory {
    struct Waiting {
        Obb box;  ///< box of the side that is not opened, in the other's frame
        std::int32_t opened, other;
        bool opened_is_a;
    };
    std::vector<Waiting> waiting;
};

/// Appends every touching pair (triangle of a, triangle of b) once, in a deterministic order. box_tests counts one box
/// against eight. A pose that is not finite touches nothing.
void touching_triangles(const ObbTree& a, const ObbTree& b, const Eigen::Isometry3f& a_from_b, TrianglePairs& pairs,
                        TreeQueryCounts& counts, PairQueryMemory& memory);

/// True if any two triangles touch. Visits the deepest overlap of boxes first and stops at the first pair.
bool touch(const ObbTree& a, const ObbTree& b, const Eigen::Isometry3f& a_from_b, TreeQueryCounts& counts,
           PairQueryMemory& memory);

}  // namespace glovebox::collision
