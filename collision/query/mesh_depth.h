// The signed distance of two triangle meshes of any shape.
//
// Apart, it is the least distance of the two surfaces. Overlapping, it is minus the depth of the deepest shared point
// beneath either surface,
//     depth = max( max over x in a of -phi_b(x),  max over x in b of -phi_a(x) ),
// where phi is the signed distance, negative inside, and x runs over the whole solid, its interior included. The depth
// is the same when the meshes are swapped. It changes by at most the motion of the meshes. It is at most the minimum
// translation, because the deepest point must leave. For two balls it equals the minimum translation until the centre
// of one is inside the other; from there on it is the larger radius. The minimum translation itself would need convex
// pieces, as many as there are pairs of triangles [Kim02].
//
// Branch and bound, not sampling: phi changes no faster than x moves, so a box with radius rho round c contains nothing
// deeper than rho - phi(c). Both bounds of the depth are returned.
#pragma once

#include "collision/mesh/mesh_tree.h"

namespace glovebox::collision {

/// Limits of the search.
struct MeshDepthSettings {
    float tolerance = 1e-3F;    ///< gap of the two bounds, relative to the smaller mesh's size
    int max_queries = 200'000;  ///< limit of signed distances, some microseconds each. A plate in a plate needs most
};

/// The result, in a's frame.
struct MeshSeparation {
    float distance_m = 0.0F;       ///< signed; overlapping: minus a depth that is reached at on_a or on_b
    float depth_at_most_m = 0.0F;  ///< no shared point is deeper; 0 apart. More than depth + tolerance only where
                                   ///< max_queries ended the search
    Eigen::Vector3f normal;        ///< unit, from a to b; moving a against it moves the deepest point to the surface
    Eigen::Vector3f on_a, on_b;    ///< on_b - on_a = distance * normal. Overlapping: the deepest point and the nearest
                                   ///< one of the surface that it is beneath
    int queries = 0;
};

/// Returns distance and depth of two meshes. A mesh without inside (open, soup) has no depth; then the other one
/// decides. If neither has an inside, meshes that cross have distance 0. A pose that is not finite: infinite distance,
/// normal +Y.
MeshSeparation separation(const MeshTree& a, const MeshTree& b, const Eigen::Isometry3f& a_from_b,
                          const MeshDepthSettings& settings = {});

}  // namespace glovebox::collision
