#include "vr/session/box_pairs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <tuple>

#include "collision/mesh/mesh_tree.h"
#include "scenes/hand_body.h"

namespace glovebox::vr {
namespace {

using collision::BoxTest;
using collision::ObbTree;

static_assert(scenes::kHandBoneCount <= 32, "bones below a node are bits of 32");

// Returns the depth of every node. Children come after their parents.
std::vector<int> levels_of_nodes(const ObbTree& tree) {
    std::vector<int> levels(tree.nodes().size(), 0);
    for (std::size_t i = 0; i < levels.size(); ++i) {
        const ObbTree::Node& node = tree.nodes()[i];
        for (std::size_t k = 0; k < static_cast<std::size_t>(node.count); ++k)
            if (node.child[k] >= 0) levels[static_cast<std::size_t>(node.child[k])] = levels[i] + 1;
    }
    return levels;
}

std::vector<std::uint32_t> make_bones_below() {
    const collision::ArticulatedBody& body = scenes::hand_body();
    std::vector<std::uint32_t> bones(static_cast<std::size_t>(body.node_count()));
    for (std::size_t i = 0; i < bones.size(); ++i) {
        const auto leaves = static_cast<std::size_t>(body.bone_count());
        if (i < leaves) {
            bones[i] = 1U << i;
            continue;
        }
        const collision::HierarchyNode& node = body.nodes[i - leaves];
        bones[i] = bones[static_cast<std::size_t>(node.child_a)] | bones[static_cast<std::size_t>(node.child_b)];
    }
    return bones;
}
std::uint32_t bones_below(std::int32_t body_node) {
    static const std::vector<std::uint32_t> bones = make_bones_below();
    return bones[static_cast<std::size_t>(body_node)];
}

bool holds(const collision::Obb& box, const Eigen::Vector3f& point_m) {
    constexpr float kRounding_m = 1e-4F;
    return ((box.axes.transpose() * (point_m - box.center_m)).cwiseAbs() - box.half_m).maxCoeff() <= kRounding_m;
}

bool touches_inside(const scenes::Scene& scene, const scenes::World& world, const BoxPair& pair) {
    return std::ranges::any_of(world.hands[pair.side].contacts, [&](const collision::Contact& contact) {
        return contact.object == pair.object && (bones_below(pair.body_node) >> contact.bone & 1U) != 0 &&
               is_touching(scene, world, pair.side, contact) &&
               (pair.tree_node < 0 || holds(pair.object_box, contact.on_object_m));
    });
}

// Returns the box that the method in use tests. For leaf_itself it is the bone's oriented box, whatever its shape.
collision::Obb hand_box_of(const scenes::World& world, tracking::Side side, std::int32_t body_node, bool leaf_itself) {
    const collision::BodyBoxes& boxes = world.hands[side].boxes;
    const auto i = static_cast<std::size_t>(body_node);
    if (leaf_itself) return world.hands[side].pose.leaf_boxes[i];
    return world.method->kind == collision::BoxKind::aligned ? collision::obb_of(boxes.aabb[i]) : boxes.obb[i];
}

}  // namespace

BoxCounts count_pairs(std::span<const BoxPair> pairs) {
    BoxCounts counts;
    for (const BoxPair& pair : pairs) {
        counts.touching += pair.state == BoxState::touching;
        counts.false_positive += pair.state == BoxState::false_positive;
        counts.idle += pair.state == BoxState::idle;
    }
    return counts;
}

std::string name_of_node(std::int32_t body_node) {
    const collision::ArticulatedBody& body = scenes::hand_body();
    if (body_node < body.bone_count()) return body.bone_names[static_cast<std::size_t>(body_node)];
    if (body_node == body.node_count() - 1) return "whole hand";
    constexpr std::array<const char*, tracking::kFingerCount> kFingers = {"thumb", "index", "middle", "ring", "little"};
    const std::uint32_t bones = bones_below(body_node);
    std::string names;
    // A part of the palm alone is named by its metacarpals.
    std::uint32_t palm = 0;
    for (int bone = 0; bone < body.bone_count(); ++bone) palm |= scenes::is_of_palm(bone) ? 1U << bone : 0U;
    if ((bones & ~palm) == 0 && bones != palm) {
        for (int bone = 0; bone < body.bone_count(); ++bone)
            if ((bones >> bone & 1U) != 0)
                names += (names.empty() ? "" : ", ") + std::string(kFingers[static_cast<std::size_t>(bone / 4)]);
        return names + " metacarpals";
    }
    for (int finger = -1; finger < tracking::kFingerCount; ++finger)
        for (int bone = 0; bone < body.bone_count(); ++bone)
            if ((bones >> bone & 1U) != 0 && scenes::finger_of_bone(bone) == finger) {
                names += (names.empty() ? "" : ", ") +
                         std::string(finger < 0 ? "palm" : kFingers[static_cast<std::size_t>(finger)]);
                break;
            }
    return names + " (" + std::to_string(std::popcount(bones)) + " bones)";
}

const std::vector<int>& BoxPairs::levels_of(std::int32_t object,
                                            const std::shared_ptr<const collision::MeshTree>& tree) {
    const auto i = static_cast<std::size_t>(object);
    if (levels_.size() <= i) levels_.resize(i + 1);
    if (levels_[i].tree != tree) levels_[i] = {tree, levels_of_nodes(tree->tree())};
    return levels_[i].of_node;
}

std::span<const BoxPair> BoxPairs::of(const scenes::Scene& scene, const scenes::World& world,
                                      const tracking::PerSide<std::vector<BoxTest>>& tests,
                                      std::span<const collision::Collider> colliders) {
    pairs_.clear();
    const float margin_m = scene.thresholds.hover_exit_m;
    for (const tracking::Side side : tracking::kSides) {
        const BoxTest* before = nullptr;
        for (const BoxTest& test : tests[side]) {
            const collision::Collider& object = colliders[static_cast<std::size_t>(test.object)];
            const auto* mesh = std::get_if<collision::MeshInstance>(&object.shape);
            BoxPair pair;
            pair.side = side;
            pair.object = test.object;
            pair.body_node = test.body_node;
            pair.tree_node = test.tree_node;
            // A bone's own box is tested right after its box in the hierarchy.
            pair.leaf_itself = before != nullptr && before->object == test.object &&
                               before->body_node == test.body_node && before->tree_node == test.tree_node;
            before = &test;
            pair.hand_level = node_depths()[static_cast<std::size_t>(test.body_node)];
            pair.hand_box = hand_box_of(world, side, test.body_node, pair.leaf_itself);
            if (test.tree_node < 0) {
                pair.tree_level = -1;
                pair.object_box = object.box.grown(margin_m);
            } else {
                pair.tree_level = levels_of(test.object, mesh->tree)[static_cast<std::size_t>(test.tree_node)];
                pair.hand_box = pair.hand_box.grown(margin_m);
            }
            for (std::uint32_t bits = test.tested; bits != 0; bits &= bits - 1) {
                pair.child = std::countr_zero(bits);
                if (test.tree_node >= 0) {
                    const ObbTree& tree = mesh->tree->tree();
                    pair.object_box = collision::transformed(
                        mesh->world_from_mesh, tree.box_of(tree.nodes()[static_cast<std::size_t>(test.tree_node)],
                                                           static_cast<std::size_t>(pair.child)));
                }
                pair.state = (test.met >> pair.child & 1U) == 0   ? BoxState::idle
                             : touches_inside(scene, world, pair) ? BoxState::touching
                                                                  : BoxState::false_positive;
                pairs_.push_back(pair);
            }
        }
    }
    return pairs_;
}

void object_boxes_at(std::span<const BoxPair> pairs, int tree_level, std::vector<BoxPair>& out) {
    out.clear();
    for (const BoxPair& pair : pairs)
        if (pair.tree_level == tree_level) out.push_back(pair);
    // Several boxes of the hand may meet the same box of a tree: keep one entry for each, the most severe.
    const auto place = [](const BoxPair& pair) { return std::tuple(pair.object, pair.tree_node, pair.child); };
    std::ranges::sort(out, [&](const BoxPair& a, const BoxPair& b) {
        return std::tuple(place(a), b.state) < std::tuple(place(b), a.state);
    });
    const auto same = [&](const BoxPair& a, const BoxPair& b) { return place(a) == place(b); };
    out.erase(std::unique(out.begin(), out.end(), same), out.end());
    std::ranges::stable_sort(out, {}, &BoxPair::state);
}

}  // namespace glovebox::vr
