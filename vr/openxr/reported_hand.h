// What a hand was told to feel through the headset's runtime, call by call.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "tracking/hand_frame.h"

namespace glovebox::vr::openxr {

struct ReportedHand {
    tracking::Side side = tracking::Side::right;
    std::string_view output;                                         ///< row of actuators()
    std::int64_t time_ns = 0;                                        ///< of the call, on our clock
    std::optional<float> vibration;                                  ///< 0..1, for kPulse_ns; 0: a stop
    std::optional<std::array<float, tracking::kFingerCount>> force;  ///< 0..1 on each finger
};

}  // namespace glovebox::vr::openxr
