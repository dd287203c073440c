// What an OpenGloves glove on a serial port stands, and what a person may be given through it.
#pragma once

#include "vr/haptics/command.h"

namespace glovebox::vr {

// 115200 baud are 11520 bytes a second; a line of five fingers has at most 26.
inline constexpr DeviceLimits kOpenGlovesLimits = {.name = "OpenGloves on a serial port",
                                                   .commands_per_s = 200.0F,
                                                   .takes = {.force = false, .vibration = false, .motion_limit = true}};

}  // namespace glovebox::vr
