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
    bool stop = false;                                        ///< everything off, now; the parts below are zero
    std::array<PartCommand, tracking::kHandPartCount> parts;  ///< thumb .. little, palm
};

/// Kinds of command that a device takes; it gets no others. A glove whose motors hold strings takes a motion limit but
/// no force. It can only hold back, so it adds no energy: only `force` needs energy accounting (port.h).
struct DeviceTakes {
    bool force = true, vibration = true, motion_limit = false;
};

/// Limits of a device and of what it may do to a person. One value for each device.
struct DeviceLimits {
    std::string_view name = "glove";
    float max_force_n = 8.0F;                ///< felt at force 1
    float max_vibration_n = 2.0F;            ///< felt at vibration 1
    float force_slew_per_s = 25.0F;          ///< rise of `force` in a second; falling is always allowed at once
    float vibration_slew_per_s = 200.0F;     ///< likewise for the envelope of `vibration`
    float mean_power = 0.5F;                 ///< long-run mean of level^2 that motors and skin tolerate
    float burst_s = 3.0F;                    ///< time at full level before `mean_power` applies
    float commands_per_s = 1000.0F;          ///< maximum rate for each hand; the latest request wins
    std::int64_t watchdog_ns = 100'000'000;  ///< the device is stopped after this long without a new request
    DeviceTakes takes = {};
    float hum_of_force = 0.0F;       ///< for devices that vibrate but cannot push: vibration that replaces force 1
    double damping_n_s_per_m = 0.3;  ///< friction of a device that pushes, at the finger; gloves have 0.1 to 0.3
    std::int64_t latency_ns = 0;     ///< from a command to its force
};

}  // namespace glovebox::vr
