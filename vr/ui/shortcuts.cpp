#include "vr/ui/shortcuts.h"

#include <SDL_keycode.h>

#include <algorithm>
#include <array>

namespace glovebox::vr {
namespace {

constexpr std::array kShortcuts = {
    Shortcut{Action::play, SDLK_SPACE, 0, false, "space", "play or pause", true},
    Shortcut{Action::back, SDLK_LEFT, 0, true, "left, right", "one frame back or on; ten with shift", true},
    Shortcut{Action::on, SDLK_RIGHT, 0, true, "", "", true},
    Shortcut{Action::to_start, SDLK_HOME, 0, false, "Home, End", "go to the start, go to the end", true},
    Shortcut{Action::to_end, SDLK_END, 0, false, "", "", true},
    Shortcut{Action::loop, SDLK_l, 0, false, "L", "loop, or stop at the end", true},
    Shortcut{Action::faster, SDLK_PLUS, SDLK_EQUALS, true, "+ and -", "faster, slower", true},
    Shortcut{Action::faster, SDLK_KP_PLUS, 0, true, "", "", true},
    Shortcut{Action::slower, SDLK_MINUS, SDLK_KP_MINUS, true, "", "", true},
    Shortcut{Action::show_all, SDLK_r, 0, false, "R", "show all hands and objects", true},
    Shortcut{Action::follow, SDLK_f, 0, false, "F", "follow the hand"},
    Shortcut{Action::next_view, SDLK_v, 0, false, "V", "look from the front, the side, above, at the palm", true},
    Shortcut{Action::panel, SDLK_TAB, 0, false, "Tab", "show or hide the panel", true},
    Shortcut{Action::more, SDLK_m, 0, false, "M", "everything that can be shown, opened and saved", true},
    Shortcut{Action::open, SDLK_n, 0, false, "N", "another recording or scene; or drop a file here"},
    Shortcut{Action::picture, SDLK_p, 0, false, "P", "save a picture of the window", true},
    Shortcut{Action::camera_key, SDLK_k, 0, false, "K", "save this view and time, for glovebox video --camera"},
    Shortcut{Action::boxes, SDLK_b, 0, false, "B", "next level of the hand's boxes; with shift the previous"},
    Shortcut{Action::idle_boxes, SDLK_i, 0, false, "I", "idle boxes"},
    Shortcut{Action::object_boxes, SDLK_o, 0, false, "O", "boxes of objects"},
    Shortcut{Action::box_test, SDLK_t, 0, true, "T", "next box test of this frame; with shift the previous; Esc ends"},
    Shortcut{Action::contacts, SDLK_c, 0, false, "C", "contacts"},
    Shortcut{Action::joint_axes, SDLK_a, 0, false, "A", "axes of the joints"},
    Shortcut{Action::colliders, SDLK_d, 0, false, "D", "colliders: the shapes of the bones"},
    Shortcut{Action::skin, SDLK_s, 0, false, "S", "the hand's skin"},
    Shortcut{Action::solid_hand, SDLK_h, 0, false, "H", "solid: the tracked hand, or the proxy"},
    Shortcut{Action::outline, SDLK_u, 0, false, "U", "show or hide the outline of the other"},
    Shortcut{Action::skin_tone, SDLK_g, 0, false, "G", "clay or grey"},
    Shortcut{Action::help, SDLK_F1, SDLK_QUESTION, false, "F1 or ?", "these lines", true},
    Shortcut{Action::full_screen, SDLK_F11, 0, false, "F11", "full screen", true},
    Shortcut{Action::quit, SDLK_q, 0, false, "Q", "quit", true},
    Shortcut{Action::escape, SDLK_ESCAPE, 0, false, "Esc", "close what is open; else ask before leaving", true},
};

constexpr std::array kMouse = {
    MouseUse{"drag", "orbit", true},
    MouseUse{"wheel", "zoom", true},
    MouseUse{"right drag, shift-drag", "pan", true},
    MouseUse{"double click", "show all, or follow the hand"},
    MouseUse{"click", "mark a bone or an object"},
    MouseUse{"click on a lane", "go to that touch"},
};
constexpr std::array kWrist = {
    MouseUse{"ctrl-drag, arrows", "move the glove's wrist"},
    MouseUse{"ctrl-wheel, page keys", "move it away or near; up or down"},
    MouseUse{"ctrl-right drag, comma, full stop", "turn it"},
};

}  // namespace

std::span<const Shortcut> shortcuts() {
    return kShortcuts;
}

const Shortcut* find_shortcut(std::int32_t key) {
    const auto found = std::ranges::find_if(
        kShortcuts, [key](const Shortcut& row) { return key != 0 && (row.key == key || row.other_key == key); });
    return found == kShortcuts.end() ? nullptr : &*found;
}

std::span<const MouseUse> mouse_uses() {
    return kMouse;
}
std::span<const MouseUse> wrist_uses() {
    return kWrist;
}

}  // namespace glovebox::vr
