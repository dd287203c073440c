// The signed distance of two triangle meshes of any shape.
//
// If the meshes are disjoint, the signed distance is the least distance of the two surfaces. If they overlap, it is
// minus the depth: how far the deepest point of one solid lies beneath the surface of the other, the larger of both,
//     depth = max( max over x in a of -phi_b(x),  max over x in b of -phi_a(x) ),
// where phi is the signed distance of a point, negative inside, and x runs over the whole solid, its interior included.
// The depth is the same when the meshes are swapped. If no point of a mesh moves by more than d, it changes by at most
// d. It is at most the length of the shortest translation that separates the meshes, because that translation must
// move the deepest point out, too. For two balls it equals that length until the smaller ball contains the centre of
// the larger; from then on it is the larger radius. Computing the shortest translation itself would need the Minkowski
// sum of the meshes, which has a convex piece for each pair of triangles [Kim02].
//
// The search is branch and bound, not sampling. The signed distance phi changes no faster than x moves, so a box of
// radius rho around c contains no point deeper than rho - phi(c). The result bounds the depth from both sides: from
// below by the depth of the deepest point found, from above by the largest depth that a box not searched may contain.
#pragma once

#include "collision/mesh/mesh_tree.h"

namespace glovebox::collision {

/// Limits of the search.
struct MeshDepthSettings {
    float tolerance = 1e-3F;  ///< gap of the two bounds at which the search ends, in sizes of the smaller mesh
    /// Maximum number of signed-distance queries, which take a few microseconds each. A plate inside a plate needs
    /// most.
    int max_queries = 200'000;
};

/// The result, in a's frame.
struct MeshSeparation {
    float distance_m = 0.0F;  ///< signed; if overlapping, minus the depth found, which is at most the true depth
    /// Upper bound of the depth; 0 if disjoint. It exceeds the depth found by more than the tolerance only if
    /// max_queries ended the search.
    float max_depth_m = 0.0F;
    /// Unit, from a to b. If the meshes overlap, moving a by -depth along it brings the deepest point to the surface.
    Eigen::Vector3f normal;
    /// Nearest points; on_b - on_a = distance * normal. If the meshes overlap and the deepest point is one
    /// of a's, it is on_a, and on_b is the point of b's surface nearest to it; if it is one of b's, the reverse.
    Eigen::Vector3f on_a, on_b;
    int queries = 0;
};

/// Returns distance and depth of two meshes. If one mesh is open, only its depth inside the other counts. If both are
/// open, meshes that cross have distance 0. If the pose is not finite, the distance is infinite and the normal is +Y.
MeshSeparation separation(const MeshTree& a, const MeshTree& b, const Eigen::Isometry3f& a_from_b,
                          const MeshDepthSettings& settings = {});

}  // namespace glovebox::collision
