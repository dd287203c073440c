// Device limits of an OpenGloves glove on a serial port.
#pragma once

#include "vr/haptics/command.h"

namespace glovebox::vr {

// 115200 baud are 11520 bytes per second; a line for five fingers has at most 26 bytes.
inline constexpr DeviceLimits kOpenGlovesLimits = {.name = "OpenGloves on a serial port",
                                                   .commands_per_s = 200.0F,
                                                   .takes = {.force = false, .vibration = false, .motion_limit = true}};

}  // namespace glovebox::vr
