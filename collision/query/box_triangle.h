// A box and a triangle along their separating axes: a lower bound of the distance, and if they overlap the minimum
// translation in closed form.
#pragma once

#include "collision/box/box.h"
#include "collision/query/convex.h"
#include "collision/query/triangle.h"

namespace glovebox::collision {

/// The gap along one axis: a face normal of the box, the triangle's normal, or the cross product of two edges.
struct AxisGap {
    double gap_m;
    int edge = -1;         ///< of the triangle; -1: a face normal of the box
    int axis = -1;         ///< of the box; -1: the triangle's normal
    bool against = false;  ///< the triangle lies on the negative side of the axis
};

/// Returns the largest gap along the box's axes, the triangle's normal and their cross products; negative if the two
/// overlap along all axes. The gap is never more than the signed distance, and equals it if they overlap
/// [Gottschalk96], up to the rounding of the box's float axes (1e-7 of the sizes). A triangle without area has fewer
/// axes, so its bound may be low. Constant cost.
AxisGap gap_along_axes(const Obb& box, const Triangle& triangle);

/// True unless the triangle is nearly a line or a point. With fewer axes a gap may look like an overlap.
bool has_area(const Triangle& triangle);

/// Returns distance or depth of a box (a) and a triangle (b), given gap_along_axes(). Overlapping, it is closed form:
/// these axes are the face normals of the Minkowski difference, so the largest gap belongs to its nearest face. Apart,
/// it is closed form if two points are as near as the gap: a corner and a face, or two edges. Otherwise (two corners,
/// parallel faces, no area) convex.h computes it.
ConvexPair closest(const Obb& box, const Triangle& triangle, const AxisGap& along);

/// Returns an upper bound of the rounding error of the gap. A smaller overlap may be none.
double rounding_of_gap(const Obb& box);

}  // namespace glovebox::collision
