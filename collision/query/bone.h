// Distance and depth of rounded bones and boxes against each other, in closed form.
//
// All convex pairs follow one convention. If the shapes are disjoint, the distance is the Euclidean distance of the
// surfaces. If they penetrate, it is minus the length of the minimum translation, and the normal is along that
// translation. A round cone is the hull of its two end balls. Normals point from a to b, and on_b - on_a = distance *
// normal. In a tie, any one of the results is returned. A shape that is not finite touches nothing: each pair function
// then returns infinitely_far().
#pragma once

#include "collision/query/convex.h"

namespace glovebox::collision {

/// Returns the cone as a segment with a radius at each end, in double precision.
RoundSegment round_segment(const RoundCone& cone);

/// Returns the nearest points of two round segments. If one is a ball or both are capsules, the result is in closed
/// form; otherwise a convex search in one dimension finds it to 1e-9 of the length. If the axes cross, the normal is
/// perpendicular to both.
ConvexPair closest(const RoundSegment& a, const RoundSegment& b);

/// Returns the nearest points of a round segment and a box. The distance from the axis at parameter s to the box is the
/// root of a quadratic in s, piecewise with at most six breaks. If the axis point that minimises distance(s) -
/// radius(s) is outside the box, it gives the result. Otherwise the minimum translation lies along a face normal of the
/// box, or along a normal across a box axis and a generator of the segment's surface.
ConvexPair closest(const RoundSegment& a, const Obb& b);

/// Returns the nearest points of two rounded boxes, from the support points of their cores.
ConvexPair closest(const RoundedBox& a, const RoundedBox& b);

/// Returns the signed distance of a point to the solid box. `nearest` receives the nearest point on the surface.
double signed_distance(const Eigen::Vector3d& point, const Obb& box, Eigen::Vector3d& nearest);

/// Converts a result for two cores to that for the rounded shapes, by adding a radius to each core. Returns
/// infinitely_far() if a radius is not finite.
ConvexPair rounded(ConvexPair cores, double radius_a, double radius_b);

/// Returns the same contact with a and b exchanged.
ConvexPair swapped(const ConvexPair& pair);

}  // namespace glovebox::collision
