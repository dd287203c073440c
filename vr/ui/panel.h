// Draws the panel on the right: the time of each stage, the methods, the counts and the event list.
#pragma once

#include "vr/session/view_model.h"
#include "vr/ui/theme.h"

namespace glovebox::vr {

/// The panel's state between frames.
struct PanelState {
    enum class Filter : std::uint8_t { all, touches, trouble };
    Filter filter = Filter::all;
};

/// Formats microseconds: "104", "8.5", "0.17". The caller switches to milliseconds from 10 ms on.
std::string format_us(double duration_us);

void draw_panel(const Brush& background, const Box& box, const ViewModel& model, PanelState& state,
                ViewCommands& commands);

}  // namespace glovebox::vr
