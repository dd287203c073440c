// Space-time bounds: the earliest time at which two moving bodies can touch [Hubbard95].
//
// A ball holds the body, its velocity is known now, and its acceleration has a limit but no known direction. At time t
// the body then lies in a ball of radius r + M t^2 / 2 round its unaccelerated path: a horn in space-time. Two bodies
// cannot touch before their horns do, so that no test of the pair is needed earlier. Nothing reads a clock.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace glovebox::collision {

/// A body now, and what is known of its future.
struct BoundedMotion {
    Eigen::Vector3d center_m = Eigen::Vector3d::Zero(), velocity_m_s = Eigen::Vector3d::Zero();
    double radius_m = 0.0;               ///< of the ball round the center that holds the body, however it turns
    double max_acceleration_m_s2 = 0.0;  ///< limit of the acceleration's length, in any direction
};

/// Returns how far apart the two balls are now; negative where they overlap.
inline double gap_m(const BoundedMotion& a, const BoundedMotion& b) {
    return (b.center_m - a.center_m).norm() - a.radius_m - b.radius_m;
}

/// Returns the seconds from now until the two horns first touch, at most `horizon_s`; never later than that, and
/// earlier by rounding only. 0 if the balls overlap already or a number is not finite. `horizon_s` may be infinite.
///
/// Each step of the search is proven: along the line between the centers the gap closes at no more than its present
/// rate, so the time at which that alone would close it has no contact before it. Converges to the first contact from
/// below, in 3 to 6 steps; a grazing pair ends after 64 steps with a time that is still safe.
double horn_contact_s(const BoundedMotion& a, const BoundedMotion& b, double horizon_s);

/// Returns the seconds until the hypertrapezoids round the two horns first touch: boxes whose six faces each move at a
/// constant velocity and contain the horn up to `horizon_s`, which must be finite. A cheaper and earlier answer.
double trapezoid_contact_s(const BoundedMotion& a, const BoundedMotion& b, double horizon_s);

struct SpaceTimeBound {
    std::string_view name, summary;
    double (*contact_s)(const BoundedMotion& a, const BoundedMotion& b, double horizon_s);
};
std::span<const SpaceTimeBound> space_time_bounds();

/// When to look at which pair of bodies: each pair when its bound has run out, and no pair before.
class PairSchedule {
  public:
    struct Due {
        double time_s;  ///< on the caller's clock
        std::int32_t a, b;
    };

    /// All pairs of `bodies` are due at `start_s`.
    PairSchedule(std::int32_t bodies, double start_s);

    /// The pair that is due first. At least one pair must be waiting.
    const Due& next() const { return heap_.front(); }
    /// Puts the pair that is due first back, with a new time. O(log pairs).
    void put_back(double time_s);

  private:
    std::vector<Due> heap_;  // the earliest first; of equal times the pair with the lower numbers
};

}  // namespace glovebox::collision
