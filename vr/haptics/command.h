// Commands to haptic devices, and the limits of a device.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "tracking/hand_parts.h"

namespace glovebox::vr {

/// Command to a finger or the palm, as fractions of the device's maxima.
struct PartCommand {
    float force = 0.0F;      ///< 0..1: force on the part
    float vibration = 0.0F;  ///< 0..1: amplitude
    float limit = 0.0F;      ///< 0..1: fraction of the finger's range of motion that is blocked; 0: it moves freely
    bool operator==(const PartCommand&) const = default;
};

/// Command to all parts of one hand.
struct HapticCommand {
    std::int64_t time_ns = 0;
    std::int64_t sample_ns = 0;  ///< time of the hand sample that the command is based on; 0: not known
    tracking::Side side = tracking::Side::right;
    bool stop = false;                                        ///< switch everything off at once; `parts` is then zero
    std::array<PartCommand, tracking::kHandPartCount> parts;  ///< thumb .. little, palm
};

/// Kinds of command that a device accepts; others are not sent to it. A glove whose motors hold strings accepts motion
/// limits but no forces. Such a glove can only hold a finger back and adds no energy. Therefore only `force` needs
/// energy accounting (port.h).
struct DeviceTakes {
    bool force = true, vibration = true, motion_limit = false;
};

/// Limits of a device, and limits on its effect on the user. There is one constant value for each device.
struct DeviceLimits {
    std::string_view name = "glove";
    float max_force_n = 8.0F;      ///< force that `force` 1 produces
    float max_vibration_n = 2.0F;  ///< amplitude that `vibration` 1 produces
    /// Largest rise of `force` in a second. A fall is never limited.
    float force_slew_per_s = 25.0F;
    float vibration_slew_per_s = 200.0F;     ///< largest rise of the envelope of `vibration` in a second
    float mean_power = 0.5F;                 ///< long-run mean of level^2 that motors and skin tolerate
    float burst_s = 3.0F;                    ///< time at full level before `mean_power` applies
    float commands_per_s = 1000.0F;          ///< maximum rate for each hand; only the latest request is sent
    std::int64_t watchdog_ns = 100'000'000;  ///< the device is stopped after this long without a new request
    DeviceTakes takes = {};
    float hum_of_force = 0.0F;       ///< vibration that replaces force 1 on a device that vibrates but cannot push
    double damping_n_s_per_m = 0.3;  ///< friction at the finger, if the device pushes; 0.1 to 0.3 for gloves
    std::int64_t latency_ns = 0;     ///< time from a command to its force
};

}  // namespace glovebox::vr
