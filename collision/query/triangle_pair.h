// Intersection and distance of two triangles: the test at the leaves when two trees are traversed.
#pragma once

#include "collision/query/triangle.h"

namespace glovebox::collision {

/// True if and only if the triangles share a point, decided without rounding error. Touching and coplanar overlap
/// count. A triangle without area is the segment or point that it covers. Corners must be finite. Takes about 40 ns, or
/// a few microseconds of exact arithmetic where rounding could decide (touching, coplanar). [Guigue03]
bool triangles_touch(const Triangle& a, const Triangle& b);

/// The same for triangles that are known not to lie on one side of each other's planes. `a_sides` are the sides of a's
/// corners relative to b's plane, in the sense of orientation_sign() and never 0: +1 below, -1 above; `b_sides` the
/// reverse.
bool triangles_touch(const Triangle& a, const std::array<int, 3>& a_sides, const Triangle& b,
                     const std::array<int, 3>& b_sides);

/// The nearest points of two triangles; in a tie, any one pair.
struct TriangleGap {
    double distance_m = 0.0;  ///< 0 if they meet
    Eigen::Vector3d on_a, on_b;
};

/// Returns the nearest points of two triangles, accurate to 1e-15 of the coordinates' size. Tests the edges of each
/// against the other, because the nearest points of disjoint triangles lie on an edge of one.
TriangleGap closest(const Triangle& a, const Triangle& b);
double distance_m(const Triangle& a, const Triangle& b);

}  // namespace glovebox::collision
