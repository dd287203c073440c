// One mesh against another: which triangles touch.
//
// Both trees are walked together, the larger box opened first, one box against eight at once [Gottschalk96]; four
// triangles of one side are ruled out against each of the other's at once. Boxes and planes are tested in float with
// bounds of the rounding error; whatever they cannot rule out is decided exactly (triangle_pair.h). So the answer is
// the set that testing every triangle against every other would give, and no other.
#pragma once

#include <cstdint>
#include <vector>

#include "collision/mesh/obb_tree.h"
#include "collision/mesh/tree_query.h"

namespace glovebox::collision {

/// The waiting pairs of a query, kept from query to query so that none allocates once it has grown.
struct PairQueryMemory {
    struct Waiting {
        Obb box;  ///< of the side that is not opened, in the other's frame
        std::int32_t opened, other;
        bool opened_is_a;
    };
    std::vector<Waiting> waiting;
};

/// Every touching pair (triangle of a, triangle of b), appended once each, in no particular order but always the same.
/// box_tests counts one box against eight. A pose that is not finite touches nothing.
void touching_triangles(const ObbTree& a, const ObbTree& b, const Eigen::Isometry3f& a_from_b, TrianglePairs& pairs,
                        TreeQueryCounts& counts, PairQueryMemory& memory);

/// Is there one? Where boxes overlap deepest is looked at first; stops at the first.
bool touch(const ObbTree& a, const ObbTree& b, const Eigen::Isometry3f& a_from_b, TreeQueryCounts& counts,
           PairQueryMemory& memory);

}  // namespace glovebox::collision
