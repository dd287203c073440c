#include "scenes/force/passivity.h"

#include <algorithm>

namespace glovebox::scenes {

double passive_stiffness_n_per_m(double device_damping_n_s_per_m, double coupling_damping_n_s_per_m, double dt_s) {
    return std::max(0.0, 2.0 * (device_damping_n_s_per_m - coupling_damping_n_s_per_m) / dt_s);
}

Eigen::Vector3d PassivityObserver::pass(const Eigen::Vector3d& force_n, const Eigen::Vector3d& pad_at_m, double dt_s,
                                        double device_damping_n_s_per_m) {
    if (started) {
        const Eigen::Vector3d way_m = pad_at_m - pad_m;
        velocity_m_s = way_m / dt_s;
        if (!held_force_n.isZero(0.0))
            given_j += held_force_n.dot(way_m) - device_damping_n_s_per_m * way_m.dot(velocity_m_s);
    } else {
        velocity_m_s.setZero();
    }
    started = true;
    pad_m = pad_at_m;

    if (force_n.isZero(0.0)) {
        total_j += given_j;
        given_j = 0.0;
        held_force_n.setZero();
        return held_force_n;
    }

    // The next tick's work with this force: the way goes on as it went, and a light finger (kLightest_kg) may also be
    // accelerated by the force itself within the tick. More than was taken in is refused.
    constexpr double kLightest_kg = 0.05;
    const double strength_n = force_n.norm();
    const double way_along_m = strength_n > 0.0 ? velocity_m_s.dot(force_n) / strength_n * dt_s : 0.0;
    const double work_j = strength_n * (way_along_m + strength_n * dt_s * dt_s / kLightest_kg);
    double share = 1.0;
    if (way_along_m > 0.0 && work_j > -given_j) share = std::clamp(-given_j / work_j, 0.0, 1.0);
    refused_n_s += (1.0 - share) * strength_n * dt_s;
    held_force_n = share * force_n;
    return held_force_n;
}

}  // namespace glovebox::scenes
