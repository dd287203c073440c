// The table of the window's keyboard shortcuts, for input handling and the help.
#pragma once

#include <cstdint>
#include <span>

namespace glovebox::vr {

enum class Action : std::uint8_t {
    play,
    back,
    on,
    to_start,
    to_end,
    loop,
    faster,
    slower,
    show_all,
    follow,
    next_view,
    panel,
    more,
    help,
    open,
    picture,
    camera_key,
    boxes,
    idle_boxes,
    object_boxes,
    box_test,
    contacts,
    joint_axes,
    colliders,
    skin,
    solid_hand,
    outline,
    skin_tone,
    full_screen,
    quit,
    escape,
};

/// A key and its action.
struct Shortcut {
    Action action;
    std::int32_t key, other_key;  ///< SDL_Keycode; 0: none
    bool repeats;                 ///< repeats while the key is held; false for toggles, which would flicker
    const char* keys;     ///< text for the help, such as "left, right"; empty: the entry before includes this key
    const char* does;     ///< one sentence on the action
    bool in_lab = false;  ///< works in a laboratory, too, which has no hand and opens nothing
};
std::span<const Shortcut> shortcuts();
/// Returns the shortcut of an SDL_Keycode, or null if it has none.
const Shortcut* find_shortcut(std::int32_t key);

/// A use of the mouse, for the help.
struct MouseUse {
    const char *with, *does;
    bool in_lab = false;
};
std::span<const MouseUse> mouse_uses();
/// Returns the mouse's uses that apply only to a live glove without a wrist tracker.
std::span<const MouseUse> wrist_uses();

}  // namespace glovebox::vr
