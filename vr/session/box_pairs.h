// Lists a frame's box-pair tests in order, so that the viewer can draw the traversal and step through it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "collision/query/descent_memory.h"
#include "vr/session/box_states.h"

namespace glovebox::vr {

/// One box of a hand against one box of an object, as the frame tested them, in world coordinates. One of the two is
/// inflated by the hover distance.
struct BoxPair {
    tracking::Side side = tracking::Side::right;
    std::int32_t object = -1, body_node = -1;
    std::int32_t tree_node = -1;  ///< parent tree node of the tested box; -1: the object's root box was tested
    std::int32_t child = 0;
    bool leaf_itself = false;  ///< the bone's own oriented box was tested, not its box in the hand's hierarchy
    int hand_level = 0;        ///< 0: the whole hand
    int tree_level = 0;        ///< 0: children of the tree's root; -1: the object's root box
    collision::Obb hand_box, object_box;
    /// Touching: the boxes overlap, and a descendant bone touches within both. False positive: they overlap, but no
    /// descendant bone touches there. Idle: they are apart, so nothing below them is visited.
    BoxState state = BoxState::idle;
};

/// Counts the given pairs by state.
BoxCounts count_pairs(std::span<const BoxPair> pairs);

/// Returns a name for a node of hand_body(): "index (4 bones)", "whole hand", or the name of a bone.
std::string name_of_node(std::int32_t body_node);

/// The box tests that the stage `test` of one frame logged, in order. Buffers are reused between frames.
class BoxPairs {
  public:
    /// Returns one pair per box test counted in the frame, valid until the next call. `tests` and `colliders` must come
    /// from the frame that `world` was last stepped with.
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

/// Writes to `out` each object box of one tree level once, with its most severe state, in drawing order. Old contents
/// of `out` are replaced.
void object_boxes_at(std::span<const BoxPair> pairs, int tree_level, std::vector<BoxPair>& out);

}  // namespace glovebox::vr
