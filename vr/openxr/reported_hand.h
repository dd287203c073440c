// Record of one haptic call to the headset's runtime, for session logs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "tracking/hand_frame.h"

namespace glovebox::vr::openxr {

/// One haptic call for one hand.
struct ReportedHand {
    tracking::Side side = tracking::Side::right;
    std::string_view output;                                         ///< name of an entry of actuators()
    std::int64_t time_ns = 0;                                        ///< time of the call, on our clock
    std::optional<float> vibration;                                  ///< amplitude 0..1, for kPulse_ns; 0: a stop
    std::optional<std::array<float, tracking::kFingerCount>> force;  ///< 0..1 on each finger
};

}  // namespace glovebox::vr::openxr
