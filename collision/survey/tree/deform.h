// Keeps the tree of a deforming mesh up to date: refits it, and rebuilds it when refits have made its boxes too large.
//
// A refit keeps the topology and the axes and recomputes the extents. It is correct for any motion, but boxes grow if
// their triangles rotate or separate. The sum of the boxes' areas measures that growth, and box tests increase with it
// (docs/how-to/trees.md has the measurements).
#pragma once

#include "collision/mesh/build.h"

namespace glovebox::collision {

enum class RefitFrom : std::uint8_t {
    /// Computes inner boxes from their two children. Linear, about 0.1 us per node; boxes are looser towards the root.
    children,
    /// Computes inner boxes from every vertex below. Takes O(n log n); boxes are tight for their axes.
    vertices,
};

/// Refits the tree in place. The mesh must have the triangles that the tree was built for; only vertices may have
/// moved. Throws std::invalid_argument if the tree does not fit the mesh, and what check(mesh) throws; the tree is then
/// unchanged.
void refit(BoxTree& tree, const Mesh& mesh, RefitFrom from);

/// A tree that follows its mesh: refitted, and rebuilt once the boxes' total area has grown too far.
struct DeformingTree {
    BoxTree tree;
    BuildSettings settings;
    double area_at_build_m2 = 0.0;
    /// The tree is rebuilt when its area reaches this multiple of the area at the last build. At 1.5, a query takes
    /// about a third more box tests than after a rebuild; a rebuild costs as much as five refits (docs/how-to/trees.md
    /// compares policies).
    double max_growth = 1.5;
};
DeformingTree make_deforming(const Mesh& mesh, const BuildSettings& settings = {});

struct DeformReport {
    double growth = 1.0;  ///< area after the refit divided by the area at the last build
    bool rebuilt = false;
};
DeformReport follow(DeformingTree& deforming, const Mesh& mesh, RefitFrom from = RefitFrom::vertices);

}  // namespace glovebox::collision
