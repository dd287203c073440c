// Benchmark workload for space-time bounds: randomly moving balls with bounded acceleration and exactly known
// trajectories.
//
// The acceleration of a ball is constant over 0.05 s and bounded in magnitude, so positions at any time are exact. Each
// ball steers towards a velocity that changes occasionally, and back into the room.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "collision/survey/fit/random.h"
#include "collision/survey/space_time/space_time_bound.h"

namespace glovebox::collision {

struct WanderingSettings {
    int bodies = 60;
    double room_half_m = 0.3;
    double radius_min_m = 0.005, radius_max_m = 0.015;  ///< like fingertips
    double speed_m_s = 2.0;                             ///< maximum target speed per axis
    double max_acceleration_m_s2 = 20.0;                ///< the same bound for every ball
    double duration_s = 2.0;
};

class WanderingBodies {
  public:
    WanderingBodies(const WanderingSettings& settings, std::uint64_t seed) : settings_(settings) {
        Random random(seed);
        const auto vector = [&](double size) -> Eigen::Vector3d {
            return {random.between(-size, size), random.between(-size, size), random.between(-size, size)};
        };
        const auto knots = static_cast<std::size_t>(settings.duration_s / kKnot_s) + 2;
        for (int body = 0; body < settings.bodies; ++body) {
            radius_m_.push_back(random.between(settings.radius_min_m, settings.radius_max_m));
            std::vector<Knot>& path = paths_.emplace_back();
            Knot knot{vector(settings.room_half_m), vector(settings.speed_m_s), {}};
            Eigen::Vector3d wanted_m_s = knot.velocity_m_s;
            for (std::size_t k = 0; k < knots; ++k) {
                if (random.unit() < 0.1) wanted_m_s = vector(settings.speed_m_s);
                for (int axis = 0; axis < 3; ++axis)
                    if (std::abs(knot.center_m[axis]) > settings.room_half_m)
                        wanted_m_s[axis] = -std::copysign(wanted_m_s[axis], knot.center_m[axis]);
                knot.acceleration_m_s2 = (wanted_m_s - knot.velocity_m_s) / kKnot_s;
                const double length = knot.acceleration_m_s2.norm();
                if (length > settings.max_acceleration_m_s2)
                    knot.acceleration_m_s2 *= settings.max_acceleration_m_s2 / length;
                path.push_back(knot);
                knot.center_m += kKnot_s * knot.velocity_m_s + 0.5 * kKnot_s * kKnot_s * knot.acceleration_m_s2;
                knot.velocity_m_s += kKnot_s * knot.acceleration_m_s2;
            }
        }
    }

    /// Returns the state of a ball at `time_s`, from 0 to the settings' duration.
    BoundedMotion at(std::int32_t body, double time_s) const {
        const auto i = static_cast<std::size_t>(body);
        const auto k = std::min(static_cast<std::size_t>(time_s / kKnot_s), paths_[i].size() - 1);
        const Knot& knot = paths_[i][k];
        const double since_s = time_s - kKnot_s * static_cast<double>(k);
        return {knot.center_m + since_s * knot.velocity_m_s + 0.5 * since_s * since_s * knot.acceleration_m_s2,
                knot.velocity_m_s + since_s * knot.acceleration_m_s2, radius_m_[i], settings_.max_acceleration_m_s2};
    }
    const WanderingSettings& settings() const { return settings_; }

  private:
    static constexpr double kKnot_s = 0.05;
    struct Knot {
        Eigen::Vector3d center_m, velocity_m_s, acceleration_m_s2;
    };
    WanderingSettings settings_;
    std::vector<double> radius_m_;
    std::vector<std::vector<Knot>> paths_;
};

/// A contact interval of a pair of bodies, a < b.
struct TouchSpan {
    std::int32_t a, b;
    double begin_s, end_s;
};

/// Follows all pairs for the settings' duration and returns their contact intervals, in the order in which they end. A
/// pair is tested when its bound expires and, while touching, every `frame_s` seconds. Bounds reach at most `horizon_s`
/// ahead. Pairs nearer than `near_m` count as touching; otherwise an approaching pair would be tested infinitely often.
/// `near_m` must be positive. Adds the number of pair tests to `samples`.
std::vector<TouchSpan> follow_touches(const WanderingBodies& world, const SpaceTimeBound& bound, double frame_s,
                                      double horizon_s, double near_m, std::int64_t& samples);

/// Does the same by testing every pair every `step_s` seconds: ground truth for small steps, per-frame testing for
/// larger ones. Adds the number of pair tests to `samples`.
std::vector<TouchSpan> sample_touches(const WanderingBodies& world, double step_s, std::int64_t& samples);

/// Returns how many of `spans` overlap no span of the same pair in `found`.
std::int64_t count_missed(const std::vector<TouchSpan>& spans, const std::vector<TouchSpan>& found);

}  // namespace glovebox::collision
