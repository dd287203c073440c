// Contact manifolds: the points at which a bone touches an object, however finely the object is cut into triangles.
//
// A bone on a table touches along its length; a bone in a corner touches two walls. One deepest point shows neither. So
// a manifold has a point at each of these places, but not on every triangle of a smooth surface:
// - A round bone has points at its ends, at every local minimum of the gap along it, and at both borders of a flat
//   stretch under it. At each of these places there is a point for every direction in which the surface is locally
//   nearest.
// - A box has points at its corners, found in the same manner. A hull has points at the corners of the flat side with
//   the deepest point.
// - Under a flat side of a box or a hull, the object's sharp edges (where the surface turns by more than ten degrees)
//   are clipped to the side and the reach. The ends farthest in sixteen directions are kept. Tips (lone corners of
//   steep cones) are kept too: all, or those farthest apart if there are too many.
// - A hull that stands on an edge over a flat side of the object has points at the ends of the edge.
// - A hull on a mesh also has points for up to three more directions from which the mesh faces it, such as that of a
//   wall beside a table.
// - If the bone is a mesh, its points are those that the object would have on it. Two meshes have points under the flat
//   sides of either. On a smooth mesh, points that are level within 0.01 % of its size count as ends.
//
// A point on an edge or a corner of the mesh counts only if no adjacent triangle is nearer. So a bone that slides over
// a flat table gets only the table's normal. If the object is a round cone, it takes the role of the bone. A box
// without radius is treated as a hull.
//
// Some points are not found: points deeper than closest() reports, such as nails or edges inside a hull; the inner
// points of several flat-topped pegs under a side; and points under an edge of a hull where the object is not flat. If
// two meshes face each other in several directions, only one direction is found.
#pragma once

#include <array>

#include "collision/query/collide.h"

namespace glovebox::collision {

/// A contact manifold: the contact points of one pair.
struct ContactPoints {
    static constexpr std::size_t kMax = 8;
    std::array<Contact, kMax> points;  ///< deepest first; bone and object are not set
    std::size_t count = 0;

    std::span<const Contact> all() const& { return {points.data(), count}; }
    std::span<const Contact> all() && = delete;  // would be a view of a temporary
};

/// Cosine of 10 degrees. Two points are merged if their normals differ by less than this angle, and their positions by
/// less than half the bone's radius.
constexpr float kSameNormalCos = 0.985F;

/// Returns the contact manifold of a pair: at most ContactPoints::kMax points within max_distance_m, the deepest first.
/// It is empty if the pair is farther apart. The first point is as deep as the result of closest(), to 2 %. If the bone
/// is a mesh, the two may differ by 0.1 % of its size and 0.02 % of the object's. If the core of a rounded bone is
/// inside the object, only the deepest point is returned. Ends and corners are treated as balls, so on_body_m of a
/// tilted bone may lie beneath its surface by 1.5 % of the radius. Does not allocate. Takes microseconds to tens of
/// microseconds, plus about one microsecond for each triangle within reach and each flat side of a hull.
ContactPoints contact_points(const Shape& bone, const Shape& object, float max_distance_m, CollideCounts& counts);

/// Returns the same manifold, given the result of closest() within max_distance_m.
ContactPoints contact_points(const Shape& bone, const Shape& object, const Contact& deepest, float max_distance_m,
                             CollideCounts& counts);

/// Appends the manifold of every contact with distance <= touch_m, in the contacts' order, the deepest point of a pair
/// first. Stops when `out` reaches its capacity, so it never allocates.
void find_contact_points(const BodyPose& pose, std::span<const Collider> objects, std::span<const Contact> contacts,
                         float touch_m, std::vector<Contact>& out, CollideCounts& counts);

}  // namespace glovebox::collision
