// Lists the box tests of a frame in order, so that the viewer can draw the traversal and step through it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "collision/query/descent_memory.h"
#include "vr/session/box_states.h"

namespace glovebox::vr {

/// A box of a hand and a box of an object that the frame tested against each other, in world coordinates. One of the
/// two is inflated by the hover distance.
struct BoxPair {
    tracking::Side side = tracking::Side::right;
    std::int32_t object = -1, body_node = -1;
    /// Index of the tree node whose child was tested; -1: the object's own box was tested.
    std::int32_t tree_node = -1;
    std::int32_t child = 0;
    bool leaf_itself = false;  ///< the bone's own oriented box was tested, not its box in the hand's hierarchy
    int hand_level = 0;        ///< 0: the whole hand
    int tree_level = 0;        ///< 0: children of the tree's root; -1: the object's own box
    collision::Obb hand_box, object_box;
    /// `touching` means that the boxes overlap, and a bone inside the hand's box touches the object inside the object's
    /// box. `false_positive` means that they overlap, but no such bone touches there. `idle` means that the boxes are
    /// disjoint, so the traversal does not visit their children.
    BoxState state = BoxState::idle;
};

/// Counts the given pairs by state.
BoxCounts count_pairs(std::span<const BoxPair> pairs);

/// Returns a name for a node of hand_body(): "index (4 bones)", "whole hand", or the name of a bone.
std::string name_of_node(std::int32_t body_node);

/// Builds the pairs from the box tests that the stage `test` of one frame logged. Buffers are reused between frames.
class BoxPairs {
  public:
    /// Returns one pair for each box test of the frame, in the order of the tests, valid until the next call. `tests`
    /// and `colliders` must come from the last frame with which `world` was stepped.
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

/// Writes each object box of one tree level to `out` once, with its most severe state, in drawing order. Replaces the
/// old contents of `out`.
void object_boxes_at(std::span<const BoxPair> pairs, int tree_level, std::vector<BoxPair>& out);

}  // namespace glovebox::vr
