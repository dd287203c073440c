// Do two triangles share a point?
//
// Separating axes in double: both normals, the nine products of edges and, where the triangles are nearly parallel or
// degenerate, the edges' normals within the planes. Touching counts. Triangles without area are the lines or points
// that they are. Exact but for rounding: triangles closer than about 1e-15 of their coordinates are taken to touch.
#pragma once

#include "collision/exact/triangle.h"

namespace glovebox::collision {

bool triangles_touch(const Triangle& a, const Triangle& b);

}  // namespace glovebox::collision
