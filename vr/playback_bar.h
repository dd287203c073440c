// The bar below the scene: where in the recording we are, and how to get elsewhere.
#pragma once

#include "vr/theme.h"
#include "vr/view_model.h"

namespace glovebox::vr {

struct PlaybackBarState {
    bool dragging = false;
};

/// Sets `more_clicked` when the three dots were pressed: the popover with everything that is hidden by default.
void draw_playback_bar(const Brush& background, const Box& box, const ViewModel& model, PlaybackBarState& state,
                       ViewCommands& commands, bool& more_clicked);

}  // namespace glovebox::vr
