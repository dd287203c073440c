// Convex hull against triangle mesh: a link, a tool or a palm of its own shape on a scene's surface.
//
// The same meaning as for rounded bones (mesh_tree.h), with the hull as a core of radius 0: apart, the distance to the
// nearest triangle; with a core point inside a closed mesh, minus how far the deepest point of the hull is beneath the
// surface; where the mesh has no inside, a hull that crosses it has distance 0.
#pragma once

#include "collision/box/convex_hull.h"
#include "collision/mesh/mesh_tree.h"

namespace glovebox::collision {

/// In the mesh's frame; triangle -1 where nothing is within max_distance_m. Apart: exact to 1e-9 of the size. Inside:
/// to a ten thousandth of the size of the hull's box, or as counts.unfinished tells (deepest_point.h). Some tens of
/// microseconds, inside a few hundred; unfinished, milliseconds, with hundreds of corners tens of them. No allocation.
MeshHit nearest(const MeshTree& tree, const ConvexHull& hull, const Eigen::Isometry3f& mesh_from_hull,
                float max_distance_m, MeshTreeCounts& counts);

}  // namespace glovebox::collision
