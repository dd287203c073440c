// Where a convex core is deepest in a closed mesh: what rounded bones and hulls that are inside ask for.
//
// A core is the convex hull of its corners; each point of it is a mixture of them. Where the solid is convex, the plane
// across the way to the nearest surface point bounds the depth of all others, and what a plane allows at a mixture is
// the mixture of what it allows at the corners: the best mixture is a small linear program, whose answer is looked at
// next and gives the next plane, until none allows more than what was found (Kelley's cutting planes). Where the solid
// is not convex planes promise too little: then it is tried from several starts. Points that cannot be deeper, because
// a triangle that was nearest to another is too near to them, cost no way down the tree; that holds of every solid.
#pragma once

#include <span>

#include "collision/mesh_tree.h"

namespace glovebox::collision {

/// A corner with the radius there; between corners the radius goes over evenly.
struct CoreCorner {
    Eigen::Vector3d at_m;
    double radius_m;
};

struct DeepestPoint {
    CoreCorner point;
    MeshTree::SurfacePoint surface;  ///< nearest to it

    double distance_m() const { return surface.distance_m - point.radius_m; }
};

/// The point of least surface distance less radius, of all that were looked at: within a ten thousandth of the core's
/// size of the least one where the solid is convex round the core, else the best from `starts`, of which the first is
/// looked at in any case. About ten ways down the tree, a hundred at most. `scratch`: at least
/// deepest_scratch(corners.size()) numbers. No allocation.
DeepestPoint deepest_point(const MeshTree& tree, std::span<const CoreCorner> corners,
                           std::span<const CoreCorner> starts, std::span<double> scratch, MeshTreeCounts& counts);

inline constexpr std::size_t kMostPlanes = 24;
constexpr std::size_t deepest_scratch(std::size_t corners) {
    return (corners + 1) * (kMostPlanes + 2);
}

}  // namespace glovebox::collision
