// A tree of boxes over the samples of one clip, split at the middle of its time: the MOBB tree [Sung05, sec. 3.1].
//
// Built once, read-only afterwards, queried from any thread. Nodes are in pre-order: a node's first child follows it.
#pragma once

#include <cstdint>
#include <vector>

#include "collision/survey/clips/clip_box.h"
#include "collision/survey/clips/wide_discs.h"

namespace glovebox::collision::clips {

enum class NodeKind : std::uint8_t {
    none,   ///< no box: only its time range is known
    flat,   ///< MOBB
    tilted  ///< UMOBB; flat where the motion has no direction
};

/// What the trees of a comparison have in common.
struct ClipFit {
    /// Leaves hold at most this many. The paper measured 10 as best: one box test costs about half as many sample
    /// tests.
    int max_leaf_samples = 10;
    AxisRule axes = AxisRule::chord;
    /// Metres that one second counts for in tilted boxes. The published form has 1 without saying so; the shape of the
    /// boxes depends on it, the answers do not.
    double time_scale_m_per_s = 1.0;
};

/// What kind of box stands where: the difference between the variants of the paper.
struct ClipTreeShape {
    NodeKind root = NodeKind::flat, below = NodeKind::flat;
    bool one_level = false;  ///< the root is the only node
    bool wide = false;       ///< below the root discs, 128 children a node, tested together (wide_discs.h)
};

class ClipTree {
  public:
    struct Node {
        FlatBox flat;             ///< always filled but for NodeKind::none
        std::int32_t first, end;  ///< samples [first, end)
        std::int32_t second;      ///< second child; 0 for leaves. The first child is the next node
        std::int32_t tilted;      ///< index into tilted_boxes(), -1 where the node is flat

        bool leaf() const { return second == 0; }
    };

    /// Throws what check(clip) throws, and std::invalid_argument for a fit with no leaf samples or no time scale.
    /// n log n.
    static ClipTree build(Clip clip, const ClipTreeShape& shape = {}, const ClipFit& fit = {});

    const Clip& clip() const { return clip_; }
    const std::vector<Node>& nodes() const { return nodes_; }
    const std::vector<TiltedBox>& tilted_boxes() const { return tilted_; }
    const WideDiscs& wide() const { return wide_; }  ///< empty unless the shape is wide
    const ClipFit& fit() const { return fit_; }
    const ClipTreeShape& shape() const { return shape_; }

    /// No point of any disc is further from the clip's origin along an axis; scales the rounding slack of queries.
    double reach_m() const { return reach_m_; }

    /// A node as a box of space-time, whatever its kind. For drawing, and for tests between unlike kinds.
    TiltedBox space_time_box(const Node& node) const;

    /// Number of levels: 1 for a root alone.
    int depth() const;
    /// Nodes of one level, and the leaves above it.
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
