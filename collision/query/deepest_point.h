// Finds where a convex core penetrates a closed mesh deepest; used for rounded bones and hulls that are inside the
// mesh.
//
// The depth function of a non-convex solid has many local maxima. The depth of a point is bounded by its distance to
// any triangle, and by its distance to any region known to be empty. Such regions are balls around points outside, and
// boxes in front of the surface that no triangle meets. (For a convex solid such a box can be a half-space. The depth
// in a cell that faces it is then bounded by the distance to its plane.)
// Each bound is a convex function of position. So at a weighted mean of a cell's corners, a bound is at most the same
// weighted mean of its values at the corners. The weights for which the smallest bound is largest solve a matrix game
// (matrix_game.h); the game's value bounds the depth in the cell.
// The box around the core is bisected best-first (branch and bound). Each step queries the surface at the point where a
// cell's bound is attained, and thus finds a deeper point or a tighter bound. The search ends when no cell can contain
// a deeper point.
#pragma once

#include <array>

#include "collision/mesh/mesh_tree.h"

namespace glovebox::collision {

/// A point of a core in the mesh's frame, and the radius there; the radius varies linearly along each axis of the core.
struct CorePoint {
    Eigen::Vector3d at_m;
    double radius_m;
};

/// A box with three, two or one axes (box, rectangle, segment), or a convex core inside it. half[k] is the change of
/// position and radius from the middle to the end of axis k.
struct BoxedCore {
    CorePoint middle;
    std::array<CorePoint, 3> half;
    std::size_t axes;  ///< number of axes in use: 1 to 3, or 0 for a point
    /// Returns the core point nearest to a point of the box. It is set if the core does not fill its box.
    Eigen::Vector3d (*nearest)(const void* core, const Eigen::Vector3d& at_m) = nullptr;
    const void* core = nullptr;
};

/// Result of deepest_point(), in the mesh's frame.
struct DeepestPoint {
    CorePoint point;
    MeshTree::SurfacePoint surface;  ///< nearest surface point

    /// Returns the signed distance of the core; negative: penetrating.
    double distance_m() const { return surface.distance_m - point.radius_m; }
};

/// Returns the core point that minimises signed surface distance minus radius, to within 1e-4 of the box's size. Takes
/// about ten surface queries for a segment and twenty to sixty for a palm. If 1000 cells do not prove the result,
/// returns the best point found and increments counts.unfinished. That happens to cores that cross a thin round wall,
/// or many walls far thinner than the core. No allocation; 110 kB of stack.
DeepestPoint deepest_point(const MeshTree& tree, const BoxedCore& core, MeshTreeCounts& counts);

}  // namespace glovebox::collision
