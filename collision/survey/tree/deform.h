// Keeping the tree of a mesh whose vertices move a little: refit instead of rebuild, and when to give up.
//
// A refit keeps the topology and the axes and measures the extents again. It stays correct under any motion, but boxes
// whose triangles have turned or parted grow. The sum of the boxes' areas tells how much that costs: box tests grow
// with it (docs/how-to/trees.md has the measured decay).
#pragma once

#include "collision/mesh/build.h"

namespace glovebox::collision {

enum class RefitFrom : std::uint8_t {
    children,  ///< inner boxes from the two below: linear, about 0.1 us a node, looser towards the root
    vertices,  ///< inner boxes from every vertex below: n log n, tight for the axes kept
};

/// The mesh must have the triangles that the tree was built over; only vertices may have moved.
/// Throws std::invalid_argument if the tree does not fit the mesh, and what check(mesh) throws; the tree is then as it
/// was.
void refit(BoxTree& tree, const Mesh& mesh, RefitFrom from);

/// A tree that follows its mesh: refits, and rebuilds once the boxes' summed area has grown too far.
struct DeformingTree {
    BoxTree tree;
    BuildSettings settings;
    double area_at_build_m2 = 0.0;
    /// Rebuilt when the area reaches this multiple of what it was at the last build. At 1.5 a query takes about a third
    /// more box tests than after a rebuild, which costs as much as five refits (docs/how-to/trees.md has the race of
    /// policies).
    double most_growth = 1.5;
};
DeformingTree make_deforming(const Mesh& mesh, const BuildSettings& settings = {});

struct DeformReport {
    double growth = 1.0;  ///< area after the refit over the area at the last build
    bool rebuilt = false;
};
DeformReport follow(DeformingTree& deforming, const Mesh& mesh, RefitFrom from = RefitFrom::vertices);

}  // namespace glovebox::collision
