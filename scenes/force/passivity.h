// Does the force loop give the hand energy that it did not take from it before? Watched, and not let happen.
//
// A sampled spring holds its force for a whole tick, so it pushes back harder than it was pushed in and feeds the hand
// about K T / 2 v^2 a tick [Colgate97]. A device's own friction b swallows that while b > K T / 2 + |B|; the observer
// [Hannaford02] is for the devices where it does not.
#pragma once

#include <Eigen/Core>

namespace glovebox::scenes {

/// The stiffest wall that a device of damping b holds passively at ticks of dt_s with coupling damping B: K < 2 (b - B)
/// / T.
double passive_stiffness_n_per_m(double device_damping_n_s_per_m, double coupling_damping_n_s_per_m, double dt_s);

/// Energy through one pad's port. Plain values.
struct PassivityObserver {
    double given_j = 0.0;      ///< net energy given to the hand in this touch, less what the device's friction took
    double total_j = 0.0;      ///< the same over all touches that are over
    double refused_n_s = 0.0;  ///< impulse that was held back, summed
    Eigen::Vector3d held_force_n = Eigen::Vector3d::Zero();  ///< acting since the tick before
    Eigen::Vector3d pad_m = Eigen::Vector3d::Zero();         ///< and where the pad was then
    Eigen::Vector3d velocity_m_s = Eigen::Vector3d::Zero();
    bool started = false;

    /// Accounts for the work that the held force did since the last call (exactly: the force was constant) and for what
    /// the device's friction took meanwhile, then lets as much of `force_n` through as will not give more than was
    /// taken. `pad_m` is relative to the touched surface. A zero force ends a touch and its account: what one touch
    /// took in is not there for the next to give.
    Eigen::Vector3d pass(const Eigen::Vector3d& force_n, const Eigen::Vector3d& pad_m, double dt_s,
                         double device_damping_n_s_per_m);

    /// Forgets the way, not the energy: after a jump or a loss nothing was exchanged.
    void interrupt() {
        started = false;
        held_force_n.setZero();
    }
};

}  // namespace glovebox::scenes
