// What a person chose to see. The panel and the keys change it, the renderer obeys it.
#pragma once

#include <cstdint>

namespace glovebox::vr {

/// Which levels of the hand's hierarchy are drawn: the leaves, everything, nothing, or one level (0 is the root).
struct BoxLevels {
    static constexpr int kLeaves = -1, kAll = -2, kNone = -3;
    int level = kLeaves;
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

struct ViewSettings {
    BoxLevels boxes;
    int object_tree_level = -1;  ///< of mesh objects' own trees; -1: their outer box only
    bool object_boxes = true, idle_boxes = true, contacts = true, joint_axes = false, skin = true;
    SkinTone tone = SkinTone::clay;
};

}  // namespace glovebox::vr
