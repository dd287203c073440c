// A tree of boxes over the samples of one clip, split at the middle of its time range: the MOBB tree [Sung05, sec.
// 3.1].
//
// A tree is built once and immutable; any thread may query it. Nodes are in pre-order: a node's first child follows it.
#pragma once

#include <cstdint>
#include <vector>

#include "collision/survey/clips/clip_box.h"
#include "collision/survey/clips/wide_discs.h"

namespace glovebox::collision::clips {

enum class NodeKind : std::uint8_t {
    none,   ///< no box, only a time range
    flat,   ///< MOBB
    tilted  ///< UMOBB, or MOBB if the motion has no direction
};

/// Parameters shared by the trees of a comparison.
struct ClipFit {
    /// Largest number of samples in a leaf. The paper measured 10 as best: one box test costs about as much as half
    /// that many sample tests.
    int max_leaf_samples = 10;
    AxisRule axes = AxisRule::chord;
    /// Metres that one second counts for in tilted boxes. The paper implies 1 without saying so. The value affects the
    /// shape of the boxes, but not the results of queries.
    double time_scale_m_per_s = 1.0;
};

/// The kinds of boxes in a tree, which distinguish the variants of the paper.
struct ClipTreeShape {
    NodeKind root = NodeKind::flat, below = NodeKind::flat;
    bool one_level = false;  ///< the root is the only node
    bool wide = false;       ///< discs below the root, 128 of them tested together (wide_discs.h)
};

class ClipTree {
  public:
    struct Node {
        FlatBox flat;             ///< filled unless NodeKind::none
        std::int32_t first, end;  ///< samples [first, end)
        std::int32_t second;      ///< index of the second child, 0 for leaves; the first child is the next node
        std::int32_t tilted;      ///< index in tilted_boxes(), or -1 if the node is flat

        bool leaf() const { return second == 0; }
    };

    /// Builds the tree. Throws what check(clip) throws, and std::invalid_argument if max_leaf_samples or the time scale
    /// in `fit` is not positive. Takes O(n log n).
    static ClipTree build(Clip clip, const ClipTreeShape& shape = {}, const ClipFit& fit = {});

    const Clip& clip() const { return clip_; }
    const std::vector<Node>& nodes() const { return nodes_; }
    const std::vector<TiltedBox>& tilted_boxes() const { return tilted_; }
    const WideDiscs& wide() const { return wide_; }  ///< empty unless the shape is wide
    const ClipFit& fit() const { return fit_; }
    const ClipTreeShape& shape() const { return shape_; }

    /// Returns the largest distance, along an axis, of a disc's point from the clip's origin. The rounding slack of
    /// queries is proportional to it.
    double reach_m() const { return reach_m_; }

    /// Returns a node of any kind as a box in space-time, for drawing and for tests between different kinds.
    TiltedBox space_time_box(const Node& node) const;

    /// Returns the number of levels; 1 if there is only a root.
    int depth() const;
    /// Returns the nodes of one level, and the leaves above that level.
    std::vector<std::int32_t> nodes_at(int level) const;
    std::size_t memory_bytes() const;

  private:
    std::int32_t add_node(std::int32_t first, std::int32_t end, bool root);

    Clip clip_;
    ClipFit fit_;
    ClipTreeShape shape_;
    std::vector<Node> nodes_;
    std::vector<TiltedBox> tilted_;
    WideDiscs wide_;
    double reach_m_ = 0.0;
};

}  // namespace glovebox::collision::clips
