// Convex hull against triangle mesh: a link, a tool or a palm of its own shape on a scene's surface.
//
// The same meaning as for rounded bones (mesh_tree.h), with the hull as a core of radius 0: apart, the distance to the
// nearest triangle; with a core point inside a closed mesh, minus how far the deepest point of the hull is beneath the
// surface; where the mesh has no inside, a hull that crosses it has distance 0.
#pragma once

#include "collision/box/convex_hull.h"
#include "collision/mesh/mesh_tree.h"
#include "collision/query/hull_pair.h"

namespace glovebox::collision {

/// In the mesh's frame; triangle -1 where nothing is within max_distance_m. Apart: exact to 1e-9 of the size. Inside:
/// to a ten thousandth of the size of the hull's box, or as counts.unfinished tells (deepest_point.h). Some tens of
/// microseconds, inside a few hundred; unfinished, milliseconds, with hundreds of corners tens of them. No allocation.
MeshHit nearest(const MeshTree& tree, const ConvexHull& hull, const Eigen::Isometry3f& mesh_from_hull,
                float max_distance_m, MeshTreeCounts& counts);

/// Of the triangles that a hull touched last, where the answer was. Of another mesh or hull: only slower.
struct HullMeshMemory {
    struct Of {
        std::int32_t triangle = -1;
        HullPairMemory pair;
    };
    std::array<Of, 32> triangles;

    HullPairMemory& of(std::int32_t triangle) {
        Of& place = triangles[static_cast<std::size_t>(triangle) % triangles.size()];
        if (place.triangle != triangle) place.pair.count = 0;
        place.triangle = triangle;
        return place.pair;
    }
};

/// Every triangle that comes within max_distance_m of the hull, each with its own nearest points, in the order of the
/// tree: as MeshTree::all_within() of rounded bones. Where the hull crosses a triangle, minus the shortest way that
/// parts the two. Some hundred nanoseconds a triangle.
void all_within(const MeshTree& tree, const ConvexHull& hull, const Eigen::Isometry3f& mesh_from_hull,
                float max_distance_m, const MeshTree::Visitor& visit, MeshTreeCounts& counts,
                HullMeshMemory* memory = nullptr);

}  // namespace glovebox::collision
