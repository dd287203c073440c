// The bar below the scene: where in the recording we are, and how to get elsewhere.
#pragma once

#include <string>

#include "vr/session/view_model.h"
#include "vr/ui/theme.h"

namespace glovebox::vr {

struct PlaybackBarState {
    bool dragging = false;
};

/// Where and of how much, in words that have room before the track however long a recording is: "1.250" and "/ 4.3 s",
/// from 10,000 seconds on "2:46:40" and "/ 5:00:00". A recording of one pose has no time: nothing.
struct ClockText {
    std::string position, total;
};
ClockText clock_text(double position_s, double duration_s);

/// Sets `more_clicked` when the three dots were pressed: the popover with everything that is hidden by default.
void draw_playback_bar(const Brush& background, const Box& box, const ViewModel& model, PlaybackBarState& state,
                       ViewCommands& commands, bool& more_clicked);

}  // namespace glovebox::vr
