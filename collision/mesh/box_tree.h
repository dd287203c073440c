// A binary tree of oriented boxes over the triangles of a mesh, as a plain value.
//
// Builders produce such a tree, files store it, and the SIMD layouts are derived from it. The application's queries use
// MeshTree, which converts these nodes.
#pragma once

#include <cstdint>
#include <vector>

#include "collision/box/box.h"
#include "collision/mesh/mesh.h"

namespace glovebox::collision {

struct BoxTree {
    struct Node {
        Obb box;  ///< in the mesh's frame; encloses every triangle below
        /// Index in `order` of a leaf's first triangle, or index of an inner node's first child. The second child
        /// follows the first.
        std::int32_t first;
        std::int32_t count;  ///< number of triangles of a leaf; 0 for inner nodes
    };
    std::vector<Node> nodes;  ///< the root first; children follow their parents
    std::vector<std::int32_t>
        order;  ///< triangle indices, leaf by leaf; longer than the mesh if straddling triangles are duplicated
};

/// Quality measures of a tree, as in [Ramirez09] and [Gottschalk96].
struct TreeQuality {
    std::int64_t nodes = 0, leaves = 0;
    int depth = 0;                                    ///< 1 for a single leaf
    double leaf_volume_m3 = 0.0, leaf_area_m2 = 0.0;  ///< summed over the leaves
    double area_m2 = 0.0;                             ///< summed over all nodes
    double triangles_per_leaf = 0.0;
    std::int64_t doubled = 0;  ///< triangles stored more than once
    std::size_t bytes = 0;
};
TreeQuality measure(const BoxTree& tree, std::int64_t mesh_triangles);

/// Checks the structure of a tree and throws std::invalid_argument with the first fault. Links must point forwards and
/// stay in the array; each node but the root must have one parent. Each triangle index must be in range, and each
/// triangle must be listed, only once unless `doubled_allowed`. Boxes must be finite, with extents >= 0 and axes
/// orthonormal to 1e-4. Linear in the nodes.
void check(const BoxTree& tree, std::int64_t mesh_triangles, bool doubled_allowed);

/// Returns the largest distance, in metres, by which a vertex lies outside a box above it; <= 0 if every box contains
/// all vertices below it. Slabs are evaluated in double. Takes O(n log n); for tests and for trees from untrusted
/// sources.
double worst_excess_m(const BoxTree& tree, const Mesh& mesh);

}  // namespace glovebox::collision
