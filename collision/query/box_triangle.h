// Tests a box against a triangle by separating axes. If they are disjoint, the result is a lower bound of the distance;
// if they overlap, it is the minimum translation in closed form.
#pragma once

#include "collision/box/box.h"
#include "collision/query/convex.h"
#include "collision/query/triangle.h"

namespace glovebox::collision {

/// The gap along one axis, which is a face normal of the box, the triangle's normal, or the cross product of two edges.
struct AxisGap {
    double gap_m;
    int edge = -1;         ///< edge of the triangle; -1 for a face normal of the box
    int axis = -1;         ///< axis of the box; -1 for the triangle's normal
    bool against = false;  ///< true if the triangle is on the negative side of the axis
};

/// Returns the largest gap along the box's axes, the triangle's normal and their cross products. It is negative if box
/// and triangle overlap. It is at most the signed distance, and equals it if they overlap [Gottschalk96], up to the
/// rounding of the box's float axes (1e-7 of the sizes). A triangle without area has fewer axes, so the lower bound may
/// be less tight. Constant cost.
AxisGap gap_along_axes(const Obb& box, const Triangle& triangle);

/// True unless the triangle is nearly a line or a point. Such a triangle has fewer axes, so a gap might look like an
/// overlap.
bool has_area(const Triangle& triangle);

/// Returns distance or depth of a box (a) and a triangle (b), given the result of gap_along_axes(). If they overlap,
/// the result is in closed form, because the axes are the face normals of the Minkowski difference and the largest gap
/// belongs to its nearest face. If they are disjoint, it is in closed form if a corner and a face, or two edges, are as
/// near as the gap. In all other cases (two corners, parallel faces, no area) convex.h computes it.
ConvexPair closest(const Obb& box, const Triangle& triangle, const AxisGap& along);

/// Returns an upper bound of the gap's rounding error. An overlap smaller than this may not be real.
double rounding_of_gap(const Obb& box);

}  // namespace glovebox::collision
