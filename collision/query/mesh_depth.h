// How far apart two triangle meshes are, and how deep one is in the other, whatever their shapes.
//
// Apart: the least distance of the two surfaces. Overlapping: how far the deepest point that the two solids share is
// beneath the surface of one of them,
//     depth = max( max over x in a of -phi_b(x),  max over x in b of -phi_a(x) ),
// where phi is the signed distance, negative inside, and x goes over the whole solid, its interior included. It is the
// meaning that bones and hulls have (mesh_tree.h, hull_mesh.h), asked both ways, and so the same when the two are
// swapped. It changes by no more than the meshes move, through dents, holes and handles, and it is never more than the
// translation that would part the two: the deepest point has to come out. For two balls it is that translation until
// the middle of one is inside the other, and then the larger radius. (The shortest translation itself has no algorithm
// for meshes without taking them to convex pieces, of which there may be as many as pairs of triangles [Kim02].)
//
// Found by branch and bound, not by sampling: phi changes no faster than x moves, so that a box with radius rho round c
// cannot hold anything deeper than rho - phi(c). Both bounds of the depth are given.
#pragma once

#include "collision/mesh/mesh_tree.h"

namespace glovebox::collision {

struct MeshDepthSettings {
    float tolerance = 1e-3F;     ///< in parts of the smaller mesh's size: where the two bounds of the depth may end
    int most_queries = 200'000;  ///< of signed distances; some microseconds each. A solid whose middle is a sheet (a
                                 ///< plate in a plate) needs the most
};

/// In a's frame.
struct MeshSeparation {
    float distance_m = 0.0F;       ///< signed. Overlapping: minus a depth that is reached, at on_a or on_b
    float depth_at_most_m = 0.0F;  ///< no shared point is deeper; 0 apart. More than depth + tolerance only where
                                   ///< most_queries ended the search
    Eigen::Vector3f normal;        ///< unit, from a to b; moving a against it is the nearest way for the deepest point
    Eigen::Vector3f on_a, on_b;    ///< on_b - on_a = distance * normal. Overlapping: the deepest point and the nearest
                                   ///< one of the surface that it is beneath
    int queries = 0;
};

/// Meshes that have no inside (open, soups) have no depth: the other one decides, and if neither has one, meshes that
/// cross have distance 0. A pose that is not finite: infinite distance and the normal +Y.
MeshSeparation separation(const MeshTree& a, const MeshTree& b, const Eigen::Isometry3f& a_from_b,
                          const MeshDepthSettings& settings = {});

}  // namespace glovebox::collision
