// Two triangles: do they meet, and how far apart are they? What the leaves of a traversal ask.
#pragma once

#include "collision/exact/triangle.h"

namespace glovebox::collision {

/// Separating axes in double: both normals, the nine edge pairs, and the in-plane edge normals where both are coplanar.
/// Touching counts. Triangles without area mean their segment or point.
bool overlap(const Triangle& a, const Triangle& b);

/// 0 when they meet. Edges against triangles, both ways: the nearest points of disjoint triangles lie on an edge of
/// one.
double distance_m(const Triangle& a, const Triangle& b);

}  // namespace glovebox::collision
