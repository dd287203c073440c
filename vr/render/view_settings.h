// The user's settings of the view. The panel and the keys change them; the renderer reads them.
#pragma once

#include <cstdint>

#include "tracking/hand_frame.h"

namespace glovebox::vr {

/// Levels of the hand's hierarchy to draw: the leaves, all levels, none, or one level (0 is the root).
struct BoxLevels {
    static constexpr int kLeaves = -1, kAll = -2, kNone = -3;
    int level = kLeaves;
    bool operator==(const BoxLevels&) const = default;
};

/// Returns the level after `level` in the cycle of key B, or the level before it if `backwards`. The cycle is: leaves,
/// the root, its children, ..., all levels, none.
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

/// Colour of the hand: like clay, or grey.
enum class SkinTone : std::uint8_t { clay, grey };

/// The hand that is drawn solid: the tracked hand, or the proxy hand, which stays outside of objects. Where the two
/// differ, the other hand is drawn as an outline.
enum class SolidHand : std::uint8_t { tracked, proxy };

/// Visibility of the panel; if `automatic`, it is shown if the window is wide enough.
enum class PanelShown : std::uint8_t { automatic, shown, hidden };

/// The thing that the user points at or has chosen: a part of a hand (0 thumb .. 4 little, 5 palm), one bone, or an
/// object. On the timeline it is a part and the object that it touches. -1 means none.
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
    int box_test = -1;           ///< box test that is shown while the user steps through a frame's tests; -1: none
    bool object_boxes = true, contacts = true, joint_axes = false, skin = true;
    bool idle_boxes = true;  ///< draw the bones' boxes that overlap no object (the grey ones)
    bool colliders = false;  ///< draw the shapes of the bones that the exact tests use, under a translucent skin
    bool outline = true;     ///< draw the outline of the hand that is not solid
    bool highlight = false;  ///< highlight objects that a hand is about to touch
    SkinTone tone = SkinTone::clay;
    SolidHand solid_hand = SolidHand::tracked;
    PanelShown panel = PanelShown::automatic;
    Marked pointed, chosen;  ///< what is under the mouse, and what the last click selected

    const Marked& marked() const { return pointed.any() ? pointed : chosen; }
    bool operator==(const ViewSettings&) const = default;
};

}  // namespace glovebox::vr
