#include "collision/survey/clips/clip_tree.h"

#include <algorithm>
#include <stdexcept>

namespace glovebox::collision::clips {

ClipTree ClipTree::build(Clip clip, const ClipTreeShape& shape, const ClipFit& fit) {
    check(clip);
    if (fit.max_leaf_samples < 1) throw std::invalid_argument("clip tree: leaves must hold at least one sample");
    if (!(fit.time_scale_m_per_s > 0.0 && fit.time_scale_m_per_s <= 1e6))
        throw std::invalid_argument("clip tree: the time scale must be above 0 and at most 1e6 m/s");
    ClipTree tree;
    tree.clip_ = std::move(clip);
    tree.fit_ = fit;
    tree.shape_ = shape;
    for (const ClipSample& s : tree.clip_.samples)
        tree.reach_m_ = std::max(tree.reach_m_, s.center_m.cwiseAbs().maxCoeff() + s.radius_m);
    tree.add_node(0, static_cast<std::int32_t>(tree.clip_.samples.size()), true);
    if (shape.wide) tree.wide_ = make_wide_discs(tree.clip_.samples);
    return tree;
}

std::int32_t ClipTree::add_node(std::int32_t first, std::int32_t end, bool root) {
    const auto index = static_cast<std::int32_t>(nodes_.size());
    nodes_.push_back({{}, first, end, 0, -1});
    const std::span samples =
        std::span(clip_.samples).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(end - first));
    const NodeKind kind = root ? shape_.root : shape_.below;
    Node node = nodes_.back();
    if (kind != NodeKind::none) node.flat = fit_flat(samples, fit_.axes);
    TiltedBox box;
    if (kind == NodeKind::tilted && fit_tilted(samples, clip_.dt_s, first, fit_.time_scale_m_per_s, fit_.axes, box)) {
        node.tilted = static_cast<std::int32_t>(tilted_.size());
        tilted_.push_back(box);
    }
    if (!shape_.one_level && !shape_.wide && end - first > fit_.max_leaf_samples) {
        // The middle of the node's own time. The printed (t_max - t_min) / 2 is that only for nodes that start at 0.
        const std::int32_t middle = first + (end - first) / 2;
        add_node(first, middle, false);
        node.second = add_node(middle, end, false);
    }
    nodes_[static_cast<std::size_t>(index)] = node;
    return index;
}

TiltedBox ClipTree::space_time_box(const Node& node) const {
    if (node.tilted >= 0) return tilted_[static_cast<std::size_t>(node.tilted)];
    const double step_t = clip_.dt_s * fit_.time_scale_m_per_s;
    return upright(node.flat, static_cast<double>(node.first) * step_t, static_cast<double>(node.end) * step_t);
}

int ClipTree::depth() const {
    int level = 0;
    while (nodes_at(level) != nodes_at(level + 1)) ++level;
    return level + 1;
}

std::vector<std::int32_t> ClipTree::nodes_at(int level) const {
    std::vector<std::int32_t> at = {0};
    for (int k = 0; k < level; ++k) {
        std::vector<std::int32_t> below;
        for (const std::int32_t i : at) {
            const Node& node = nodes_[static_cast<std::size_t>(i)];
            below.push_back(node.leaf() ? i : i + 1);
            if (!node.leaf()) below.push_back(node.second);
        }
        at = std::move(below);
    }
    return at;
}

std::size_t ClipTree::memory_bytes() const {
    return sizeof(*this) + clip_.samples.size() * sizeof(ClipSample) + nodes_.size() * sizeof(Node) +
           tilted_.size() * sizeof(TiltedBox) + wide_.memory_bytes();
}

}  // namespace glovebox::collision::clips
