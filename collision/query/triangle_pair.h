// Two triangles: do they meet, and how far apart are they? What the leaves of every pair of trees ask.
#pragma once

#include "collision/query/triangle.h"

namespace glovebox::collision {

/// Exactly: yes if and only if the two share a point. Touching counts, and so does lying in one plane and overlapping
/// there. A triangle without area means the segment or the point that it is. Corners must be finite. About 40 ns; where
/// rounding could decide (touching, coplanar), some microseconds of exact arithmetic. [Guigue03]
bool triangles_touch(const Triangle& a, const Triangle& b);

/// Nearest points of two triangles; of many equally near pairs one is given.
struct TriangleGap {
    double distance_m = 0.0;  ///< 0 when they meet
    Eigen::Vector3d on_a, on_b;
};

/// Edges against triangles, both ways: the nearest points of disjoint triangles lie on an edge of one. Exact to 1e-15
/// of the coordinates' size.
TriangleGap closest(const Triangle& a, const Triangle& b);
double distance_m(const Triangle& a, const Triangle& b);

}  // namespace glovebox::collision
