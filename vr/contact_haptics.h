// From what a hand touches to what its device is told to do, frame by frame.
//
// Force: the deepest contact of each finger as a spring of the object's stiffness, as a share of the device's most.
// Vibration: a burst where a touch begins, as strong as the finger was fast, dying away.
#pragma once

#include "scenes/step.h"
#include "vr/haptics/command.h"

namespace glovebox::vr {

struct ContactHaptics {
    DeviceLimits limits;
    float full_speed_m_s = 0.5F;  ///< a touch this fast is felt at full strength; a tap of a finger is 0.3
    float fade_per_s = 25.0F;     ///< of the burst: gone after about 100 ms
    float weakest_burst = 0.15F;  ///< slower touches are still felt
    std::array<std::array<float, tracking::kFingerCount>, 2> burst{};  ///< by Side

    /// After a step. A hand that is not there gets a stop. No allocation.
    std::array<HapticCommand, 2> after_step(const scenes::Scene& scene, const scenes::World& world,
                                            std::span<const scenes::Event> events, std::int64_t now_ns, double dt_s);
};

}  // namespace glovebox::vr
