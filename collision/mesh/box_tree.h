// A binary tree of oriented boxes over the triangles of a mesh, as a plain value.
//
// What builders make, files hold and layouts are derived from. Queries of the application go through MeshTree; the
// nodes of the two are the same.
#pragma once

#include <cstdint>
#include <vector>

#include "collision/box/box.h"
#include "collision/mesh/mesh.h"

namespace glovebox::collision {

struct BoxTree {
    struct Node {
        Obb box;             ///< in the mesh's frame; encloses every triangle below
        std::int32_t first;  ///< leaf: first triangle in `order`; inner: first child, the second follows it
        std::int32_t count;  ///< triangles of a leaf; 0 for inner nodes
    };
    std::vector<Node> nodes;  ///< the root first, children behind their parents
    std::vector<std::int32_t>
        order;  ///< triangle numbers, leaf by leaf; longer than the mesh where straddlers are doubled
};

/// What a tree is worth, by the measures of [Ramirez09] and [Gottschalk96].
struct TreeQuality {
    std::int64_t nodes = 0, leaves = 0;
    int depth = 0;                                    ///< 1: a single leaf
    double leaf_volume_m3 = 0.0, leaf_area_m2 = 0.0;  ///< summed over the leaves
    double area_m2 = 0.0;                             ///< summed over all nodes
    double triangles_per_leaf = 0.0;
    std::int64_t doubled = 0;  ///< triangles stored more than once
    std::size_t bytes = 0;
};
TreeQuality measure(const BoxTree& tree, std::int64_t mesh_triangles);

/// Throws std::invalid_argument with the first fault: a link that leads nowhere, forwards only or twice to a node; a
/// triangle that is missing, out of range or, unless doubled ones are allowed, listed twice; a box that is not finite,
/// has negative extents or axes that are not orthonormal to 1e-4. Linear in the nodes.
void check(const BoxTree& tree, std::int64_t mesh_triangles, bool doubled_allowed);

/// Does every node's box hold every vertex below it, with its slabs evaluated in double? n log n; for tests and for
/// trees from strangers. Returns the largest excess in metres, <= 0 when all are held.
double worst_excess_m(const BoxTree& tree, const Mesh& mesh);

}  // namespace glovebox::collision
