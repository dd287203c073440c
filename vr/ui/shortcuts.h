// The window's keys: one table that the window obeys and the help shows.
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

struct Shortcut {
    Action action;
    std::int32_t key, other_key;  ///< SDL_Keycode; 0: none
    bool repeats;                 ///< goes on while the key is held; what toggles would flicker
    const char* keys;             ///< for a person: "left, right"; empty: the line before says it
    const char* does;             ///< one plain sentence
};
std::span<const Shortcut> shortcuts();
/// Null: no action of its own.
const Shortcut* find_shortcut(std::int32_t key);

/// What the mouse does, for the help.
struct MouseUse {
    const char *with, *does;
};
std::span<const MouseUse> mouse_uses();
/// Only where a live glove has no tracker.
std::span<const MouseUse> wrist_uses();

}  // namespace glovebox::vr
