// Where a bone rests on an object: several points, the same however finely the object's surface is cut into triangles.
//
// A bone that lies on a table touches it along its length; one that leans into a corner touches two walls. One deepest
// point tells neither. Points are taken where the two shapes themselves put them, never a triangle of a smooth surface:
// - a round bone: its ends, every place along it where the gap has a minimum, both borders of a flat stretch that
//   carries it; for each of these every direction in which the surface is locally nearest;
// - a box: its corners, in the same way; a hull: the corners of the flat side that the deepest point is on;
// - under that side of a box or a hull, the ends of what carries it: the object's sharp edges (where the surface turns
//   by more than ten degrees), cut to the side and to the reach, of which the furthest in sixteen directions are taken;
//   its tips (lone corners, from which all falls steeply) are taken all, or those furthest apart;
// - a hull that stands on an edge: the ends of that edge, over a flat side of the object;
// - a hull in a mesh: the same for up to three more ways in which the mesh faces it, as the wall beside a table;
// - a mesh as the bone: what the object would rest on it, told from the other side. Two meshes: what is under the flat
//   sides of either. Where a mesh is smooth, what is level within 0.01 % of its size is an end of what carries.
// What lies on an edge or a corner of the mesh counts only where no triangle beside it is nearer: so a bone that slides
// over a flat table sees the table's normal alone. An object that is a round cone rests on a box or a hull as the bone
// does. A box without a radius is as a hull.
//
// Not looked for: in a hull, what goes deeper along its side than closest() says (of a nail or an edge of a mesh that
// is in a hull, closest() tells how thick it is there, and no point may be deeper than that); of flat-topped pegs under
// a side those between the outer ones; of an edge of a hull what carries it where the object is not flat; of two
// meshes more than one way in which they face each other.
#pragma once

#include <array>

#include "collision/query/collide.h"

namespace glovebox::collision {

struct ContactPoints {
    static constexpr std::size_t kMax = 8;
    std::array<Contact, kMax> points;  ///< deepest first; bone and object are not set
    std::size_t count = 0;

    std::span<const Contact> all() const& { return {points.data(), count}; }
    std::span<const Contact> all() && = delete;  // a view of a result that is gone
};

/// Points whose normals differ by less than this and whose places by less than half the bone's radius are one.
constexpr float kSameNormalCos = 0.985F;  // 10 degrees

/// Points of a pair within max_distance_m, at most ContactPoints::kMax, the deepest ones first. The first one is what
/// closest() gives, or as deep (2 %; of a mesh in anything it may differ by 0.1 % of its size and 0.02 % of the
/// other's). Empty where that is further away. Where the core of a rounded bone itself is inside the object only the
/// deepest point is given: the surface is then no longer what the bone rests on. Ends and corners are taken for balls:
/// of a bone that leans, on_body_m may be beneath its surface by 1.5 % of the radius. No allocation of its own. Some
/// microseconds to tens of microseconds; where a mesh has thousands of triangles within reach, or a hull hundreds of
/// sides, about a microsecond for each. In two meshes closest() takes longer by far.
ContactPoints contact_points(const Shape& bone, const Shape& object, float max_distance_m, CollideCounts& counts);

/// The same where closest() has already found the deepest one, within max_distance_m.
ContactPoints contact_points(const Shape& bone, const Shape& object, const Contact& deepest, float max_distance_m,
                             CollideCounts& counts);

/// All points of every contact that touches (distance <= touch_m): bone and object set, in the contacts' order, of each
/// pair the deepest first. Appends to `out` and never beyond its capacity, so that a frame asks for no memory.
void find_contact_points(const BodyPose& pose, std::span<const Collider> objects, std::span<const Contact> contacts,
                         float touch_m, std::vector<Contact>& out, CollideCounts& counts);

}  // namespace glovebox::collision
