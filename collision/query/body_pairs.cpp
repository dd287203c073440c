#include "collision/query/body_pairs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "collision/broad_phase/rows.h"
#include "collision/query/may_reach.h"
#include "collision/query/walk_stack.h"

namespace glovebox::collision {
namespace {

float size_of(const Obb& box) {
    return box.area_m2();
}
float size_of(const Aabb& box) {
    const Eigen::Vector3f size = box.max_m - box.min_m;
    return size.x() * size.y() + size.y() * size.z() + size.z() * size.x();
}

// One body's side of the traversal.
template <class Box>
struct BodySide {
    const ArticulatedBody& body;
    const std::vector<Box>& boxes;
    const std::vector<std::uint8_t>& present;

    bool is_leaf(std::int32_t node) const { return node < body.bone_count(); }
    const HierarchyNode& inner(std::int32_t node) const {
        return body.nodes[static_cast<std::size_t>(node - body.bone_count())];
    }
    const Box& box(std::int32_t node) const { return boxes[static_cast<std::size_t>(node)]; }
    bool has(std::int32_t node) const { return present[static_cast<std::size_t>(node)] != 0; }
    std::int32_t root() const { return body.node_count() - 1; }
};

// Traverses one body against itself (`mask` given) or against another body.
template <class Box, class Leaf>
void walk(const BodySide<Box>& a, const BodySide<Box>& b, const PairMask* mask, float margin_m, CollideCounts& counts,
          const Leaf& leaf) {
    if (a.root() < 0 || b.root() < 0) return;
    // At most three pairs wait per level: enough for hierarchies 300 deep.
    WalkStack<BonePair, 1024> stack;
    stack.push({a.root(), b.root()});
    while (!stack.empty()) {
        const auto [node_a, node_b] = stack.pop();
        if (!a.has(node_a) || !b.has(node_b)) continue;
        if (mask != nullptr && !mask->wants_below(node_a, node_b)) continue;
        if (mask != nullptr && node_a == node_b) {
            // A box overlaps itself, so its two halves are tested, each against itself and against each other.
            if (a.is_leaf(node_a)) continue;
            const HierarchyNode& node = a.inner(node_a);
            stack.push({node.child_a, node.child_b});
            stack.push({node.child_b, node.child_b});
            stack.push({node.child_a, node.child_a});
            continue;
        }
        ++counts.n_v;
        const bool apart = margin_m > 0.0F ? !overlap(a.box(node_a).grown(margin_m), b.box(node_b))
                                           : !overlap(a.box(node_a), b.box(node_b));
        if (apart) continue;
        const bool leaf_a = a.is_leaf(node_a), leaf_b = b.is_leaf(node_b);
        if (leaf_a && leaf_b) {
            leaf(node_a, node_b);
        } else if (leaf_b || (!leaf_a && size_of(a.box(node_a)) >= size_of(b.box(node_b)))) {
            stack.push({a.inner(node_a).child_b, node_b});
            stack.push({a.inner(node_a).child_a, node_b});
        } else {
            stack.push({node_a, b.inner(node_b).child_b});
            stack.push({node_a, b.inner(node_b).child_a});
        }
    }
}

// Tests two leaves whose tree boxes overlap, as the method requires.
bool leaves_reach(const RefitMethod& method, const BodyBoxes& boxes_a, std::int32_t bone_a, const BodyBoxes& boxes_b,
                  std::int32_t bone_b, float margin_m, CollideCounts& counts) {
    if (method.leaf == LeafTest::box) return true;
    ++counts.n_v;
    const auto a = static_cast<std::size_t>(bone_a), b = static_cast<std::size_t>(bone_b);
    if (method.leaf == LeafTest::rounded && boxes_a.cones[a].radius_a_m >= 0.0F && boxes_b.cones[b].radius_a_m >= 0.0F)
        return may_reach(boxes_a.cones[a], boxes_b.cones[b], margin_m);
    return overlap(boxes_a.obb[a].grown(margin_m), boxes_b.obb[b]);
}

// Tests each bone of one body against all of the other with SIMD.
template <class Leaf>
void sweep(const BodyBoxes& boxes_a, const BodyBoxes& boxes_b, float margin_m, CollideCounts& counts,
           const Leaf& leaf) {
    constexpr std::size_t kBlock = BoxColumns::kBlock;
    std::array<std::uint16_t, 16> hits;
    const bool one_by_one = boxes_b.columns.words() > hits.size();  // more than 256 bones
    for (std::size_t a = 0; a < boxes_a.columns.size(); ++a) {
        if (boxes_a.present[a] == 0) continue;
        counts.n_v += static_cast<std::int64_t>(boxes_b.columns.size());
        const Obb reach = boxes_a.obb[a].grown(margin_m);
        for (std::size_t b = 0; one_by_one && b < boxes_b.columns.size(); ++b)
            if (boxes_b.present[b] != 0 && overlap(reach, boxes_b.obb[b]))
                leaf(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b));
        if (one_by_one) continue;
        overlaps(reach, boxes_b.columns, hits);
        for (std::size_t word = 0; word < boxes_b.columns.words(); ++word)
            for (unsigned bits = hits[word]; bits != 0; bits &= bits - 1) {
                const std::size_t b = kBlock * word + static_cast<std::size_t>(std::countr_zero(bits));
                if (boxes_b.present[b] != 0) leaf(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b));
            }
    }
}

// Axis-aligned boxes of the bones themselves, each grown by half the margin; empty for absent bones.
class BoneBounds {
  public:
    BoneBounds(const BodyPose& pose, float margin_m) : pose_(pose), grown_by_m_(0.5F * margin_m) {
        for (std::size_t i = 0; i < pose.shapes.size(); ++i) {
            const Aabb box = made(i);
            if (i < kKept) kept_[i] = box;
            all_.min_m = all_.min_m.cwiseMin(box.min_m);
            all_.max_m = all_.max_m.cwiseMax(box.max_m);
        }
    }
    Aabb of(std::int32_t bone) const {
        const auto i = static_cast<std::size_t>(bone);
        return i < kKept ? kept_[i] : made(i);
    }
    const Aabb& of_all() const { return all_; }

  private:
    Aabb made(std::size_t bone) const {
        if (pose_.bone_present[bone] == 0) return {};
        const auto* cone = std::get_if<RoundCone>(&pose_.shapes[bone]);
        const Aabb box = cone != nullptr ? aabb_of(*cone) : aabb_of(pose_.shapes[bone]);
        const float rounding_m = 4e-7F * (box.min_m.cwiseAbs().maxCoeff() + box.max_m.cwiseAbs().maxCoeff());
        return box.grown(grown_by_m_ + rounding_m);
    }

    static constexpr std::size_t kKept = 64;
    const BodyPose& pose_;
    float grown_by_m_;
    std::array<Aabb, kKept> kept_;
    Aabb all_;
};

bool bones_reach(const BodyPose& pose_a, std::int32_t bone_a, const BodyPose& pose_b, std::int32_t bone_b,
                 float margin_m) {
    const auto* a = std::get_if<RoundCone>(&pose_a.shapes[static_cast<std::size_t>(bone_a)]);
    const auto* b = std::get_if<RoundCone>(&pose_b.shapes[static_cast<std::size_t>(bone_b)]);
    return a == nullptr || b == nullptr || may_reach(*a, *b, margin_m);
}

void finish(std::vector<BonePair>& out, std::size_t first, CollideCounts& counts) {
    std::sort(out.begin() + static_cast<std::ptrdiff_t>(first), out.end());
    counts.candidates += static_cast<std::int64_t>(out.size() - first);
}

}  // namespace

PairMask::PairMask(const ArticulatedBody& body)
    : nodes_(static_cast<std::size_t>(body.node_count())), wanted_(nodes_ * nodes_, 0) {
    const auto row = [&](std::size_t node) { return std::span(wanted_).subspan(node * nodes_, nodes_); };
    for (const auto& [a, b] : body.may_collide) {
        row(static_cast<std::size_t>(a))[static_cast<std::size_t>(b)] = 1;
        row(static_cast<std::size_t>(b))[static_cast<std::size_t>(a)] = 1;
    }
    // Children come first: a node's row combines those of its children, and so does its column.
    const auto bones = static_cast<std::size_t>(body.bone_count());
    for (std::size_t node = bones; node < nodes_; ++node) {
        const auto a = static_cast<std::size_t>(body.nodes[node - bones].child_a),
                   b = static_cast<std::size_t>(body.nodes[node - bones].child_b);
        for (std::size_t k = 0; k < nodes_; ++k) row(node)[k] = row(a)[k] | row(b)[k];
        for (std::size_t k = 0; k < nodes_; ++k) row(k)[node] = row(k)[a] | row(k)[b];
    }
}

void find_self_candidates(const RefitMethod& method, const ArticulatedBody& body, const PairMask& mask,
                          const BodyBoxes& boxes, float margin_m, std::vector<BonePair>& out, CollideCounts& counts) {
    const std::size_t first = out.size();
    const auto keep = [&](std::int32_t a, std::int32_t b) {
        if (mask.wants(a, b) && leaves_reach(method, boxes, a, boxes, b, margin_m, counts))
            out.push_back({std::min(a, b), std::max(a, b)});
    };
    if (method.kind == BoxKind::none) {
        for (const auto& [a, b] : body.may_collide)
            if (boxes.present[static_cast<std::size_t>(a)] != 0 && boxes.present[static_cast<std::size_t>(b)] != 0)
                out.push_back({std::min(a, b), std::max(a, b)});
    } else if (method.kind == BoxKind::oriented) {
        const BodySide<Obb> side{body, boxes.obb, boxes.present};
        walk(side, side, &mask, margin_m, counts, keep);
    } else if (method.kind == BoxKind::flat) {
        sweep(boxes, boxes, margin_m, counts, [&](std::int32_t a, std::int32_t b) {
            if (a < b) keep(a, b);
        });
    } else {
        const BodySide<Aabb> side{body, boxes.aabb, boxes.present};
        walk(side, side, &mask, margin_m, counts, keep);
    }
    finish(out, first, counts);
}

void find_body_candidates(const RefitMethod& method, const ArticulatedBody& body_a, const BodyBoxes& boxes_a,
                          const ArticulatedBody& body_b, const BodyBoxes& boxes_b, float margin_m,
                          std::vector<BonePair>& out, CollideCounts& counts) {
    const std::size_t first = out.size();
    const auto keep = [&](std::int32_t a, std::int32_t b) {
        if (leaves_reach(method, boxes_a, a, boxes_b, b, margin_m, counts)) out.push_back({a, b});
    };
    if (method.kind == BoxKind::none) {
        for (std::int32_t a = 0; a < body_a.bone_count(); ++a)
            for (std::int32_t b = 0; b < body_b.bone_count(); ++b)
                if (boxes_a.present[static_cast<std::size_t>(a)] != 0 &&
                    boxes_b.present[static_cast<std::size_t>(b)] != 0)
                    keep(a, b);
    } else if (method.kind == BoxKind::oriented) {
        walk(BodySide<Obb>{body_a, boxes_a.obb, boxes_a.present}, BodySide<Obb>{body_b, boxes_b.obb, boxes_b.present},
             nullptr, margin_m, counts, keep);
    } else if (method.kind == BoxKind::flat) {
        sweep(boxes_a, boxes_b, margin_m, counts, keep);
    } else {
        walk(BodySide<Aabb>{body_a, boxes_a.aabb, boxes_a.present},
             BodySide<Aabb>{body_b, boxes_b.aabb, boxes_b.present}, nullptr, margin_m, counts, keep);
    }
    finish(out, first, counts);
}

void find_self_candidates(const ArticulatedBody& body, const BodyPose& pose, float margin_m, std::vector<BonePair>& out,
                          CollideCounts& counts) {
    const std::size_t first = out.size();
    const BoneBounds bounds(pose, margin_m);
    counts.n_v += static_cast<std::int64_t>(body.may_collide.size());
    for (const auto& [a, b] : body.may_collide)
        if (meet(bounds.of(a), bounds.of(b)) && bones_reach(pose, a, pose, b, margin_m))
            out.push_back({std::min(a, b), std::max(a, b)});
    finish(out, first, counts);
}

void find_body_candidates(const BodyPose& pose_a, const BodyPose& pose_b, float margin_m, std::vector<BonePair>& out,
                          CollideCounts& counts) {
    const std::size_t first = out.size();
    const BoneBounds bounds_a(pose_a, margin_m), bounds_b(pose_b, margin_m);
    ++counts.n_v;
    if (meet(bounds_a.of_all(), bounds_b.of_all()))
        for (std::int32_t a = 0; a < std::ssize(pose_a.shapes); ++a) {
            ++counts.n_v;
            if (!meet(bounds_a.of(a), bounds_b.of_all())) continue;
            counts.n_v += std::ssize(pose_b.shapes);
            for (std::int32_t b = 0; b < std::ssize(pose_b.shapes); ++b)
                if (meet(bounds_a.of(a), bounds_b.of(b)) && bones_reach(pose_a, a, pose_b, b, margin_m))
                    out.push_back({a, b});
        }
    finish(out, first, counts);
}

}  // namespace glovebox::collision
