// Where a convex core is deepest in a closed mesh: what rounded bones and hulls that are inside ask for.
//
// The depth has many summits where the solid is not convex. What bounds it everywhere: no point is deeper than it is
// far from any triangle, and none than it is far from what is known to be empty: a ball round a point outside, or a box
// in front of the surface that no triangle meets (round a convex solid that box can hold all that is beyond a plane,
// and where it holds all of a cell that is beyond its bottom, the plane is the bound). Each of these is a convex
// function of the place, so that at a mixture of corners it allows no more than the mixture of what it allows at the
// corners: the best mixture of a cell's corners is a matrix game (matrix_game.h), and no place in the cell is deeper
// than its value. The box round the core is halved again and again, first the cell that may hold most (branch and
// bound); where its bound is attained the surface is looked for, which finds what is deeper or bounds it better, until
// no cell allows more than what was found.
#pragma once

#include <array>

#include "collision/mesh/mesh_tree.h"

namespace glovebox::collision {

/// A place in a core with the radius there; along each axis of the core the radius goes over evenly.
struct CorePoint {
    Eigen::Vector3d at_m;
    double radius_m;
};

/// A box, a plate or a stick, or what is in it: half[k] leads from the middle to the end of axis k.
struct BoxedCore {
    CorePoint middle;
    std::array<CorePoint, 3> half;
    std::size_t axes;  ///< how many of them it has
    /// Where the core is not all of the box, its point that is nearest to a point of the box.
    Eigen::Vector3d (*nearest)(const void* core, const Eigen::Vector3d& at_m) = nullptr;
    const void* core = nullptr;
};

struct DeepestPoint {
    CorePoint point;
    MeshTree::SurfacePoint surface;  ///< nearest to it

    double distance_m() const { return surface.distance_m - point.radius_m; }
};

/// The point of least surface distance less radius, to a ten thousandth of the box's size: a stick takes some ten looks
/// at the surface, a palm twenty to sixty. Where that is not shown by 1000 cells (what goes through a thin round wall
/// or through many that are far thinner than it) it is the best that was found, and counts.unfinished tells. No
/// allocation; 110 kB of stack.
DeepestPoint deepest_point(const MeshTree& tree, const BoxedCore& core, MeshTreeCounts& counts);

}  // namespace glovebox::collision
