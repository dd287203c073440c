// Where a bone rests on an object: several points, the same however finely the object's surface is cut into triangles.
//
// A bone that lies on a table touches it along its length; one that leans into a corner touches two walls. One deepest
// point tells neither. Points are taken where the two shapes themselves put them, never a triangle of a smooth surface:
// - a round bone: its ends, every place along it where the gap has a minimum, both borders of a flat stretch that
//   carries it; for each of these every direction in which the surface is locally nearest;
// - a box: its corners, in the same way; a hull: the corners of the flat side that the deepest point is on;
// - under that side of a box or a hull, the ends of what carries it: the object's sharp edges (where the surface turns
//   by more than ten degrees), cut to the side and to the reach, of which the furthest in sixteen directions are taken.
// What lies on an edge or a corner of the mesh counts only where no triangle beside it is nearer: so a bone that slides
// over a flat table sees the table's normal alone. An object that is a round cone rests on a box or a hull as the bone
// does.
//
// Not looked for: of a hull a second side that rests as well, or what rests where it stands on an edge; under a side
// that lone corners of the object carry, others than the deepest; of a bone that is a mesh all but the deepest point.
#pragma once

#include <array>

#include "collision/collide.h"

namespace glovebox::collision {

struct ContactPoints {
    static constexpr std::size_t kMost = 8;
    std::array<Contact, kMost> points;  ///< deepest first; bone and object are not set
    std::size_t count = 0;

    std::span<const Contact> all() const& { return {points.data(), count}; }
    std::span<const Contact> all() && = delete;  // a view of a result that is gone
};

/// Points whose normals differ by less than this and whose places by less than half the bone's radius are one.
constexpr float kSameNormalCos = 0.985F;  // 10 degrees

/// Points of a pair within max_distance_m, at most ContactPoints::kMost, the deepest ones first. The first one is what
/// closest() gives, or as deep (of a hull in a mesh, whose depth is a search, it may be the deeper by a quarter). Empty
/// where that is further away. Where the core of a rounded bone itself is inside the object only the deepest point is
/// given: the surface is then no longer what the bone rests on. Ends and corners are taken for balls: of a bone that
/// leans, on_body_m may be beneath its surface by 1.5 % of the radius.
/// No allocation of its own. Some microseconds to tens of microseconds; where a mesh has thousands of triangles within
/// reach, about a microsecond for each.
ContactPoints contact_points(const Shape& bone, const Shape& object, float max_distance_m, CollideCounts& counts);

/// The same where closest() has already found the deepest one, within max_distance_m.
ContactPoints contact_points(const Shape& bone, const Shape& object, const Contact& deepest, float max_distance_m,
                             CollideCounts& counts);

/// All points of every contact that touches (distance <= touch_m): bone and object set, in the contacts' order, of each
/// pair the deepest first. Appends to `out` and never beyond its capacity, so that a frame asks for no memory.
void find_contact_points(const BodyPose& pose, std::span<const Collider> objects, std::span<const Contact> contacts,
                         float touch_m, std::vector<Contact>& out, CollideCounts& counts);

}  // namespace glovebox::collision
