// Finds which triangles of two meshes touch, by traversing their trees with SIMD.
//
// Both trees are traversed together. The larger box is opened, and the other is tested against its eight children at
// once [Gottschalk96]. Four triangles of one mesh are tested against one of the other at once. Boxes and planes are
// tested in float with bounds of the rounding error; the remaining pairs are decided exactly (triangle_pair.h). So the
// result equals that of testing every triangle against every other.
#pragma once

#include <cstdint>
#include <vector>

#include "collision/mesh/obb_tree.h"
#include "collision/mesh/tree_query.h"

namespace glovebox::collision {

/// The stack of a query, reused so that a warm query does not allocate.
struct PairQueryMemory {
    struct Waiting {
        Waiting() {}  // leaves all to be written
        /// The box that stays closed, in the frame of the opened tree; fourth entries have no meaning.
        alignas(16) float center_m[4], axes[3][4];
        float half_m[3];
        std::int32_t opened, other;
        bool opened_is_a;
    };
    std::vector<Waiting> waiting;
};

/// Appends every touching pair (triangle of a, triangle of b) once, in a deterministic order. A test of a box against
/// eight adds 1 to box_tests. If the pose is not finite, nothing touches.
void touching_triangles(const ObbTree& a, const ObbTree& b, const Eigen::Isometry3f& a_from_b, TrianglePairs& pairs,
                        TreeQueryCounts& counts, PairQueryMemory& memory);

/// True if any two triangles touch. Visits pairs of boxes with the most overlap first, and stops at
/// the first pair of triangles that touch.
bool touch(const ObbTree& a, const ObbTree& b, const Eigen::Isometry3f& a_from_b, TreeQueryCounts& counts,
           PairQueryMemory& memory);

}  // namespace glovebox::collision
