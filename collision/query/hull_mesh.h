// Convex hull against triangle mesh: distance, depth and contacts of a link, a tool or a palm on a scene's surface.
//
// Distances have the same meaning as for rounded bones (mesh_tree.h), with the hull as a core of radius 0. If hull and
// mesh are disjoint, the distance is that to the nearest triangle. If a point of the hull is inside a closed mesh, the
// distance is minus the depth of the hull's deepest point below the surface. If the hull crosses an open mesh, the
// distance is 0.
#pragma once

#include "collision/box/convex_hull.h"
#include "collision/mesh/mesh_tree.h"
#include "collision/query/hull_pair.h"

namespace glovebox::collision {

/// Returns the nearest points in the mesh's frame. The triangle is -1 if none is within max_distance_m. If hull and
/// mesh are disjoint, the distance is accurate to 1e-9 of the hull's size. If they penetrate, it is accurate to 1e-4 of
/// the size of the hull's box, unless counts.unfinished increases (deepest_point.h). The deepest point is searched only
/// where the hull can be inside (hull_inside.h). Takes tens of microseconds if disjoint, and 100 to 500 if penetrating.
/// An unfinished search takes milliseconds, or tens of milliseconds for a hull with hundreds of corners. No allocation.
MeshHit nearest(const MeshTree& tree, const ConvexHull& hull, const Eigen::Isometry3f& mesh_from_hull,
                float max_distance_m, MeshTreeCounts& counts);

/// Warm starts for the triangles that a hull touched in recent frames. A memory from another mesh or hull only makes
/// queries slower; results do not change.
struct HullMeshMemory {
    /// The warm start of one triangle.
    struct Entry {
        std::int32_t triangle = -1;  ///< -1: not in use
        HullPairMemory pair;
    };
    std::array<Entry, 32> triangles;  ///< the triangle's index modulo 32 is the place of its entry

    /// Returns the warm start of a triangle. It is empty if another has taken this entry since its last call.
    HullPairMemory& of(std::int32_t triangle) {
        Entry& place = triangles[static_cast<std::size_t>(triangle) % triangles.size()];
        if (place.triangle != triangle) place.pair.count = 0;
        place.triangle = triangle;
        return place.pair;
    }
};

/// Visits every triangle of the parts within max_distance_m of the hull, in the order of the tree, with the nearest
/// points of that triangle and the hull, as MeshTree::all_within() does. If the hull crosses a triangle, the distance
/// is minus the pair's minimum translation. Takes a few hundred nanoseconds per triangle.
void all_within(const MeshTree& tree, const ConvexHull& hull, const Eigen::Isometry3f& mesh_from_hull,
                float max_distance_m, const MeshTree::Visitor& visit, MeshTreeCounts& counts,
                HullMeshMemory* memory = nullptr, std::span<const TreePart> parts = kWholeTree);

}  // namespace glovebox::collision
