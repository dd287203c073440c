// A finger with its muscles, a device on it, a tracker and the force loop, closed over a wall: what the port really
// gives and takes.
//
// The loop is the real one, governor and all; finger and device are integrated finely between its ticks. The tracker
// samples at its own rate and its samples come late; a command is in force from when the device says until the next.
// Energy is counted at the port, where the finger meets device and friction of the device: [Hannaford02].
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenes/scene.h"
#include "vr/haptics/command.h"

namespace glovebox::vr {

struct TrackerModel {
    double rate_hz = 90.0;
    double latency_s = 0.0;  ///< from a sample to the force loop
    double noise_m = 0.0;    ///< standard deviation of a sample's position
};

/// A mass on a spring and a damper to where the muscles want it [Hajian97].
struct FingerModel {
    double mass_kg = 0.02, stiffness_n_per_m = 250.0, damping_n_s_per_m = 1.0;
};

enum class Deed : std::uint8_t {
    throw_at,  ///< a free mass comes on at a speed: no muscles at all
    hit,       ///< the muscles go 10 mm inside as fast as the speed, and stay
    press,     ///< the same in 0.7 s, 8 mm
    stroke,    ///< 4 mm inside along the wall at 0.2 m/s over waves of 1 mm, then rest
    let_go,    ///< pressed 10 mm inside, then 60 mm away at the speed
};
std::string_view name_of(Deed deed);
inline constexpr int kDeedCount = 5;

struct ClosedLoop {
    TrackerModel tracker;
    FingerModel finger;
    Deed deed = Deed::press;
    double speed_m_s = 0.5;  ///< of deeds that have one: the highest on the way
    DeviceLimits device;
    double device_damping_n_s_per_m = 0.3;  ///< what it really has; its entry may say otherwise
    scenes::Material wall;
    double duration_s = 8.0;
};

struct ClosedLoopResult {
    double given_j = 0.0, taken_j = 0.0;  ///< at the port, from and to the finger, the device's friction included
    double most_net_j = 0.0;              ///< the most that ever had come out more than gone in
    double muscle_j = 0.0;                ///< what the muscles gave
    double out_over_in = 0.0;             ///< of a thrown mass: kinetic energy, after the touch over before
    double wobble_m = 0.0;                ///< from the highest to the lowest place in the last second
    double depth_m = 0.0, force_n = 0.0;  ///< means of the last second
    double most_force_n = 0.0;
    double stiffness_n_per_m() const { return depth_m > 1e-4 ? force_n / depth_m : 0.0; }
};

/// "hit at 0.5 m/s, 20 g, 250 N/m, 1 N s/m"
std::string text_of(const ClosedLoop& loop);

/// Fingers of 5 to 100 g, 50 to 1000 N/m and 0.2 to 5 N s/m, in every deed at 0.1 to 2 m/s. `few`: the extreme ones.
std::vector<ClosedLoop> finger_cells(const TrackerModel& tracker, const DeviceLimits& device, bool few);

/// Runs it: some 10 ms for a second at a time step of 50 us. The same values give the same result.
ClosedLoopResult run_closed_loop(const ClosedLoop& loop);

}  // namespace glovebox::vr
