// Convex hull against convex hull: distance or depth, warm-started from the result of the last frame.
//
// Hulls move little between frames, so the same corners usually decide again. A query then costs two scans
// for support points and one small solve. GJK if apart, EPA if they overlap, as in convex.h. Only the scans
// for support points use float and SIMD; the points found are evaluated in double. [Gilbert88],
// [VanDenBergen01]
#pragma once

#include <array>
#include <cstdint>

#include "collision/box/convex_hull.h"
#include "collision/query/minkowski.h"

namespace glovebox::collision {

/// Warm start of a pair of hulls: up to four corners of each. If empty, or from another pair or pose, only slower.
struct HullPairMemory {
    std::array<std::int32_t, 4> corners_a{}, corners_b{};
    std::int32_t count = 0;
};

/// Returns the number of the corner farthest along a direction, by SIMD. Ties: any of them.
std::int32_t furthest_corner(const ConvexHull& hull, const Eigen::Vector3f& direction);

/// Returns the nearest points in a's frame, accurate to 1e-6 of the size in either direction. If the hulls touch or are
/// flat, convex.h computes the result. The points of overlapping hulls lie on them within three times that. Round hulls
/// with hundreds of corners and nearly coincident centres take as long as some thousand scans, warm-started or not.
/// Thousands of directions are then nearly as shallow, and all must be excluded. Returns infinitely_far() if the pose
/// is not finite.
ConvexPair closest(const ConvexHull& a, const ConvexHull& b, const Eigen::Isometry3f& a_from_b, HullPairMemory& memory);

}  // namespace glovebox::collision
