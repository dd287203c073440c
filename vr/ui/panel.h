// The card on the right: what the frame costs, stage by stage, by which method, and what happened.
#pragma once

#include "vr/session/view_model.h"
#include "vr/ui/theme.h"

namespace glovebox::vr {

/// What the panel remembers between frames.
struct PanelState {
    enum class Filter : std::uint8_t { all, touches, trouble };
    Filter filter = Filter::all;
};

/// "104", "8.5", "0.17"; from 10 ms on in milliseconds is the caller's business.
std::string format_us(double duration_us);

void draw_panel(const Brush& background, const Box& box, const ViewModel& model, PanelState& state,
                ViewCommands& commands);

}  // namespace glovebox::vr
