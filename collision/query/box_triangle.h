// A box against a triangle by separating axes: a lower bound of the distance, and if they overlap the minimum
// translation in closed form.
#pragma once

#include "collision/box/box.h"
#include "collision/query/convex.h"
#include "collision/query/triangle.h"

namespace glovebox::collision {

/// The gap along one axis: a face normal of the box, the triangle's normal, or the cross product of two edges.
struct AxisGap {
    double gap_m;
    int edge = -1;         ///< edge of the triangle; -1: a face normal of the box
    int axis = -1;         ///< axis of the box; -1: the triangle's normal
    bool against = false;  ///< the triangle lies on the negative side of the axis
};

/// Returns the largest gap along the box's axes, the triangle's normal and their cross products; negative if the two
/// overlap along all axes. The gap is at most the signed distance, and equals it if they overlap [Gottschalk96], up to
/// the rounding of the box's float axes (1e-7 of the sizes). A triangle without area has fewer axes, so its bound may
/// be low. Constant cost.
AxisGap gap_along_axes(const Obb& box, const Triangle& triangle);

/// True unless the triangle is nearly a line or a point. With fewer axes a gap might look like an overlap.
bool has_area(const Triangle& triangle);

/// Returns distance or depth of a box (a) and a triangle (b), given the result of gap_along_axes(). Overlapping: closed
/// form, since the axes are the face normals of the Minkowski difference and the largest gap belongs to its nearest
/// face. Apart: closed form if a corner and a face, or two edges, are as near as the gap. Otherwise (two corners,
/// parallel faces, no area) convex.h computes it.
ConvexPair closest(const Obb& box, const Triangle& triangle, const AxisGap& along);

/// Returns an upper bound of the gap's rounding error. An overlap smaller than this may not be real.
double rounding_of_gap(const Obb& box);

}  // namespace glovebox::collision
