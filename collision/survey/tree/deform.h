// Keeps the tree of a deforming mesh: refit instead of rebuild, and when to rebuild.
//
// A refit keeps the topology and the axes and recomputes the extents. It is correct for any motion, but boxes grow if
// their triangles have rotated or separated. The sum of the boxes' areas measures that cost: box tests grow with it
// (docs/how-to/trees.md has the measurements).
#pragma once

#include "collision/mesh/build.h"

namespace glovebox::collision {

enum class RefitFrom : std::uint8_t {
    children,  ///< inner boxes from their two children: linear, about 0.1 us per node, looser towards the root
    vertices,  ///< inner boxes from every vertex below: n log n, tight for the kept axes
};

/// Refits the tree in place. The mesh must have the triangles that the tree was built over; only vertices may have
/// moved. Throws std::invalid_argument if the tree does not fit the mesh, and what check(mesh) throws; the tree is then
/// unchanged.
void refit(BoxTree& tree, const Mesh& mesh, RefitFrom from);

/// A tree that follows its mesh: refitted, and rebuilt once the boxes' total area has grown too far.
struct DeformingTree {
    BoxTree tree;
    BuildSettings settings;
    double area_at_build_m2 = 0.0;
    /// The tree is rebuilt when the area reaches this multiple of that at the last build. At 1.5 a query takes about a
    /// third more box tests than after a rebuild; a rebuild costs as much as five refits (docs/how-to/trees.md compares
    /// policies).
    double max_growth = 1.5;
};
DeformingTree make_deforming(const Mesh& mesh, const BuildSettings& settings = {});

struct DeformReport {
    double growth = 1.0;  ///< area after the refit divided by that at the last build
    bool rebuilt = false;
};
DeformReport follow(DeformingTree& deforming, const Mesh& mesh, RefitFrom from = RefitFrom::vertices);

}  // namespace glovebox::collision
