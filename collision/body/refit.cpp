#include "collision/body/refit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "collision/body/refit_lanes.h"
#include "collision/box/merge.h"

namespace glovebox::collision {
namespace {

bool all_are_one(std::span<const std::uint8_t> bytes) {
    return std::ranges::all_of(bytes, [](std::uint8_t byte) { return byte == 1; });
}
// Sum that is not finite if any value is not. A sum of finite values may overflow too; the caller then tests each
// value.
struct SumOfBoxes {
    using Four = Eigen::Array4f;
    static_assert(sizeof(Obb) == 15 * sizeof(float));
    // Offsets of the quads; the last quad comes first, before the one that it overlaps.
    static constexpr int kQuads[4] = {11, 0, 4, 8};
    Four sums[4] = {Four::Zero(), Four::Zero(), Four::Zero(), Four::Zero()};

    void add(const Obb& box) {
        const float* const from = box.center_m.data();
        for (int k = 0; k < 4; ++k) sums[k] += Four::Map(from + kQuads[k]);
    }
    /// Copies in groups of four, as the merges will load them: a load that spans two stores waits for both to reach the
    /// cache.
    void add_and_copy(const Obb& box, Obb& to) {
        for (int k = 0; k < 4; ++k) {
            const Four quad = Four::Map(box.center_m.data() + kQuads[k]);
            Four::Map(to.center_m.data() + kQuads[k]) = quad;
            sums[k] += quad;
        }
    }
    bool finite() const { return std::isfinite(((sums[0] + sums[1]) + (sums[2] + sums[3])).sum()); }
};
bool misses_some(const BodyPose& pose) {
    for (std::size_t i = 0; i < pose.bone_present.size(); ++i)
        if (!pose.has(i)) return true;
    return false;
}
bool has_gaps(const BodyPose& pose) {
    if (!all_are_one(pose.bone_present)) return misses_some(pose);
    SumOfBoxes sum;
    for (const Obb& box : pose.leaf_boxes) sum.add(box);
    return !sum.finite() && misses_some(pose);
}

int mark_some_changes(const ArticulatedBody& body, const BodyPose& pose, bool all, bool gaps, BodyBoxes& boxes) {
    const auto bones = static_cast<std::size_t>(body.bone_count());
    for (std::size_t i = 0; i < bones; ++i) {
        const std::uint8_t present = !gaps || pose.has(i) ? 1 : 0;
        boxes.changed[i] = all || pose.bone_moved[i] != 0 || boxes.present[i] != present ? 1 : 0;
        boxes.present[i] = present;
    }
    int computed = 0;
    for (std::size_t i = 0; i < body.nodes.size(); ++i) {
        const auto a = static_cast<std::size_t>(body.nodes[i].child_a),
                   b = static_cast<std::size_t>(body.nodes[i].child_b);
        boxes.present[bones + i] = boxes.present[a] | boxes.present[b];
        boxes.changed[bones + i] = boxes.changed[a] | boxes.changed[b];
        computed += boxes.changed[bones + i] & boxes.present[a] & boxes.present[b];
    }
    return computed;
}

// Marks the nodes that must be computed: those above a leaf that moved, appeared or disappeared. Fills boxes.present
// and boxes.changed. Returns the number of internal boxes. `first`: there are no boxes of this kind yet. `gaps`:
// has_gaps().
int mark_changes(const ArticulatedBody& body, const BodyPose& pose, bool first, bool gaps, BodyBoxes& boxes) {
    const auto nodes = static_cast<std::size_t>(body.node_count());
    const bool all = first || boxes.present.size() != nodes || pose.bone_moved.empty();
    if (boxes.present.size() != nodes || boxes.changed.size() != nodes) {
        boxes.present.resize(nodes);
        boxes.changed.resize(nodes);
    }
    if (!all || gaps) return mark_some_changes(body, pose, all, gaps, boxes);
    // The usual case: a tracked hand moves as a whole.
    std::ranges::fill(boxes.present, std::uint8_t{1});
    std::ranges::fill(boxes.changed, std::uint8_t{1});
    return static_cast<int>(body.nodes.size());
}

template <class Box>
int mark_changes(const ArticulatedBody& body, const BodyPose& pose, bool gaps, std::vector<Box>& of_kind,
                 BodyBoxes& boxes) {
    const auto nodes = static_cast<std::size_t>(body.node_count());
    const bool first = of_kind.size() != nodes;
    if (first) of_kind.resize(nodes);
    return mark_changes(body, pose, first, gaps, boxes);
}

// One pass over the frozen post-order: leaves first, then each parent from its two children.
template <class Box, class Leaf, class Merge>
int refit_tree(const ArticulatedBody& body, const BodyPose& pose, std::vector<Box>& of_kind, BodyBoxes& boxes,
               const Leaf& leaf, const Merge& merge) {
    const int computed = mark_changes(body, pose, has_gaps(pose), of_kind, boxes);
    const auto bones = static_cast<std::size_t>(body.bone_count());
    const auto wanted = [&](std::size_t node) { return (boxes.changed[node] & boxes.present[node]) != 0; };
    for (std::size_t i = 0; i < bones; ++i)
        if (wanted(i)) of_kind[i] = leaf(i);
    for (std::size_t i = 0; i < body.nodes.size(); ++i) {
        if (!wanted(bones + i)) continue;
        const HierarchyNode& node = body.nodes[i];
        const auto a = static_cast<std::size_t>(node.child_a), b = static_cast<std::size_t>(node.child_b);
        if (boxes.present[a] != 0 && boxes.present[b] != 0)
            of_kind[bones + i] = merge(of_kind[a], of_kind[b], bones + i);
        else
            of_kind[bones + i] = of_kind[boxes.present[a] != 0 ? a : b];
    }
    return computed;
}

template <class Merge>
int refit_oriented(const ArticulatedBody& body, const BodyPose& pose, BodyBoxes& boxes, const Merge& merge) {
    return refit_tree(
        body, pose, boxes.obb, boxes, [&](std::size_t i) -> const Obb& { return pose.leaf_boxes[i]; }, merge);
}

template <class Leaf>
int refit_aligned(const ArticulatedBody& body, const BodyPose& pose, BodyBoxes& boxes, const Leaf& leaf) {
    return refit_tree(body, pose, boxes.aabb, boxes, leaf, [](const Aabb& a, const Aabb& b, std::size_t) {
        return Aabb{a.min_m.cwiseMin(b.min_m), a.max_m.cwiseMax(b.max_m)};
    });
}

const Eigen::Vector3f& joint_of(const ArticulatedBody& body, const BodyPose& pose, std::size_t node) {
    const auto inner = node - static_cast<std::size_t>(body.bone_count());
    return pose.joints_m[static_cast<std::size_t>(body.nodes[inner].joint)];
}

template <Obb (*merge)(const Obb&, const Obb&, const Eigen::Vector3f&)>
int refit_jointed(const ArticulatedBody& body, const BodyPose& pose, BodyBoxes& boxes) {
    return refit_oriented(body, pose, boxes, [&](const Obb& a, const Obb& b, std::size_t node) {
        return merge(a, b, joint_of(body, pose, node));
    });
}

int refit_cab_with_gaps(const ArticulatedBody& body, const BodyPose& pose, BodyBoxes& boxes) {
    return refit_jointed<merge_cab>(body, pose, boxes);
}
int refit_cab(const ArticulatedBody& body, const BodyPose& pose, BodyBoxes& boxes) {
    // Usually all bones are present and moved. A bone that is not finite is then detected while the boxes are copied.
    const bool whole = pose.bone_moved.empty() && all_are_one(pose.bone_present);
    if (!whole && has_gaps(pose)) return refit_cab_with_gaps(body, pose, boxes);
    // No bone is missing: four merges at a time.
    boxes.plan.follow(body);
    const int computed = mark_changes(body, pose, false, boxes.obb, boxes);
    SumOfBoxes sum;
    const std::span<const Obb> leaves = pose.leaf_boxes;
    const std::span<Obb> obb = boxes.obb;
    const std::span<const std::uint8_t> changed = boxes.changed;
    for (std::size_t i = 0; i < leaves.size(); ++i)
        if (changed[i] != 0) sum.add_and_copy(leaves[i], obb[i]);
    if (!sum.finite()) return refit_cab_with_gaps(body, pose, boxes);
    refit_cab_lanes(body, boxes.plan, pose.joints_m, boxes.changed, boxes.obb);
    return computed;
}

// The tree of CAB boxes determines only the axes. Extents are those of the leaves themselves, so enclosing boxes do not
// accumulate slack.
int refit_cab_leaves(const ArticulatedBody& body, const BodyPose& pose, BodyBoxes& boxes) {
    boxes.plan.follow(body);
    // A missing bone omits only its own leaf: boxes that are not above it stay unchanged, also if only changed boxes
    // are computed.
    const bool gaps = has_gaps(pose);
    thread_local std::vector<std::int32_t> here;  // reused, so later refits do not allocate
    return refit_oriented(body, pose, boxes, [&](const Obb& a, const Obb& b, std::size_t node) {
        const Obb merged = merge_cab(a, b, joint_of(body, pose, node));
        const auto below = boxes.plan.leaves_below(static_cast<std::int32_t>(node));
        if (!gaps) return enclose(merged.axes, pose.leaf_boxes, below);
        here.clear();
        for (const std::int32_t leaf : below)
            if (boxes.present[static_cast<std::size_t>(leaf)] != 0) here.push_back(leaf);
        return enclose(merged.axes, pose.leaf_boxes, here);
    });
}

int refit_covariance(const ArticulatedBody& body, const BodyPose& pose, BodyBoxes& boxes) {
    return refit_oriented(body, pose, boxes,
                          [](const Obb& a, const Obb& b, std::size_t) { return merge_covariance(a, b); });
}

int refit_merge(const ArticulatedBody& body, const BodyPose& pose, BodyBoxes& boxes) {
    return refit_oriented(body, pose, boxes,
                          [](const Obb& a, const Obb& b, std::size_t) { return merge_rotations(a, b); });
}

// Computes the paper's AABB* from the eight corners, as the paper describes it.
Aabb aabb_of_corners(const Obb& box) {
    Aabb result;
    for (int corner = 0; corner < 8; ++corner) {
        const Eigen::Vector3f sign((corner & 1) != 0 ? 1.0F : -1.0F, (corner & 2) != 0 ? 1.0F : -1.0F,
                                   (corner & 4) != 0 ? 1.0F : -1.0F);
        result.include(box.center_m + box.axes * sign.cwiseProduct(box.half_m));
    }
    return result;
}

int refit_aabb(const ArticulatedBody& body, const BodyPose& pose, BodyBoxes& boxes) {
    return refit_aligned(body, pose, boxes, [&](std::size_t i) { return aabb_of_corners(pose.leaf_boxes[i]); });
}

int refit_aabb_vertices(const ArticulatedBody& body, const BodyPose& pose, BodyBoxes& boxes) {
    // A shape that is not finite gets an empty box, which does not affect the boxes above.
    return refit_aligned(body, pose, boxes,
                         [&](std::size_t i) { return all_finite(pose.shapes[i]) ? aabb_of(pose.shapes[i]) : Aabb(); });
}

int refit_aabb_obb(const ArticulatedBody& body, const BodyPose& pose, BodyBoxes& boxes) {
    boxes.obb.assign(pose.leaf_boxes.begin(), pose.leaf_boxes.end());
    return refit_aligned(body, pose, boxes, [&](std::size_t i) { return aabb_of(pose.leaf_boxes[i]); });
}

int refit_aabb_capsule(const ArticulatedBody& body, const BodyPose& pose, BodyBoxes& boxes) {
    const RoundCone kNone = {Eigen::Vector3f::Zero(), Eigen::Vector3f::Zero(), -1.0F, -1.0F};
    boxes.cones.resize(pose.shapes.size(), kNone);
    for (std::size_t i = 0; i < pose.shapes.size(); ++i) {
        const auto* cone = std::get_if<RoundCone>(&pose.shapes[i]);
        boxes.cones[i] = cone != nullptr ? *cone : kNone;
    }
    return refit_aabb_obb(body, pose, boxes);
}

int refit_flat(const ArticulatedBody& body, const BodyPose& pose, BodyBoxes& boxes) {
    mark_changes(body, pose, has_gaps(pose), boxes.obb, boxes);
    for (std::size_t i = 0; i < pose.leaf_boxes.size(); ++i)
        if (boxes.changed[i] != 0) boxes.obb[i] = pose.leaf_boxes[i];
    boxes.columns.assign({boxes.obb.data(), pose.leaf_boxes.size()});
    return 0;
}

int refit_nothing(const ArticulatedBody& body, const BodyPose& pose, BodyBoxes& boxes) {
    boxes.present.assign(static_cast<std::size_t>(body.node_count()), 0);
    for (std::size_t i = 0; i < pose.bone_present.size(); ++i) boxes.present[i] = pose.has(i) ? 1 : 0;
    return 0;
}

constexpr std::array kMethods = {
    RefitMethod{"cab", "oriented boxes, merged along the articulation (CAB)", BoxKind::oriented, LeafTest::box,
                refit_cab},
    RefitMethod{"cab-children", "CAB, or a child's frame where that box is smaller", BoxKind::oriented, LeafTest::box,
                refit_jointed<merge_cab_children>},
    RefitMethod{"cab++", "CAB, the smallest of its eleven candidates", BoxKind::oriented, LeafTest::box,
                refit_jointed<merge_cab_best>},
    RefitMethod{"cab-leaves", "CAB frames, extents from all leaves below", BoxKind::oriented, LeafTest::box,
                refit_cab_leaves},
    RefitMethod{"covariance", "oriented boxes, axes from the covariance of the children's corners", BoxKind::oriented,
                LeafTest::box, refit_covariance},
    RefitMethod{"merge", "oriented boxes, two-box merge as FCL and Coal do it", BoxKind::oriented, LeafTest::box,
                refit_merge},
    RefitMethod{"aabb", "axis-aligned boxes of the leaf boxes' corners (AABB*)", BoxKind::aligned, LeafTest::box,
                refit_aabb},
    RefitMethod{"aabb-vertices", "axis-aligned boxes fitted to the bones themselves (AABB+)", BoxKind::aligned,
                LeafTest::box, refit_aabb_vertices},
    RefitMethod{"aabb-obb", "axis-aligned boxes, and the bone's oriented box at the leaves", BoxKind::aligned,
                LeafTest::oriented, refit_aabb_obb},
    RefitMethod{"aabb-capsule", "axis-aligned boxes, and the rounded bone itself at the leaves", BoxKind::aligned,
                LeafTest::rounded, refit_aabb_capsule},
    RefitMethod{"flat", "no tree: all bones' oriented boxes against each object at once", BoxKind::flat, LeafTest::box,
                refit_flat},
    RefitMethod{"brute", "no boxes: every pair goes to the exact test", BoxKind::none, LeafTest::box, refit_nothing},
};

}  // namespace

std::span<const RefitMethod> refit_methods() {
    return kMethods;
}

const RefitMethod* find_refit_method(std::string_view name) {
    for (const RefitMethod& method : kMethods)
        if (method.name == name) return &method;
    return nullptr;
}

void RefitPlan::follow(const ArticulatedBody& body) {
    const std::size_t count = body.nodes.size();
    if (below_.size() == 2 * count + 1 && made_for_ == body.nodes) return;
    made_for_ = body.nodes;
    groups_.clear();
    const std::int32_t bones = body.bone_count();
    // Ready nodes farthest from the root go first, four at a time, so that almost all groups are full.
    const std::int32_t all = body.node_count();
    std::vector<std::int32_t> to_root(static_cast<std::size_t>(all), 0);
    const auto inner = [&](std::int32_t node) -> const HierarchyNode& {
        return body.nodes[static_cast<std::size_t>(node - bones)];
    };
    for (std::int32_t node = all - 1; node >= bones; --node)
        for (const std::int32_t child : {inner(node).child_a, inner(node).child_b})
            to_root[static_cast<std::size_t>(child)] = to_root[static_cast<std::size_t>(node)] + 1;
    std::vector<std::uint8_t> done(static_cast<std::size_t>(all), 0);
    std::fill(done.begin(), done.begin() + bones, std::uint8_t{1});
    std::vector<std::int32_t> ready;
    for (std::size_t left = count; left > 0; left -= ready.size()) {
        ready.clear();
        for (std::int32_t node = bones; node < all; ++node)
            if (done[static_cast<std::size_t>(node)] == 0 && done[static_cast<std::size_t>(inner(node).child_a)] != 0 &&
                done[static_cast<std::size_t>(inner(node).child_b)] != 0)
                ready.push_back(node);
        std::ranges::stable_sort(ready, std::ranges::greater(),
                                 [&](std::int32_t node) { return to_root[static_cast<std::size_t>(node)]; });
        if (ready.size() > 4) ready.resize(4);
        Group group{};
        group.count = static_cast<std::int32_t>(ready.size());
        for (std::size_t lane = 0; lane < 4; ++lane) {
            const std::int32_t node = ready[lane < ready.size() ? lane : 0];
            constexpr auto kBox = static_cast<std::int32_t>(sizeof(Obb) / sizeof(float));
            group.node[lane] = node;
            group.box[lane] = kBox * node;
            group.box_a[lane] = kBox * inner(node).child_a;
            group.box_b[lane] = kBox * inner(node).child_b;
            group.joint[lane] = 3 * inner(node).joint;
        }
        for (const std::int32_t node : ready) done[static_cast<std::size_t>(node)] = 1;
        groups_.push_back(group);
    }

    // Leaves in depth-first order, so that the leaves below a node are contiguous.
    leaves_.resize(static_cast<std::size_t>(bones));
    below_.assign(static_cast<std::size_t>(all), {0, 1});
    const auto below = [&](std::int32_t node) -> Range& { return below_[static_cast<std::size_t>(node)]; };
    for (std::int32_t node = bones; node < all; ++node)
        below(node).count = below(inner(node).child_a).count + below(inner(node).child_b).count;
    for (std::int32_t node = all - 1; node >= bones; --node) {
        below(inner(node).child_a).first = below(node).first;
        below(inner(node).child_b).first = below(node).first + below(inner(node).child_a).count;
    }
    for (std::int32_t leaf = 0; leaf < bones; ++leaf) leaves_[static_cast<std::size_t>(below(leaf).first)] = leaf;
}

std::span<const std::int32_t> RefitPlan::leaves_below(std::int32_t node) const {
    const Range& below = below_[static_cast<std::size_t>(node)];
    return std::span(leaves_).subspan(static_cast<std::size_t>(below.first), static_cast<std::size_t>(below.count));
}

ArticulatedBody make_chain(int link_count) {
    ArticulatedBody body;
    for (int i = 0; i < link_count; ++i) body.bone_names.push_back("link " + std::to_string(i));
    // Each round joins neighbours; the joint between two runs of links follows the left run's last link.
    struct Run {
        std::int32_t node, last_link;
    };
    std::vector<Run> runs;
    for (std::int32_t i = 0; i < link_count; ++i) runs.push_back({i, i});
    while (runs.size() > 1) {
        std::vector<Run> next;
        for (std::size_t i = 0; i + 1 < runs.size(); i += 2) {
            body.nodes.push_back({runs[i].node, runs[i + 1].node, runs[i].last_link});
            next.push_back({link_count + static_cast<std::int32_t>(body.nodes.size()) - 1, runs[i + 1].last_link});
        }
        if (runs.size() % 2 == 1) next.push_back(runs.back());
        runs = std::move(next);
    }
    return body;
}

}  // namespace glovebox::collision
