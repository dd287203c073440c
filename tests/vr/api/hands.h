// A hand that descends on the ball of scene held-ball, through the C interface.
#pragma once

#include "vr/api/glovebox.h"

namespace glovebox::vr {

/// Returns the flat right hand of frame `i`: 2 mm lower in each, touching the ball from about frame 64 on.
inline gb_hand hand_coming_down(int i) {
    const float wrist_m[3] = {0.0F, 0.20F - 0.002F * static_cast<float>(i), 0.10F};
    gb_hand hand;
    gb_flat_hand(GB_RIGHT, wrist_m, &hand);
    return hand;
}

}  // namespace glovebox::vr
