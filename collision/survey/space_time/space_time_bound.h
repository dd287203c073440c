// Space-time bounds: lower bounds of the time at which two moving bodies can touch [Hubbard95].
//
// A ball contains the body; its current velocity is known, and its acceleration is bounded in magnitude only. At time t
// the body lies in a ball of radius r + M t^2 / 2 around its unaccelerated path, where M is that bound: a horn in
// space-time. Two bodies cannot touch before their horns do, so the pair needs no earlier test. No function reads a
// clock.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace glovebox::collision {

/// The current state of a body and the bounds of its future.
struct BoundedMotion {
    Eigen::Vector3d center_m = Eigen::Vector3d::Zero(), velocity_m_s = Eigen::Vector3d::Zero();
    double radius_m = 0.0;               ///< radius of a ball around the center that contains the body in any rotation
    double max_acceleration_m_s2 = 0.0;  ///< bound of the acceleration's magnitude
};

/// Returns the distance of the two balls now; negative if they overlap.
inline double gap_m(const BoundedMotion& a, const BoundedMotion& b) {
    return (b.center_m - a.center_m).norm() - a.radius_m - b.radius_m;
}

/// Returns the seconds from now until the two horns first touch, at most `horizon_s`. The result is never too late, and
/// too early by rounding only. Returns 0 if the balls overlap already or a number is not finite. `horizon_s` may be
/// infinite.
///
/// Each step of the search is safe: along the line between the centers, the gap closes at no more than its present
/// rate. So no contact can happen before that rate would close it. The search converges to the first contact from
/// below, in 3 to 6 steps. For a grazing pair it ends after 64 steps, with a time that is still safe.
double horn_contact_s(const BoundedMotion& a, const BoundedMotion& b, double horizon_s);

/// Returns the time until the hypertrapezoids around the two horns first touch. It is cheaper, and never later than the
/// contact of the horns. A hypertrapezoid is a box whose six faces each move at a constant velocity. It contains the
/// horn up to `horizon_s`, which must be finite.
double trapezoid_contact_s(const BoundedMotion& a, const BoundedMotion& b, double horizon_s);

struct SpaceTimeBound {
    std::string_view name, summary;
    double (*contact_s)(const BoundedMotion& a, const BoundedMotion& b, double horizon_s);
};
std::span<const SpaceTimeBound> space_time_bounds();

/// A queue of body pairs ordered by the time of their next test. Each pair is due when its bound expires.
class PairSchedule {
  public:
    struct Due {
        double time_s;  ///< on the caller's clock
        std::int32_t a, b;
    };

    /// Makes all pairs of `bodies` due at `start_s`.
    PairSchedule(std::int32_t bodies, double start_s);

    /// Returns the pair that is due first. There must be at least one pair.
    const Due& next() const { return heap_.front(); }
    /// Reschedules the pair that is due first for time_s. O(log pairs).
    void put_back(double time_s);

  private:
    std::vector<Due> heap_;  // a heap, the earliest first; in a tie, the pair with the lower indices
};

}  // namespace glovebox::collision
