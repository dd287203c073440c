// Tests a body against the objects of a scene: broad phase by boxes, then exact contacts.
//
// There are two calls, so that each can be timed and counted. find_candidates() is the broad phase: it traverses the
// body's hierarchy against every object, and against the object's tree if it is a mesh (descent.h). It lists the (bone,
// object) pairs that may touch. find_contacts() is the narrow phase and decides them exactly. The paper's columns are
// derived from both: coll = candidates, true = pairs that touch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collision/body/refit.h"
#include "collision/query/descent_memory.h"
#include "collision/query/object_tree.h"

namespace glovebox::collision {

/// An object that a body can touch.
struct Collider {
    Shape shape;               ///< in world coordinates
    Obb box;                   ///< bounds the shape, in world coordinates
    std::uint32_t mask = ~0U;  ///< the object is skipped unless (mask & body_mask) != 0
};

/// A pair that may touch.
struct Candidate {
    std::int32_t bone, object;
    /// Index range in DescentMemory::parts of the parts of the tree at which the exact query begins. If first_part is
    /// -1, it begins at the root.
    std::int32_t first_part = -1, part_count = 0;
};

/// The nearest points of one bone and one object, in world coordinates.
struct Contact {
    std::int32_t bone = -1, object = -1;
    std::int32_t triangle = -1;  ///< index in the mesh, if exactly one of the two is a mesh; else -1
    float distance_m = 0.0F;     ///< signed; negative if penetrating
    Eigen::Vector3f normal = Eigen::Vector3f::Zero();     ///< unit, from the bone to the object
    Eigen::Vector3f on_body_m = Eigen::Vector3f::Zero();  ///< nearest point on the bone's surface
    Eigen::Vector3f on_object_m =
        Eigen::Vector3f::Zero();  ///< nearest point on the object's surface; on_object - on_body = distance * normal

    float depth_m() const { return distance_m < 0.0F ? -distance_m : 0.0F; }
};

/// The paper's counts: `n_u` boxes refitted, `n_v` box tests of find_candidates(), and `n_p` exact tests. The exact
/// query also tests boxes of the mesh's tree; `n_v_exact` counts these tests, which are not part of n_v.
struct CollideCounts {
    std::int64_t n_u = 0, n_v = 0, n_p = 0;
    std::int64_t n_v_object = 0;  ///< part of n_v: boxes of the body against objects' own boxes
    std::int64_t n_v_tree = 0;    ///< part of n_v: boxes of the body against boxes of a mesh's tree
    std::int64_t n_v_exact = 0;   ///< bones against boxes of a mesh's tree, in find_contacts()
    std::int64_t candidates = 0;  ///< #coll of the paper
    std::int64_t touching = 0;    ///< candidates that touch: distance <= touch distance
};

/// Appends to `out` every pair whose distance may be <= margin_m, sorted by (object, bone); misses none. With `memory`,
/// find_contacts() of the same pose starts where this traversal ended; contacts do not change. With a `tree` of these
/// objects, distant objects cost nothing; the candidates stay the same, with fewer box tests.
void find_candidates(const RefitMethod& method, const ArticulatedBody& body, const BodyPose& pose,
                     const BodyBoxes& boxes, std::span<const Collider> objects, float margin_m,
                     std::vector<Candidate>& out, CollideCounts& counts, std::uint32_t body_mask = ~0U,
                     DescentMemory* memory = nullptr, const ObjectTree* tree = nullptr);

/// Appends the deepest contact of each candidate whose distance is <= margin_m, in the order of the candidates. Adds
/// the number of pairs with a distance <= touch_m to counts.touching.
void find_contacts(const BodyPose& pose, std::span<const Collider> objects, std::span<const Candidate> candidates,
                   float margin_m, float touch_m, std::vector<Contact>& out, CollideCounts& counts,
                   DescentMemory* memory = nullptr);

/// Appends all contacts: one for each triangle within margin_m if the object is a mesh, otherwise one for each pair.
void find_all_contacts(const BodyPose& pose, std::span<const Collider> objects, std::span<const Candidate> candidates,
                       float margin_m, std::vector<Contact>& out, CollideCounts& counts,
                       DescentMemory* memory = nullptr);

/// Finds the nearest points of any two shapes. Returns false, and leaves `contact` unchanged, if the distance is more
/// than max_distance_m or a shape is not finite. Takes milliseconds for two meshes (query/mesh_depth.h) and
/// microseconds for all other pairs.
bool closest(const Shape& bone, const Shape& object, float max_distance_m, Contact& contact, CollideCounts& counts);

}  // namespace glovebox::collision
