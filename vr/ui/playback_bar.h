// The playback bar below the scene, with touch lanes, current position and seek controls.
#pragma once

#include <string>

#include "vr/render/view_settings.h"
#include "vr/session/view_model.h"
#include "vr/ui/theme.h"

namespace glovebox::vr {

/// The bar's state between frames.
struct PlaybackBarState {
    bool dragging = false;
};

/// Layout of the bar in logical pixels: touch lanes, the track below them, and the row of controls.
struct PlaybackLayout {
    Box box, lanes, track;
    float controls_y = 0.0F;  ///< middle of the row
};
float playback_bar_height(int lanes, float lane_pitch);
PlaybackLayout playback_layout(const Box& box, int lanes, float lane_pitch);

/// Position and total duration as text that fits beside the track, such as "1.250" and "/ 4.3 s". From 10,000 seconds
/// on, the texts are such as "2:46:40" and "/ 5:00:00". Both are empty for a recording of a single pose.
struct ClockText {
    std::string position, total;
};
ClockText clock_text(double position_s, double duration_s);

/// Buttons pressed in this frame that concern the user interface, not the session.
struct BarPresses {
    bool more = false, panel = false, show_all = false, follow = false, open = false;
};
/// Draws the bar. Clicks and drags on the track write seeks to `commands`; `state` stores whether a drag is in
/// progress.
BarPresses draw_playback_bar(const Brush& background, const PlaybackLayout& layout, const ViewModel& model,
                             ViewSettings& settings, PlaybackBarState& state, ViewCommands& commands);

}  // namespace glovebox::vr
