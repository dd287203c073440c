// The signed distance of two triangle meshes of any shape.
//
// If the meshes are disjoint, the signed distance is the least distance of the two surfaces. If they overlap, it is
// minus the depth of the deepest shared point beneath either surface,
//     depth = max( max over x in a of -phi_b(x),  max over x in b of -phi_a(x) ),
// where phi is the signed distance of a point, negative inside, and x runs over the whole solid, its interior included.
// The depth is the same when the meshes are swapped. It changes by at most the motion of the meshes. It is at most the
// length of the minimum translation, because that must also move the deepest point out. For two balls it equals that
// length until the smaller ball contains the centre of the larger; from then on it is the larger radius. Computing the
// minimum translation itself would need convex pieces, one for each pair of triangles [Kim02].
//
// The search is branch and bound, not sampling. The signed distance phi changes no faster than x moves, so a box of
// radius rho around c contains no point deeper than rho - phi(c). Both bounds of the depth are returned.
#pragma once

#include "collision/mesh/mesh_tree.h"

namespace glovebox::collision {

/// Limits of the search.
struct MeshDepthSettings {
    float tolerance = 1e-3F;  ///< target gap of the two bounds, relative to the smaller mesh's size
    /// Maximum number of signed-distance queries, which take a few microseconds each. A plate inside a plate needs
    /// most.
    int max_queries = 200'000;
};

/// The result, in a's frame.
struct MeshSeparation {
    float distance_m = 0.0F;  ///< signed; if overlapping, minus the depth found, which is at most the true depth
    /// Upper bound of the depth; 0 if disjoint. It exceeds depth + tolerance only if max_queries ended the search.
    float max_depth_m = 0.0F;
    Eigen::Vector3f normal;  ///< unit, from a to b; moving a against it moves the deepest point to the surface
    /// Nearest points; on_b - on_a = distance * normal. If the meshes overlap, one is the deepest point, and the other
    /// is the surface point nearest to it.
    Eigen::Vector3f on_a, on_b;
    int queries = 0;
};

/// Returns distance and depth of two meshes. If one mesh is open, only its depth inside the other counts. If both are
/// open, meshes that cross have distance 0. If the pose is not finite, the distance is infinite and the normal is +Y.
MeshSeparation separation(const MeshTree& a, const MeshTree& b, const Eigen::Isometry3f& a_from_b,
                          const MeshDepthSettings& settings = {});

}  // namespace glovebox::collision
