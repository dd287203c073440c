// What goes to a haptic device.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "tracking/hand_parts.h"

namespace glovebox::vr {

/// What a finger or the palm gets: shares of what the device can do.
struct PartCommand {
    float force = 0.0F;      ///< 0..1: how hard the part is held back
    float vibration = 0.0F;  ///< 0..1: amplitude
    float limit = 0.0F;      ///< 0..1: share of the finger's range of motion that is closed off; 0: it moves free
    bool operator==(const PartCommand&) const = default;
};

struct HapticCommand {
    std::int64_t time_ns = 0;
    std::int64_t sample_ns = 0;  ///< when the hand was where this command is about; 0: not known
    tracking::Side side = tracking::Side::right;
    bool stop = false;                                        ///< everything off, now; the parts below are zero
    std::array<PartCommand, tracking::kHandPartCount> parts;  ///< thumb .. little, palm
};

/// What a device can be told; it gets nothing else. A glove whose motors hold strings takes a limit of motion and knows
/// nothing of newtons. It only holds back, so it gives the hand no energy: nothing but `force` needs a port (port.h).
struct DeviceTakes {
    bool force = true, vibration = true, motion_limit = false;
};

/// What a device stands and what a person may be given. A row of data for each device.
struct DeviceLimits {
    std::string_view name = "glove";
    float most_force_n = 8.0F;               ///< felt at force 1
    float most_vibration_n = 2.0F;           ///< felt at vibration 1
    float force_slew_per_s = 25.0F;          ///< rise of `force` in a second; falling is always allowed at once
    float vibration_slew_per_s = 200.0F;     ///< the same of `vibration`: what it swings between, not each half swing
    float mean_power = 0.5F;                 ///< long-run mean of level^2 that motors and skin stand
    float burst_s = 3.0F;                    ///< at full level for so long before `mean_power` rules
    float commands_per_s = 1000.0F;          ///< of the link, for each hand; between them the latest request wins
    std::int64_t watchdog_ns = 100'000'000;  ///< without a fresh request for so long the device is stopped
    DeviceTakes takes = {};
    float hum_of_force = 0.0F;       ///< of devices that cannot push but vibrate: their vibration at force 1
    double damping_n_s_per_m = 0.3;  ///< friction of a device that pushes, at the finger; gloves have 0.1 to 0.3
    std::int64_t latency_ns = 0;     ///< from a command to its force
};

}  // namespace glovebox::vr
