// A first look at two shapes: between which two numbers their distance lies, at a small part of the exact answer's
// cost.
//
// A search asks of most frames only whether a bone is within reach, and of a stretch of frames which one is nearest.
// Where the bounds decide that, no one needs contact points. The exact answer is always that of closest() in collide.h.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "collision/box/shape.h"

namespace glovebox::collision::clips {

struct DistanceBounds {
    float least_m = -std::numeric_limits<float>::infinity();
    float most_m = std::numeric_limits<float>::infinity();
};

/// Holds the distance that closest() gives for these two. A hundredth of a millimetre wide, more by eight millionths of
/// the lengths involved, where one of the two is a ball and the other a round cone or a rounded box, and for two
/// capsules; for two tapering cones as wide as they taper; without limits for all other shapes.
DistanceBounds distance_bounds(const Shape& a, const Shape& b);
DistanceBounds distance_bounds(const RoundCone& a, const RoundCone& b);

/// Pairs of a round cone and a ball in columns, seen from the ball's middle: all of them are looked at at once.
struct ConeBallPairs {
    static constexpr std::size_t kCapacity = 64;
    using Column = std::array<float, kCapacity>;

    std::size_t count = 0;
    // End a, end b - a, radii at both ends with the ball's added, of pairs [0, count).
    alignas(64) Column a_x{}, a_y{}, a_z{}, u_x{}, u_y{}, u_z{}, radius_a{}, radius_b{};

    /// There must be a place for it. In the header because it runs once a bone and frame.
    void add(const RoundCone& cone, const RoundCone& ball) {
        const float ball_m = std::max(ball.radius_a_m, ball.radius_b_m);
        a_x[count] = cone.a_m.x() - ball.a_m.x();
        a_y[count] = cone.a_m.y() - ball.a_m.y();
        a_z[count] = cone.a_m.z() - ball.a_m.z();
        u_x[count] = cone.b_m.x() - cone.a_m.x();
        u_y[count] = cone.b_m.y() - cone.a_m.y();
        u_z[count] = cone.b_m.z() - cone.a_m.z();
        radius_a[count] = cone.radius_a_m + ball_m;
        radius_b[count] = cone.radius_b_m + ball_m;
        ++count;
    }
    bool full() const { return count == kCapacity; }
};

inline bool is_ball(const RoundCone& cone) {
    return cone.a_m == cone.b_m;
}

struct BoundsColumns {
    alignas(64) ConeBallPairs::Column least_m, most_m;
};

/// The bounds of each pair. No allocation.
void distance_bounds(const ConeBallPairs& pairs, BoundsColumns& bounds);
/// The same, one pair after the other: what the tests compare with.
void distance_bounds_scalar(const ConeBallPairs& pairs, BoundsColumns& bounds);

}  // namespace glovebox::collision::clips
