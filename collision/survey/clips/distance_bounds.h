// Cheap lower and upper bounds of the distance of two shapes, at a small fraction of the cost of the exact distance.
//
// For most frames, a search needs only to know whether a bone is within reach; in an interval, it needs to know which
// frame is nearest. If the bounds decide that, no exact query is needed. The exact distance is that of closest() in
// collide.h.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "collision/box/shape.h"

namespace glovebox::collision::clips {

struct DistanceBounds {
    float min_m = -std::numeric_limits<float>::infinity();
    float max_m = std::numeric_limits<float>::infinity();
};

/// Returns bounds of the distance that closest() gives for the two shapes. For two capsules, and for a ball and a round
/// cone or rounded box, the bounds differ by 0.01 mm plus 8e-6 of the lengths involved. For two tapering cones they
/// differ by the taper as well. For all other shapes they are infinite.
DistanceBounds distance_bounds(const Shape& a, const Shape& b);
DistanceBounds distance_bounds(const RoundCone& a, const RoundCone& b);

/// Pairs of a round cone and a ball, stored as columns relative to the ball's centre, so that SIMD tests all at once.
struct ConeBallPairs {
    static constexpr std::size_t kCapacity = 64;
    using Column = std::array<float, kCapacity>;

    std::size_t count = 0;
    // Per pair: end a, end b - a, and the radii at both ends with the ball's radius added. Pairs [0, count) are used.
    alignas(64) Column a_x{}, a_y{}, a_z{}, u_x{}, u_y{}, u_z{}, radius_a{}, radius_b{};

    /// Adds a pair; the columns must not be full(). Defined in the header because it runs once per bone and frame.
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
    alignas(64) ConeBallPairs::Column min_m, max_m;
};

/// Computes the bounds of each pair. No allocation.
void distance_bounds(const ConeBallPairs& pairs, BoundsColumns& bounds);
/// Does the same, one pair at a time; the reference for tests.
void distance_bounds_scalar(const ConeBallPairs& pairs, BoundsColumns& bounds);

}  // namespace glovebox::collision::clips
