// What an OpenGloves glove on a serial port stands, and what a person may be given through it.
#pragma once

#include "vr/haptics/command.h"

namespace glovebox::vr {

// 115200 baud are 11520 bytes a second; a line of five fingers has at most 26.
inline constexpr DeviceLimits kOpenGlovesLimits = {
    "OpenGloves on a serial port", 8.0F, 2.0F, 25.0F, 200.0F, 0.5F, 3.0F, 200.0F, 100'000'000, {false, false, true}};

}  // namespace glovebox::vr
