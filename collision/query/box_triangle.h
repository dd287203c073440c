// A box and a triangle along the axes that can part them: how far apart at least, and where they overlap the shortest
// way out in closed form.
#pragma once

#include "collision/box/box.h"
#include "collision/query/convex.h"
#include "collision/query/triangle.h"

namespace glovebox::collision {

/// The gap along one axis: a normal of the box's face, of the triangle, or across an edge of each.
struct AxisGap {
    double gap_m;
    int edge = -1;         ///< of the triangle; -1: along a face's normal
    int axis = -1;         ///< of the box; -1: along the triangle's normal
    bool against = false;  ///< the triangle lies on the other side, where the axis does not point
};

/// The largest gap along the box's axes, the triangle's normal and what is across both; negative where they overlap on
/// all of them. Never more than the signed distance, which it equals where they overlap [Gottschalk96]; both up to the
/// rounding of the box's float axes, some 1e-7 of the sizes. Triangles without area have fewer axes: the bound holds,
/// and may be low. Constant cost.
AxisGap gap_along_axes(const Obb& box, const Triangle& triangle);

/// Not a line or a point, nor nearly: with fewer axes a gap may be seen as an overlap.
bool has_area(const Triangle& triangle);

/// Distance or depth of a box (a) and a triangle (b), whose gap along axes is known. In closed form where they overlap:
/// all faces of their difference, a convex polytope, have such normals, so that the axis of the largest gap is the
/// nearest face's. And where they are apart and two points are as near to each other as that axis says, as a corner and
/// a face or two edges are. Else (two corners, parallel faces, no area) that of convex.h.
ConvexPair closest(const Obb& box, const Triangle& triangle, const AxisGap& along);

/// What rounding may take of the gap, with room: an overlap by less may be none.
double rounding_of_gap(const Obb& box);

}  // namespace glovebox::collision
