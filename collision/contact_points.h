// Where a bone rests on an object: several points, the same however finely the object's surface is cut into triangles.
//
// A bone that lies on a table touches it along its length; one that leans into a corner touches two walls. One deepest
// point tells neither. Points are taken where the surface's own shape puts them, never a triangle's: both ends of the
// bone (the corners of a rounded box), the deepest point, the borders of a flat stretch that carries it, and for each
// of these every direction in which the surface is locally nearest. What lies on an edge or a corner of the mesh counts
// only where no triangle beside it is nearer: so a bone that slides over a flat table sees the table's normal alone.
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

/// All points of a pair within max_distance_m, at most ContactPoints::kMost, the deepest ones first. The first one is
/// what closest() gives. Empty where that is further away. Where the bone's core itself is inside the object only the
/// deepest point is given: the surface is then no longer what the bone rests on. No allocation; some microseconds.
ContactPoints contact_points(const Shape& bone, const Shape& object, float max_distance_m, CollideCounts& counts);

/// The same where closest() has already found the deepest one, within max_distance_m.
ContactPoints contact_points(const Shape& bone, const Shape& object, const Contact& deepest, float max_distance_m,
                             CollideCounts& counts);

/// All points of every contact that touches (distance <= touch_m): bone and object set, in the contacts' order, of each
/// pair the deepest first. Appends to `out` and never beyond its capacity, so that a frame asks for no memory.
void find_contact_points(const BodyPose& pose, std::span<const Collider> objects, std::span<const Contact> contacts,
                         float touch_m, std::vector<Contact>& out, CollideCounts& counts);

}  // namespace glovebox::collision
