// The user's choice of what is drawn. The panel and the keys change it; the renderer reads it.
#pragma once

#include <cstdint>

#include "tracking/hand_frame.h"

namespace glovebox::vr {

/// Which levels of the hand's hierarchy are drawn: the leaves, everything, nothing, or one level (0 is the root).
struct BoxLevels {
    static constexpr int kLeaves = -1, kAll = -2, kNone = -3;
    int level = kLeaves;
    bool operator==(const BoxLevels&) const = default;
};

/// Returns the level after `level` in the cycle of key B, or before it if `backwards`: leaves, the root, its children,
/// ..., everything, nothing.
inline int next_box_level(int level, int deepest, bool backwards) {
    const int count = deepest + 4;
    const int at = level == BoxLevels::kLeaves ? 0
                   : level == BoxLevels::kAll  ? deepest + 2
                   : level == BoxLevels::kNone ? deepest + 3
                                               : level + 1;
    const int next = (at + (backwards ? count - 1 : 1)) % count;
    return next == 0             ? BoxLevels::kLeaves
           : next == deepest + 2 ? BoxLevels::kAll
           : next == deepest + 3 ? BoxLevels::kNone
                                 : next - 1;
}

enum class SkinTone : std::uint8_t { clay, grey };

/// Which hand is drawn solid: the tracked one, or the proxy hand, which stays outside of objects. Where the two differ,
/// the other one is drawn as an outline.
enum class SolidHand : std::uint8_t { tracked, proxy };

/// Shown, hidden, or automatic: shown if the window is wide enough.
enum class PanelShown : std::uint8_t { automatic, shown, hidden };

/// A finger (0 thumb .. 4 little, 5 palm), one of its bones, or an object that the user points at. -1: none.
struct Marked {
    tracking::Side side = tracking::Side::right;
    int part = -1, bone = -1, object = -1;

    bool any() const { return part >= 0 || bone >= 0 || object >= 0; }
    bool operator==(const Marked&) const = default;
};

/// Settings of the view.
struct ViewSettings {
    BoxLevels boxes;
    int object_tree_level = -1;  ///< draw the tested boxes of this level of the meshes' trees; -1: none
    int box_test = -1;           ///< number of the box test that is shown while stepping; -1: not stepping
    bool object_boxes = true, idle_boxes = true, contacts = true, joint_axes = false, skin = true;
    bool colliders = false;  ///< draw the collision shapes, under a translucent skin
    bool outline = true;     ///< draw the outline of the hand that is not solid
    bool highlight = false;  ///< highlight objects that a hand is about to touch
    SkinTone tone = SkinTone::clay;
    SolidHand solid_hand = SolidHand::tracked;
    PanelShown panel = PanelShown::automatic;
    Marked pointed, chosen;  ///< under the mouse; selected by the last click

    const Marked& marked() const { return pointed.any() ? pointed : chosen; }
    bool operator==(const ViewSettings&) const = default;
};

}  // namespace glovebox::vr
