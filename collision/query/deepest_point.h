// Finds where a convex core with a radius (a rounded bone, or a hull with radius 0) penetrates a closed mesh deepest.
//
// The depth of a non-convex solid has many local maxima, so this is branch and bound: the box around the core is
// bisected into cells, the most promising first.
//
// Upper bounds of the depth of a point are its distance to any triangle, and its distance to any region that is known
// to be outside the solid. Such regions are balls around points outside, and boxes that stand on the surface: one face
// lies on it, the box extends outwards, and no triangle enters the box. For such a box, the signed distance to the
// plane of that face (negative in the box) is a tighter bound. It holds in a cell whose projection onto the plane lies
// in the face, and that does not extend beyond the box's far side. Each bound is a convex function of position. The
// value of a matrix game (matrix_game.h) bounds the depth in a cell: its rows are the cell's corners, its columns the
// bounds. Each step queries the surface at the weighted mean of the corners, with the rows' weights that solve the
// game. This finds a deeper point or another bound. The search ends when no cell can contain a point deeper by more
// than the tolerance.
#pragma once

#include <array>

#include "collision/mesh/mesh_tree.h"

namespace glovebox::collision {

/// A point of a core in the mesh's frame, and the radius there; the radius varies linearly along each axis of the core.
struct CorePoint {
    Eigen::Vector3d at_m;
    double radius_m;
};

/// A convex core and the box around it. half[k] is the change of position and radius from the box's middle to the end
/// of axis k.
struct BoxedCore {
    CorePoint middle;
    std::array<CorePoint, 3> half;
    std::size_t axes;  ///< of the box: 3, 2 (a rectangle), 1 (a segment) or 0 (a point)
    /// A function that returns the core's point nearest to a point of the box; null if the core fills its box.
    Eigen::Vector3d (*nearest)(const void* core, const Eigen::Vector3d& at_m) = nullptr;
    const void* core = nullptr;  ///< first argument of `nearest`
    double tolerance_m = 0.0;    ///< of the result; 0: 1e-4 of the box's diagonal
};

/// Result of deepest_point(), in the mesh's frame.
struct DeepestPoint {
    CorePoint point;
    MeshTree::SurfacePoint surface;  ///< nearest surface point

    /// Returns the signed distance between the surface and the core with its radius; negative: penetrating.
    double distance_m() const { return surface.distance_m - point.radius_m; }
};

/// Returns the point of the core with the least distance_m(), which is at most the tolerance above the true minimum.
/// Takes about ten surface queries for a segment and twenty to sixty for a palm. If 1000 cells do not prove the result,
/// returns the best point found and increments counts.unfinished. That happens to cores that cross a thin curved wall,
/// as of a cup, or many walls far thinner than the core. No allocation; 110 kB of stack.
DeepestPoint deepest_point(const MeshTree& tree, const BoxedCore& core, MeshTreeCounts& counts);

}  // namespace glovebox::collision
