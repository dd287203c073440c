// A body against the objects of a scene: box tests first, exact contacts after.
//
// Two calls, so that each can be timed and counted: find_candidates() walks the body's hierarchy against every object,
// together with the object's own tree where it is a mesh (descent.h), and lists the (bone, object) pairs that it could
// not rule out; find_contacts() decides them exactly. The columns of the paper fall out: coll = candidates, true =
// pairs that touch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "collision/body/refit.h"
#include "collision/query/descent_memory.h"
#include "collision/query/object_tree.h"

namespace glovebox::collision {

/// Something that a body can touch.
struct Collider {
    Shape shape;               ///< world
    Obb box;                   ///< bounds the shape, world
    std::uint32_t mask = ~0U;  ///< skipped unless (mask & body_mask) != 0
};

struct Candidate {
    std::int32_t bone, object;
    /// Where the exact query begins: DescentMemory::parts of the descent that found it; -1: at the root.
    std::int32_t first_part = -1, part_count = 0;
};

/// Nearest points of one bone and one object; all in world coordinates.
struct Contact {
    std::int32_t bone = -1, object = -1;
    std::int32_t triangle = -1;                        ///< of the mesh that one of the two is; -1: neither or both are
    float distance_m = 0.0F;                           ///< signed: negative is penetrating. depth = max(0, -distance)
    Eigen::Vector3f normal = Eigen::Vector3f::Zero();  ///< unit, from the hand to the object
    Eigen::Vector3f on_body_m = Eigen::Vector3f::Zero();  ///< witness on the bone's surface
    Eigen::Vector3f on_object_m =
        Eigen::Vector3f::Zero();  ///< witness on the object's surface; on_object - on_body = distance * normal

    float depth_m() const { return distance_m < 0.0F ? -distance_m : 0.0F; }
};

/// What the paper counts, where it happens. `n_u` boxes refitted, `n_v` box tests of find_candidates(), `n_p` primitive
/// tests. The exact query prunes by boxes of the mesh's tree as well: `n_v_exact`, not among n_v.
struct CollideCounts {
    std::int64_t n_u = 0, n_v = 0, n_p = 0;
    std::int64_t n_v_object = 0;  ///< of n_v: a box of the body against an object's outer box
    std::int64_t n_v_tree = 0;    ///< of n_v: a box of the body against a box of a mesh's tree
    std::int64_t n_v_exact = 0;   ///< a bone against a box of a mesh's tree, in find_contacts()
    std::int64_t candidates = 0;  ///< #coll
    std::int64_t touching = 0;    ///< candidates that touch: distance <= touch distance
};

/// Lists every pair whose distance may be <= margin_m (none is missed). Appends to `out`; sorted by (object, bone).
/// With a memory, find_contacts() of the same pose goes on from where the descent ended; contacts are the same without.
/// With a tree that follows these objects, those that are far cost nothing: candidates are the same, box tests fewer.
void find_candidates(const RefitMethod& method, const ArticulatedBody& body, const BodyPose& pose,
                     const BodyBoxes& boxes, std::span<const Collider> objects, float margin_m,
                     std::vector<Candidate>& out, CollideCounts& counts, std::uint32_t body_mask = ~0U,
                     DescentMemory* memory = nullptr, const ObjectTree* tree = nullptr);

/// Nearest points of each candidate, kept where the distance is <= margin_m; one Contact per pair, the deepest.
/// Appends to `out` in the order of the candidates. A pair that touches is counted in counts.touching when its
/// distance is <= touch_m.
void find_contacts(const BodyPose& pose, std::span<const Collider> objects, std::span<const Candidate> candidates,
                   float margin_m, float touch_m, std::vector<Contact>& out, CollideCounts& counts,
                   DescentMemory* memory = nullptr);

/// The same with every contact: of a mesh, one for each triangle that the bone comes near, else one a pair.
void find_all_contacts(const BodyPose& pose, std::span<const Collider> objects, std::span<const Candidate> candidates,
                       float margin_m, std::vector<Contact>& out, CollideCounts& counts,
                       DescentMemory* memory = nullptr);

/// One bone and one object, without candidates: the exact answer whatever the distance, if that is <= max_distance_m.
/// Either may be of any shape; two meshes take milliseconds (exact/mesh_depth.h), all else microseconds. What is not
/// finite is near nothing. Where it returns false, `contact` stays as it was.
bool closest(const Shape& bone, const Shape& object, float max_distance_m, Contact& contact, CollideCounts& counts);

}  // namespace glovebox::collision
