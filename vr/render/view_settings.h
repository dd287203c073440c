// What a person chose to see. The panel and the keys change it, the renderer obeys it.
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

/// What the key B leads to: leaves, the root, its children, ... , everything, nothing, leaves again; or backwards.
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

/// Which hand is drawn solid: the one that was tracked, or the proxy that stays outside of objects. Where the two
/// differ, the other one is drawn as an outline.
enum class SolidHand : std::uint8_t { tracked, proxy };

/// Shown, hidden, or as the window's width allows.
enum class PanelShown : std::uint8_t { automatic, shown, hidden };

/// A finger (0 thumb .. 4 little, 5 palm), one of its bones, or an object, that someone points at. -1: none.
struct Marked {
    tracking::Side side = tracking::Side::right;
    int part = -1, bone = -1, object = -1;

    bool any() const { return part >= 0 || bone >= 0 || object >= 0; }
    bool operator==(const Marked&) const = default;
};

struct ViewSettings {
    BoxLevels boxes;
    int object_tree_level = -1;  ///< of meshes' trees, those that were tested; -1: none
    int box_test = -1;           ///< stepping through the frame's box tests: the one on show; -1: not stepping
    bool object_boxes = true, idle_boxes = true, contacts = true, joint_axes = false, skin = true;
    bool colliders = false;  ///< the shapes that are tested, under a translucent skin
    bool outline = true;     ///< of the hand that is not the solid one
    bool highlight = false;  ///< of objects that a hand is about to touch
    SkinTone tone = SkinTone::clay;
    SolidHand solid_hand = SolidHand::tracked;
    PanelShown panel = PanelShown::automatic;
    Marked pointed, chosen;  ///< by the mouse now; by a click, until the next one

    const Marked& marked() const { return pointed.any() ? pointed : chosen; }
    bool operator==(const ViewSettings&) const = default;
};

}  // namespace glovebox::vr
