// Draws the panel on the right: the time of each stage, the methods, the counts and the event list.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "vr/session/view_model.h"
#include "vr/ui/theme.h"

namespace glovebox::vr {

/// Large buttons that the panel has in a headset: 2 cm high, to be pressed by a fingertip.
enum class HeadsetButton : std::uint8_t { place, room, scene, pause, boxes, panel };
inline constexpr std::size_t kHeadsetButtonCount = 6;
std::string_view name_of(HeadsetButton button);

struct HeadsetButtons {
    struct Shown {
        HeadsetButton button;
        Box box;
    };
    std::vector<Shown> shown;              ///< where they were drawn last; empty without a headset
    int hovered = -1, pressed = -1;        ///< of those, by a fingertip: drawn so
    std::optional<HeadsetButton> clicked;  ///< by the mouse in the mirror; whoever obeys takes it
    bool panel_hidden = false;             ///< all but the button that shows it again
};

/// The panel's state between frames.
struct PanelState {
    enum class Filter : std::uint8_t { all, touches, trouble };
    Filter filter = Filter::all;
    HeadsetButtons headset;
};

/// Formats microseconds: "104", "8.5", "0.17". The caller switches to milliseconds from 10 ms on.
std::string format_us(double duration_us);

void draw_panel(const Brush& background, const Box& box, const ViewModel& model, PanelState& state,
                ViewCommands& commands);

}  // namespace glovebox::vr
