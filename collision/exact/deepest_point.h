// Where a convex core is deepest in a closed mesh: what rounded bones and hulls that are inside ask for.
//
// A core is the convex hull of its corners; each point of it is a mixture of them. Where the solid is convex, the plane
// across the way to the nearest surface point bounds the depth of all others, and what a plane allows at a mixture is
// the mixture of what it allows at the corners: the best mixture is a small linear program, whose answer is looked at
// next and gives the next plane, until none allows more than what was found (Kelley's cutting planes). Where the solid
// is not convex planes promise too little. What holds of every solid: nothing is further from the surface than from any
// triangle of it, and the depth changes no faster than the point moves. So the core is halved again and again, the part
// first in which the deepest point may be, until none can hold anything that is deeper (branch and bound); what is
// found on the way is followed uphill by planes that are asked to hold near it only.
#pragma once

#include <array>
#include <span>

#include "collision/mesh_tree.h"

namespace glovebox::collision {

/// A corner with the radius there; between corners the radius goes over evenly.
struct CoreCorner {
    Eigen::Vector3d at_m;
    double radius_m;
};

/// A box, a plate or a stick round a core: half[k] leads from the middle to the end of axis k.
struct RoundCore {
    CoreCorner middle;
    std::array<CoreCorner, 3> half;
    std::size_t axes;  ///< how many of them it has
};

/// Moves a point of the box round a core to the nearest one of the core, where that is no further than within_m; else
/// false. Null: all of the box is the core.
struct IntoCore {
    bool (*call)(const void* core, Eigen::Vector3d& at_m, double within_m) = nullptr;
    const void* core = nullptr;
};

struct DeepestPoint {
    CoreCorner point;
    MeshTree::SurfacePoint surface;  ///< nearest to it

    double distance_m() const { return surface.distance_m - point.radius_m; }
};

/// The point of least surface distance less radius: within a ten thousandth of the core's size of the least one where
/// the solid is convex round the core. Elsewhere within a thousandth, as long as the looks suffice: for a stick they
/// do, of a plate or a block they leave the best that was found. The first of `starts` is looked at in any case, the
/// others where they may be deeper. About ten ways down the tree, a hundred at most.
/// `scratch`: at least deepest_scratch(corners.size()) numbers. No allocation.
DeepestPoint deepest_point(const MeshTree& tree, std::span<const CoreCorner> corners, const RoundCore& round,
                           std::span<const CoreCorner> starts, std::span<double> scratch, MeshTreeCounts& counts,
                           IntoCore into_core = {});

inline constexpr std::size_t kMostPlanes = 24;
constexpr std::size_t deepest_scratch(std::size_t corners) {
    return (corners + 1) * (kMostPlanes + 2);
}

}  // namespace glovebox::collision
