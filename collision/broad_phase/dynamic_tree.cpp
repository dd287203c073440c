// The tree of dynamic_tree.h, and the broad phase `tree`, which maintains a list of pairs.
//
// Each leaf holds its body's box fattened by a margin, so a body that moves little costs one comparison. Bodies that
// left their fat box are removed and inserted again. The pairs of overlapping fat boxes whose bodies may meet persist.
// Pairs of bodies that moved or changed their layers are dropped and found again by a search; of all others only the
// exact boxes are compared. Cost: one pass over bodies and pairs, plus about a microsecond per body that left its fat
// box.
#include "collision/broad_phase/dynamic_tree.h"

#include <cmath>

namespace glovebox::collision {
namespace {

/// Margin as a fraction of the body's size, and the number of steps for which the fat box extends along the motion. If
/// larger, fewer bodies leave their box, but more pairs of fat boxes are compared in vain.
constexpr float kMarginShare = 0.1F, kLookAhead = 4.0F;

float half_area(const Aabb& box) {
    const Eigen::Vector3f edge = box.max_m - box.min_m;
    return edge.x() * edge.y() + edge.y() * edge.z() + edge.z() * edge.x();
}
Aabb merged(const Aabb& a, const Aabb& b) {
    return {a.min_m.cwiseMin(b.min_m), a.max_m.cwiseMax(b.max_m)};
}

class FatPairs {
  public:
    void step(const Bodies& bodies, PairSink& sink, BroadPhaseCounts& counts) {
        move_leaves(bodies, counts);
        std::erase_if(fat_pairs_, [&](const BodyPair& pair) { return changed(pair.a) || changed(pair.b); });
        for (const std::int32_t body : moved_) search(body, counts);
        counts.box_tests += static_cast<std::int64_t>(fat_pairs_.size());
        for (const BodyPair pair : fat_pairs_)
            if (meet(bodies.boxes[static_cast<std::size_t>(pair.a)], bodies.boxes[static_cast<std::size_t>(pair.b)]))
                sink.add(pair.a, pair.b);
    }

  private:
    struct Body {
        std::int32_t leaf = -1;
        bool changed = false;  ///< entered, left, moved or changed its layers this step
        Eigen::Vector3f last_m = Eigen::Vector3f::Zero();
    };

    Body& body(std::int32_t at) { return bodies_[static_cast<std::size_t>(at)]; }
    bool changed(std::int32_t at) { return body(at).changed; }
    bool layers_allow(std::int32_t i, std::int32_t j) const {
        return layers_.empty() ||
               may_collide(layers_[static_cast<std::size_t>(i)], layers_[static_cast<std::size_t>(j)]);
    }

    void move_leaves(const Bodies& bodies, BroadPhaseCounts& counts) {
        if (bodies_.size() < bodies.boxes.size()) bodies_.resize(bodies.boxes.size());
        const bool layered = !bodies.layers.empty() || !layers_.empty();  // now, or ever before
        if (layered) layers_.resize(bodies_.size());
        moved_.clear();
        for (std::size_t i = 0; i < bodies_.size(); ++i) {
            Body& it = bodies_[i];
            const bool present = i < bodies.boxes.size() && is_present(bodies.boxes[i]);
            it.changed = present ? it.leaf < 0 || !holds(tree_.box_of(it.leaf), bodies.boxes[i]) : it.leaf >= 0;
            if (layered && present) {
                const Layers layers = bodies.layers.empty() ? Layers{} : bodies.layers[i];
                it.changed = it.changed || layers != layers_[i];
                layers_[i] = layers;
            }
            if (!it.changed) {
                if (present) it.last_m = bodies.boxes[i].min_m;
                continue;
            }
            const bool is_new = it.leaf < 0;
            if (!is_new) tree_.remove(it.leaf);
            it.leaf = -1;
            if (!present) continue;
            const Aabb& box = bodies.boxes[i];
            it.leaf =
                tree_.insert(fattened(box, is_new ? Eigen::Vector3f::Zero() : Eigen::Vector3f(box.min_m - it.last_m)),
                             static_cast<std::int32_t>(i));
            it.last_m = box.min_m;
            moved_.push_back(static_cast<std::int32_t>(i));
        }
        counts.updates += static_cast<std::int64_t>(moved_.size());
    }

    // Adds the fat pairs of a moved body; those of two moved bodies are added by the one with the lower index.
    void search(std::int32_t moved, BroadPhaseCounts& counts) {
        const Aabb box = tree_.box_of(body(moved).leaf);
        counts.box_tests += tree_.visit_overlapping(box, [&](std::int32_t other) {
            if (other != moved && !(changed(other) && other < moved) && layers_allow(moved, other))
                fat_pairs_.push_back({moved, other});
        });
    }

    DynamicTree tree_;
    std::vector<Body> bodies_;
    std::vector<Layers> layers_;  ///< one per body once layers were ever given, otherwise empty
    std::vector<std::int32_t> moved_;
    std::vector<BodyPair> fat_pairs_;
};

}  // namespace

Aabb fattened(const Aabb& box, const Eigen::Vector3f& motion_m) {
    const float size_m = largest_extent_m(box);
    if (!std::isfinite(size_m) || !motion_m.allFinite()) return box;
    const float margin_m = kMarginShare * size_m;
    // A teleport gives no motion to extrapolate.
    const Eigen::Vector3f ahead_m = motion_m.cwiseAbs().maxCoeff() < size_m ? kLookAhead * motion_m : 0.0F * motion_m;
    return {(box.min_m + ahead_m.cwiseMin(0.0F)).array() - margin_m,
            (box.max_m + ahead_m.cwiseMax(0.0F)).array() + margin_m};
}

std::int32_t DynamicTree::take_node() {
    if (free_.empty()) {
        nodes_.emplace_back();
        free_.reserve(nodes_.capacity());  // so that remove() never allocates
        return static_cast<std::int32_t>(nodes_.size() - 1);
    }
    const std::int32_t at = free_.back();
    free_.pop_back();
    node(at) = Node{};
    return at;
}

std::int32_t DynamicTree::insert(const Aabb& box, std::int32_t body) {
    const std::int32_t leaf = take_node();
    node(leaf).box = box;
    node(leaf).body = body;
    if (root_ < 0) return root_ = leaf;

    const std::int32_t sibling = best_sibling(box), parent = node(sibling).parent, joined = take_node();
    node(joined).parent = parent;
    node(joined).children = {sibling, leaf};
    node(sibling).parent = node(leaf).parent = joined;
    if (parent < 0)
        root_ = joined;
    else
        node(parent).children[node(parent).children[0] == sibling ? 0 : 1] = joined;
    refit_up(joined);
    return leaf;
}

// Descends to the side whose area grows less, until joining here is cheaper than descending.
std::int32_t DynamicTree::best_sibling(const Aabb& box) const {
    std::int32_t at = root_;
    while (!node(at).is_leaf()) {
        const float area = half_area(node(at).box), joined = half_area(merged(node(at).box, box));
        const float join_here = 2.0F * joined, passed_on = 2.0F * (joined - area);
        std::array<float, 2> cost{};
        for (std::size_t side = 0; side < 2; ++side) {
            const Node& child = node(node(at).children[side]);
            const float grown = half_area(merged(child.box, box));
            cost[side] = passed_on + (child.is_leaf() ? grown : grown - half_area(child.box));
        }
        if (join_here < cost[0] && join_here < cost[1]) break;
        at = node(at).children[cost[0] <= cost[1] ? 0 : 1];
    }
    return at;
}

void DynamicTree::remove(std::int32_t leaf) {
    const std::int32_t parent = node(leaf).parent;
    free_.push_back(leaf);
    if (parent < 0) {
        root_ = -1;
        return;
    }
    const std::int32_t sibling = node(parent).children[node(parent).children[0] == leaf ? 1 : 0];
    const std::int32_t above = node(parent).parent;
    free_.push_back(parent);
    node(sibling).parent = above;
    if (above < 0) {
        root_ = sibling;
        return;
    }
    node(above).children[node(above).children[0] == parent ? 0 : 1] = sibling;
    refit_up(above);
}

void DynamicTree::refit_up(std::int32_t at) {
    for (; at >= 0; at = node(at).parent) {
        rotate(at);
        node(at).box = merged(node(node(at).children[0]).box, node(node(at).children[1]).box);
    }
}

// Swaps a child with a grandchild of the other side if that shrinks the other child most.
void DynamicTree::rotate(std::int32_t at) {
    float best_gain = 0.0F;
    std::size_t best_side = 0, best_nephew = 0;
    for (std::size_t side = 0; side < 2; ++side) {
        const std::int32_t uncle = node(at).children[side], child = node(at).children[1 - side];
        if (node(child).is_leaf()) continue;
        for (std::size_t k = 0; k < 2; ++k) {
            const Aabb& stays = node(node(child).children[1 - k]).box;
            const float gain = half_area(node(child).box) - half_area(merged(stays, node(uncle).box));
            if (gain > best_gain) best_gain = gain, best_side = side, best_nephew = k;
        }
    }
    if (best_gain <= 0.0F) return;
    const std::int32_t uncle = node(at).children[best_side], child = node(at).children[1 - best_side];
    const std::int32_t nephew = node(child).children[best_nephew];
    node(at).children[best_side] = nephew;
    node(nephew).parent = at;
    node(child).children[best_nephew] = uncle;
    node(uncle).parent = child;
    node(child).box = merged(node(node(child).children[0]).box, node(node(child).children[1]).box);
}

BroadPhase dynamic_tree() {
    return row<FatPairs>("tree", "balanced tree of fattened boxes; for many bodies of which few move");
}

}  // namespace glovebox::collision
