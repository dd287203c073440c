// The parts of a hand that a haptic device can push: the five fingers and the palm.
#pragma once

#include <array>
#include <string_view>

#include "tracking/hand_frame.h"

namespace glovebox::tracking {

inline constexpr int kHandPartCount = kFingerCount + 1;
inline constexpr int kPalmPart = kFingerCount;  ///< after thumb .. little
inline constexpr std::array<std::string_view, kHandPartCount> kHandPartNames = {"thumb", "index",  "middle",
                                                                                "ring",  "little", "palm"};

}  // namespace glovebox::tracking
