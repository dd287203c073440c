// Bounds the part of a convex hull that is inside a closed mesh, so that the search for its deepest point starts small.
#pragma once

#include "collision/box/convex_hull.h"
#include "collision/mesh/mesh_tree.h"

namespace glovebox::collision {

/// Returns a box, in the hull's frame, that contains every point of the hull inside the mesh: often a thin slice along
/// the surface, at most as large as the hull's own box. It is the hull's box if the hull has no facets or more than 256
/// of them, if the surface is cut into more than 1000 corners, or if nothing of the hull is inside. Takes ten to forty
/// microseconds. No allocation.
///
/// The border of that part consists of the surface in the hull and of the hull's border inside the mesh. On a facet of
/// the hull, a coordinate is largest at a corner of the hull or where the surface cuts the facet. So the box need only
/// contain the surface in the hull and the hull's corners inside the mesh.
Obb box_of_inside(const MeshTree& tree, const ConvexHull& hull, const Eigen::Isometry3d& mesh_from_hull,
                  MeshTreeCounts& counts);

}  // namespace glovebox::collision
