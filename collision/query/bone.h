// Rounded bones and boxes against each other, in closed form.
//
// One convention for all convex pairs: apart, the Euclidean distance of the surfaces; overlapping, minus the length of
// the shortest translation that separates them, and the normal along it. A round cone is the hull of its two end balls.
// Normals go from a to b and on_b - on_a = distance * normal. Where many answers are equally good, one is given. What
// is not finite touches nothing: each pair function then says infinitely_far().
#pragma once

#include "collision/query/convex.h"

namespace glovebox::collision {

RoundSegment round_segment(const RoundCone& cone);

/// Closed form where one of the two is a ball or both are capsules; else a one-dimensional convex search to 1e-9 of the
/// length. Axes that cross have the normal perpendicular to both.
ConvexPair closest(const RoundSegment& a, const RoundSegment& b);

/// Where the axis is outside the box at the s with the least distance(s) - radius(s), that is the answer, apart or
/// overlapping: the distance to a box is piecewise the root of a quadratic in s with at most six breaks. Else the
/// shortest way out is along a face normal or a normal across a box axis and a generator.
ConvexPair closest(const RoundSegment& a, const Obb& b);

/// Rounded boxes; through the support points of their cores.
ConvexPair closest(const RoundedBox& a, const RoundedBox& b);

/// Signed distance of a point to the solid box; `nearest` on its surface.
double signed_distance(const Eigen::Vector3d& point, const Obb& box, Eigen::Vector3d& nearest);

/// Adds a radius to either side of an answer between cores. A radius that is not finite makes them infinitely_far().
ConvexPair rounded(ConvexPair cores, double radius_a, double radius_b);

/// The same contact told from b's side.
ConvexPair swapped(const ConvexPair& pair);

}  // namespace glovebox::collision
