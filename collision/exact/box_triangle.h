// How far apart a box and a triangle are along the axes that can part them: a bound that is cheap enough to ask before
// their exact distance.
#pragma once

#include "collision/box.h"
#include "collision/exact/triangle.h"

namespace glovebox::collision {

/// The largest gap along the box's axes, the triangle's normal and what is across both; negative where they overlap on
/// all of them. Never more than the signed distance, which it equals where they overlap [Gottschalk96]; both up to the
/// rounding of the box's float axes, some 1e-7 of the sizes. Triangles without area have fewer axes: the bound holds,
/// and may be low. Constant cost.
double gap_along_axes(const Obb& box, const Triangle& triangle);

}  // namespace glovebox::collision
