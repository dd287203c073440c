#include "collision/survey/space_time/space_time_bound.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <tuple>

namespace glovebox::collision {
namespace {

constexpr int kMaxSteps = 64;

bool is_finite(const BoundedMotion& motion) {
    return motion.center_m.allFinite() && motion.velocity_m_s.allFinite() && std::isfinite(motion.radius_m) &&
           std::isfinite(motion.max_acceleration_m_s2);
}

// Returns the seconds until a gap closes that shrinks at rate `closing`, which grows at rate `acceleration`.
double closes_in_s(double gap, double closing, double acceleration) {
    const double root = std::sqrt(closing * closing + 2.0 * acceleration * gap);
    // Two forms of the quadratic's root avoid the difference of nearly equal numbers.
    if (closing > 0.0) return 2.0 * gap / (closing + root);
    return acceleration > 0.0 ? (root - closing) / acceleration : std::numeric_limits<double>::infinity();
}

bool due_later(const PairSchedule::Due& x, const PairSchedule::Due& y) {
    return std::tie(x.time_s, x.a, x.b) > std::tie(y.time_s, y.a, y.b);
}

}  // namespace

double horn_contact_s(const BoundedMotion& a, const BoundedMotion& b, double horizon_s) {
    if (!is_finite(a) || !is_finite(b)) return 0.0;
    const Eigen::Vector3d offset_m = b.center_m - a.center_m, velocity_m_s = b.velocity_m_s - a.velocity_m_s;
    const double reach_m = a.radius_m + b.radius_m,
                 acceleration_m_s2 = a.max_acceleration_m_s2 + b.max_acceleration_m_s2;
    double time_s = 0.0;
    for (int step = 0; step < kMaxSteps; ++step) {
        const Eigen::Vector3d between_m = offset_m + time_s * velocity_m_s;
        const double distance_m = between_m.norm();
        const double gap = distance_m - reach_m - 0.5 * acceleration_m_s2 * time_s * time_s;
        // Smaller than rounding error: this is the contact.
        if (!(gap > 1e-13 * distance_m)) break;
        const double closing = acceleration_m_s2 * time_s - between_m.dot(velocity_m_s) / distance_m;
        time_s += closes_in_s(gap, closing, acceleration_m_s2);
        if (time_s >= horizon_s) return horizon_s;
    }
    return time_s;
}

double trapezoid_contact_s(const BoundedMotion& a, const BoundedMotion& b, double horizon_s) {
    assert(std::isfinite(horizon_s));
    if (!is_finite(a) || !is_finite(b)) return 0.0;
    // A face of the horn is convex in time, so the chord from now to the horizon lies outside it. So the sum of both
    // half edges grows by M T / 2 per second. On each axis the boxes overlap during an interval; on all three at once
    // from the latest beginning to the earliest end.
    const double half_m = a.radius_m + b.radius_m,
                 growth_m_s = 0.5 * (a.max_acceleration_m_s2 + b.max_acceleration_m_s2) * horizon_s;
    double begin_s = 0.0, end_s = horizon_s;
    for (int axis = 0; axis < 3; ++axis) {
        const double offset_m = b.center_m[axis] - a.center_m[axis],
                     velocity_m_s = b.velocity_m_s[axis] - a.velocity_m_s[axis];
        for (const double side : {1.0, -1.0}) {
            // side * (offset + velocity t) <= half + growth t
            const double room_m = half_m - side * offset_m, rate_m_s = side * velocity_m_s - growth_m_s;
            if (rate_m_s > 0.0)
                end_s = std::min(end_s, room_m / rate_m_s);
            else if (rate_m_s < 0.0)
                begin_s = std::max(begin_s, room_m / rate_m_s);
            else if (room_m < 0.0)
                return horizon_s;
        }
    }
    return begin_s <= end_s ? begin_s : horizon_s;
}

std::span<const SpaceTimeBound> space_time_bounds() {
    static constexpr std::array kBounds = {
        SpaceTimeBound{"horn", "balls that grow with the square of time", horn_contact_s},
        SpaceTimeBound{"hypertrapezoid", "boxes around them whose faces move at constant velocities",
                       trapezoid_contact_s},
    };
    return kBounds;
}

PairSchedule::PairSchedule(std::int32_t bodies, double start_s) {
    for (std::int32_t b = 1; b < bodies; ++b)
        for (std::int32_t a = 0; a < b; ++a) heap_.push_back({start_s, a, b});
    std::make_heap(heap_.begin(), heap_.end(), due_later);
}

void PairSchedule::put_back(double time_s) {
    std::pop_heap(heap_.begin(), heap_.end(), due_later);
    heap_.back().time_s = time_s;
    std::push_heap(heap_.begin(), heap_.end(), due_later);
}

}  // namespace glovebox::collision
