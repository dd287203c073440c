// Convex hull against convex hull, frame after frame: distance or depth, remembering where the last answer was.
//
// Hulls move little between two frames, so the corners that decided last time nearly always decide again: a query then
// costs two scans for support points and one small solve. GJK where they are apart, EPA where they overlap, as in
// convex.h, in double; only the scans for support points are in float, in SIMD, and what they find is measured in
// double. [Gilbert88], [VanDenBergen01]
#pragma once

#include <array>
#include <cstdint>

#include "collision/box/convex_hull.h"
#include "collision/query/minkowski.h"

namespace glovebox::collision {

/// What a pair of hulls remembers: up to four corners of each. Empty, or of another pair or pose: only slower.
struct HullPairMemory {
    std::array<std::int32_t, 4> corners_a{}, corners_b{};
    std::int32_t count = 0;
};

/// Number of the corner furthest along a direction, by SIMD. Ties: any of them.
std::int32_t furthest_corner(const ConvexHull& hull, const Eigen::Vector3f& direction);

/// In a's frame. Right to 1e-6 of the size in both directions; where the hulls touch or are flat the answer is that of
/// convex.h. Points of hulls that overlap lie on them within three times that. Round hulls of hundreds of corners whose
/// middles nearly coincide take as long as some thousand scans, remembered or not: thousands of directions are about as
/// shallow, and all have to be ruled out. A pose that is not finite makes them infinitely_far().
ConvexPair closest(const ConvexHull& a, const ConvexHull& b, const Eigen::Isometry3f& a_from_b, HullPairMemory& memory);

}  // namespace glovebox::collision
