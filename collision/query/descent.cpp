#include "collision/query/descent.h"

#include <algorithm>
#include <bit>

#include "collision/box/overlap_scalar.h"
#include "collision/mesh/bone_memory.h"
#include "collision/query/pair_memory.h"
#include "collision/query/walk_stack.h"

// Compiled once for every instruction set that Highway knows here and picked at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "collision/query/descent.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// The order matters: foreach_target must come first.
#include "collision/mesh/obb_tree-inl.h"

HWY_BEFORE_NAMESPACE();
namespace glovebox::collision::HWY_NAMESPACE {
namespace {

std::uint32_t OverlapOnce(const Obb& box, const ObbTree::Node& node, float slack_m, float* area_m2) {
    return OverlapChildren<false>(BoxView(box), node, slack_m, area_m2, nullptr);
}

HWY_INLINE float AreaOf(const Obb& box) {
    return box.half_m.x() * box.half_m.y() + box.half_m.y() * box.half_m.z() + box.half_m.z() * box.half_m.x();
}

// The body's box is opened, not the tree's, unless the tree's is this many times as large. Opening the body early costs
// less where the whole hand lies on a surface, as then all of its boxes overlap the same part of the tree.
constexpr float kOpensBody = 4.0F;

class Descent {
  public:
    Descent(const BodyVolumes& volumes, const ObbTree& tree, const Eigen::Isometry3f& mesh_from_world, float margin_m,
            std::int32_t object, DescentMemory& memory)
        : volumes_(volumes),
          tree_(tree),
          mesh_from_world_(mesh_from_world),
          margin_m_(margin_m),
          object_(object),
          memory_(memory) {}

    void Run(std::int32_t root) {
        stack_.push({root, 0, 0xFF});
        while (!stack_.empty()) {
            const Item item = stack_.pop();
            if (volumes_.boxes.present[static_cast<std::size_t>(item.body_node)] == 0) continue;
            Visit(item);
        }
    }
    std::int64_t tests = 0;
    bool complete = true;

  private:
    struct Item {
        std::int32_t body_node, tree_node;
        std::uint32_t children;
    };

    void Visit(const Item& item) {
        const ObbTree::Node& node = tree_.nodes()[static_cast<std::size_t>(item.tree_node)];
        const bool is_leaf = item.body_node < volumes_.body.bone_count();
        const Obb& box = BoxInMesh(item.body_node);
        const std::uint32_t wanted = item.children & ((1U << node.count) - 1U);
        alignas(32) float area_m2[ObbTree::kWidth];
        const std::uint32_t met =
            Test(item, wanted, OverlapChildren<false>(BoxView(box), node, 0.0F, area_m2, nullptr) & wanted);
        if (met == 0) return;
        const float body_area_m2 = AreaOf(box);
        // Children to emit, and children below which the body's box is opened instead.
        std::uint32_t emitted = 0, opens_body = 0;
        for (std::uint32_t bits = met; bits != 0; bits &= bits - 1) {
            const auto lane = static_cast<std::size_t>(std::countr_zero(bits));
            const std::uint32_t bit = bits & (~bits + 1);
            const std::int32_t child = node.child[lane];
            if (is_leaf && (child < 0 || area_m2[lane] < body_area_m2))
                emitted |= bit;
            else if (!is_leaf && (child < 0 || area_m2[lane] < kOpensBody * body_area_m2))
                opens_body |= bit;
            else
                stack_.push({item.body_node, child, 0xFF});
        }
        if (opens_body != 0) {
            const HierarchyNode& inner =
                volumes_.body.nodes[static_cast<std::size_t>(item.body_node - volumes_.body.bone_count())];
            stack_.push({inner.child_b, item.tree_node, opens_body});
            stack_.push({inner.child_a, item.tree_node, opens_body});
        }
        if (emitted != 0) emitted = QueryLeaf(item, node, emitted);
        if (emitted == 0) return;
        if (memory_.found.size() < DescentMemory::kMaxParts)
            memory_.found.push_back({item.body_node, {item.tree_node, emitted}});
        else
            complete = false;
    }

    // Runs the method's leaf test, in addition to the box in the hierarchy.
    std::uint32_t QueryLeaf(const Item& item, const ObbTree::Node& node, std::uint32_t emitted) {
        const auto bone = static_cast<std::size_t>(item.body_node);
        if (volumes_.leaf == LeafTest::box) return emitted;
        if (volumes_.leaf == LeafTest::rounded && volumes_.boxes.cones[bone].radius_a_m >= 0.0F) {
            RoundCone cone = volumes_.boxes.cones[bone];
            cone.a_m = mesh_from_world_ * cone.a_m;
            cone.b_m = mesh_from_world_ * cone.b_m;
            const NodeBounds bounds = node_bounds(node, cone);
            const float limit_m =
                margin_m_ + rounding_m(tree_, cone.a_m.cwiseAbs().sum() + cone.b_m.cwiseAbs().sum() + margin_m_);
            std::uint32_t met = 0;
            for (std::uint32_t bits = emitted; bits != 0; bits &= bits - 1)
                if (bounds[static_cast<std::size_t>(std::countr_zero(bits))] <= limit_m) met |= bits & (~bits + 1);
            return Test(item, emitted, met);
        }
        const Obb box = transformed(mesh_from_world_, volumes_.boxes.obb[bone].grown(margin_m_));
        alignas(32) float area_m2[ObbTree::kWidth];
        return Test(item, emitted,
                    OverlapChildren<false>(BoxView(box), node, SlackOf(box), area_m2, nullptr) & emitted);
    }

    std::uint32_t Test(const Item& item, std::uint32_t tested, std::uint32_t met) {
        tests += std::popcount(tested);
        if (memory_.trace != nullptr) memory_.trace->push_back({object_, item.body_node, item.tree_node, tested, met});
        return met;
    }
    float SlackOf(const Obb& box) const { return rounding_m(tree_, box.center_m.cwiseAbs().sum() + box.half_m.sum()); }
    // Transformed into the mesh's frame, and grown by the rounding error, at first use.
    const Obb& BoxInMesh(std::int32_t body_node) {
        const auto i = static_cast<std::size_t>(body_node);
        if (memory_.has_box[i] == 0) {
            const Obb box = transformed(mesh_from_world_, volumes_.box_of(body_node).grown(margin_m_));
            memory_.boxes_in_mesh[i] = box.grown(SlackOf(box));
            memory_.has_box[i] = 1;
        }
        return memory_.boxes_in_mesh[i];
    }

    const BodyVolumes& volumes_;
    const ObbTree& tree_;
    const Eigen::Isometry3f& mesh_from_world_;
    float margin_m_;
    std::int32_t object_;
    DescentMemory& memory_;
    // At each level of either tree, eight children or two of the body wait.
    WalkStack<Item, 512> stack_;
};

void Descend(const BodyVolumes& volumes, std::int32_t root, const ObbTree& tree,
             const Eigen::Isometry3f& mesh_from_world, float margin_m, std::int32_t object, DescentMemory& memory,
             std::int64_t& tests, bool& complete) {
    Descent descent(volumes, tree, mesh_from_world, margin_m, object, memory);
    descent.Run(root);
    tests = descent.tests;
    complete = descent.complete;
}

}  // namespace
}  // namespace glovebox::collision::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace glovebox::collision {
namespace {

HWY_EXPORT(Descend);
HWY_EXPORT(OverlapOnce);

}  // namespace

DescentMemory::DescentMemory(std::size_t bones) {
    near.resize(bones * kPlaces);
    for (std::size_t i = 0; i < near.size(); ++i) near[i].turn = static_cast<int>(i / kPlaces * 3 % 8);
    pairs.resize(bones * kPlaces);
    parts.reserve(kMaxParts);
    found.reserve(kMaxParts);
    boxes_in_mesh.resize(2 * bones);
    has_box.resize(2 * bones);
    count_of_bone.resize(bones + 1);
    targets.reserve(kTogether);
    target_boxes.resize(kTogether);
    target_columns.assign(target_boxes);
    met.resize(bones);
}

// Not the default: a copy needs the capacity too.
DescentMemory::DescentMemory(const DescentMemory& other) : DescentMemory(other.near.size() / kPlaces) {
    *this = other;
}
DescentMemory::DescentMemory(DescentMemory&&) noexcept = default;
DescentMemory& DescentMemory::operator=(const DescentMemory&) = default;
DescentMemory& DescentMemory::operator=(DescentMemory&&) noexcept = default;
DescentMemory::~DescentMemory() = default;

std::int64_t descend(const BodyVolumes& volumes, std::int32_t root, const ObbTree& tree,
                     const Eigen::Isometry3f& mesh_from_world, float margin_m, std::int32_t object,
                     DescentMemory& memory, bool& complete) {
    std::int64_t tests = 0;
    HWY_DYNAMIC_DISPATCH(Descend)
    (volumes, root, tree, mesh_from_world, margin_m, object, memory, tests, complete);
    return tests;
}

std::uint32_t overlap_children(const Obb& box, const ObbTree::Node& node, float slack_m,
                               std::array<float, ObbTree::kWidth>& area_m2) {
    return HWY_DYNAMIC_DISPATCH(OverlapOnce)(box, node, slack_m, area_m2.data());
}

std::uint32_t overlap_children_scalar(const Obb& box, const ObbTree::Node& node, float slack_m,
                                      std::array<float, ObbTree::kWidth>& area_m2) {
    const Eigen::Matrix3f from_mesh = axes_of(node).transpose();
    const Obb in_node{from_mesh * box.center_m, from_mesh * box.axes, box.half_m.array() + slack_m};
    std::uint32_t result = 0;
    for (std::size_t child = 0; child < static_cast<std::size_t>(node.count); ++child) {
        const Obb of_child = obb_of(stored_box(node, child));
        area_m2[child] = of_child.area_m2() / 8.0F;
        if (overlap_scalar(of_child, in_node)) result |= 1U << child;
    }
    return result;
}

}  // namespace glovebox::collision
#endif
