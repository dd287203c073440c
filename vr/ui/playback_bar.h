// The bar below the scene: who touches what over the recording, where in it we are, and how to get elsewhere.
#pragma once

#include <string>

#include "vr/render/view_settings.h"
#include "vr/session/view_model.h"
#include "vr/ui/theme.h"

namespace glovebox::vr {

struct PlaybackBarState {
    bool dragging = false;
};

/// Of the bar: its lanes above the track, the track, and the row of controls.
struct PlaybackLayout {
    Box box, lanes, track;
    float controls_y = 0.0F;  ///< middle of the row
};
float playback_bar_height(int lanes, float lane_pitch);
PlaybackLayout playback_layout(const Box& box, int lanes, float lane_pitch);

/// Where and of how much, in words that have room before the track however long a recording is: "1.250" and "/ 4.3 s",
/// from 10,000 seconds on "2:46:40" and "/ 5:00:00". A recording of one pose has no time: nothing.
struct ClockText {
    std::string position, total;
};
ClockText clock_text(double position_s, double duration_s);

/// What was pressed in the bar that is not a command to the session.
struct BarPresses {
    bool more = false, panel = false, show_all = false, follow = false, open = false;
};
BarPresses draw_playback_bar(const Brush& background, const PlaybackLayout& layout, const ViewModel& model,
                             ViewSettings& settings, PlaybackBarState& state, ViewCommands& commands);

}  // namespace glovebox::vr
