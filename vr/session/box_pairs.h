// The box tests of a frame, one pair of boxes after the other: what a window draws of a descent and steps through.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "collision/query/descent_memory.h"
#include "vr/session/box_states.h"

namespace glovebox::vr {

/// One box of a hand against one box of an object, as the frame tested them: grown by the hover distance, in world
/// coordinates.
struct BoxPair {
    tracking::Side side = tracking::Side::right;
    std::int32_t object = -1, body_node = -1;
    std::int32_t tree_node = -1;  ///< the node whose child was tested; -1: the object's own outer box
    std::int32_t child = 0;
    bool leaf_itself = false;  ///< not the leaf's box in the hierarchy but what is in it, as the method asks besides
    int hand_level = 0;        ///< 0: the whole hand
    int tree_level = 0;        ///< 0: children of the tree's root; -1: the object's own outer box
    collision::Obb hand_box, object_box;
    /// Touching: the boxes overlap, and a bone below touches inside of both. False positive: they overlap, and none
    /// does. Idle: they are apart, so nothing below them is visited.
    BoxState state = BoxState::idle;
};

/// How many of some pairs are in each state.
BoxCounts count_pairs(std::span<const BoxPair> pairs);

/// "index (4 bones)", "whole hand", or the name of a bone.
std::string name_of_node(std::int32_t body_node);

/// What the stage `test` of one frame wrote down, in the order in which it tested. Memory is kept from frame to frame.
class BoxPairs {
  public:
    /// `tests` are of the frame that `world` was stepped with, `colliders` the objects as they stood then. As many
    /// pairs as the frame counted box tests. Valid until the next call.
    std::span<const BoxPair> of(const scenes::Scene& scene, const scenes::World& world,
                                const tracking::PerSide<std::vector<collision::BoxTest>>& tests,
                                std::span<const collision::Collider> colliders);

  private:
    const std::vector<int>& levels_of(std::int32_t object, const std::shared_ptr<const collision::MeshTree>& tree);

    std::vector<BoxPair> pairs_;
    struct TreeLevels {
        std::shared_ptr<const collision::MeshTree> tree;
        std::vector<int> of_node;
    };
    std::vector<TreeLevels> levels_;  // by object
};

/// The objects' boxes of one tree level, each once in its worst state, in drawing order. Replaces what is in `out`.
void object_boxes_at(std::span<const BoxPair> pairs, int tree_level, std::vector<BoxPair>& out);

}  // namespace glovebox::vr
