// Convex hull against convex hull: distance or depth, warm-started from the result of the last frame.
//
// Hulls move little between frames, so the nearest corners usually stay the same. A query then costs two scans for
// support points and one small solve. It uses GJK if the hulls are disjoint and EPA if they overlap, as in convex.h.
// Only the scans for support points use float and SIMD; the points found are evaluated in double. [Gilbert88],
// [VanDenBergen01]
#pragma once

#include <array>
#include <cstdint>

#include "collision/box/convex_hull.h"
#include "collision/query/minkowski.h"

namespace glovebox::collision {

/// Warm start of a pair of hulls: up to four corners of each. It never changes the result: if it is empty, or of
/// another pair or a distant pose, the query is only slower.
struct HullPairMemory {
    std::array<std::int32_t, 4> corners_a{}, corners_b{};
    std::int32_t count = 0;
};

/// Returns the index of the corner farthest along a direction, found with SIMD; in a tie, any one of them.
std::int32_t furthest_corner(const ConvexHull& hull, const Eigen::Vector3f& direction);

/// Returns the nearest points in a's frame. Distance and depth are accurate to 1e-6 of the size of the larger hull. If
/// the hulls overlap, each point is at most 3e-6 of that size away from the surface of its hull. If the hulls touch or
/// are flat, convex.h computes the result. Round hulls with hundreds of corners and nearly coincident centres take as
/// long as thousands of scans, even with a warm start. The depth is then almost the same in thousands of directions,
/// and each must be excluded. Returns infinitely_far() if the pose is not finite.
ConvexPair closest(const ConvexHull& a, const ConvexHull& b, const Eigen::Isometry3f& a_from_b, HullPairMemory& memory);

}  // namespace glovebox::collision
