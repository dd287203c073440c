// Simulates in a closed loop how a finger with muscles, a device, a tracker and the force loop touch a wall, and counts
// energy.
//
// The force loop is the real one, including the governor. Finger and device are integrated in small steps between its
// ticks. The tracker has its own rate and latency. A command takes effect after the latency of the device and acts
// until the next one. Energy is counted as in [Hannaford02], at the port between the finger and the device with its
// friction.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenes/scene.h"
#include "vr/haptics/command.h"

namespace glovebox::vr {

/// Rate, latency and noise of a tracker.
struct TrackerModel {
    double rate_hz = 90.0;
    double latency_s = 0.0;  ///< time from a sample to its arrival in the force loop
    double noise_m = 0.0;    ///< standard deviation of a sample's position
};

/// A mass on a spring and a damper whose rest position the muscles move [Hajian97].
struct FingerModel {
    double mass_kg = 0.02, stiffness_n_per_m = 250.0, damping_n_s_per_m = 1.0;
};

/// Motions of the finger.
enum class FingerTask : std::uint8_t {
    throw_at,  ///< a free mass arrives at the given speed, without muscles
    hit,       ///< the muscles move 10 mm into the wall at the given speed, and stay
    press,     ///< the muscles move 8 mm into the wall in 0.7 s, and stay
    stroke,    ///< moves along the wall, 4 mm inside, at 0.2 m/s over waves of 1 mm, then rests
    let_go,    ///< presses 10 mm into the wall, then moves 60 mm away at the given speed
};
std::string_view name_of(FingerTask task);
inline constexpr int kFingerTaskCount = 5;

/// One simulation.
struct ClosedLoop {
    TrackerModel tracker;
    FingerModel finger;
    FingerTask task = FingerTask::press;
    double speed_m_s = 0.5;  ///< the given speed: maximum of the motion, if the task uses one
    DeviceLimits device;
    double device_damping_n_s_per_m = 0.3;  ///< true friction; the value in `device` may differ value
    scenes::Material wall;
    double duration_s = 8.0;
};

/// Result of a simulation.
struct ClosedLoopResult {
    double released_j = 0.0,
           absorbed_j = 0.0;              ///< energy at the port, from and to the finger, with the device's friction
    double max_net_j = 0.0;               ///< maximum over time of the net energy that left the device
    double muscle_j = 0.0;                ///< work of the muscles
    double out_over_in = 0.0;             ///< for a thrown mass: ratio of kinetic energies after and before the touch
    double oscillation_m = 0.0;           ///< range of positions in the last second
    double depth_m = 0.0, force_n = 0.0;  ///< means over the last second
    double max_force_n = 0.0;
    double stiffness_n_per_m() const { return depth_m > 1e-4 ? force_n / depth_m : 0.0; }
};

/// Returns a description of a simulation, such as "hit at 0.5 m/s, 20 g, 250 N/m, 1 N s/m".
std::string text_of(const ClosedLoop& loop);

/// Returns simulations of fingers with 5 to 100 g, 50 to 1000 N/m and 0.2 to 5 N s/m, in every motion at 0.1 to 2 m/s.
/// If `few` is true, returns only the extreme ones.
std::vector<ClosedLoop> finger_cells(const TrackerModel& tracker, const DeviceLimits& device, bool few);

/// Runs a simulation with a time step of 50 us. Takes about 10 ms per simulated second. The result is deterministic.
ClosedLoopResult run_closed_loop(const ClosedLoop& loop);

}  // namespace glovebox::vr
