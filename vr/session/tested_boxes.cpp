#include "vr/session/tested_boxes.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "collision/mesh/mesh_tree.h"
#include "scenes/hand_body.h"

namespace glovebox::vr {
namespace {

using collision::BoxTest;
using collision::ObbTree;

// Depth of every node; children lie behind their parents.
std::vector<int> levels_of_nodes(const ObbTree& tree) {
    std::vector<int> levels(tree.nodes().size(), 0);
    for (std::size_t i = 0; i < levels.size(); ++i) {
        const ObbTree::Node& node = tree.nodes()[i];
        for (std::size_t k = 0; k < static_cast<std::size_t>(node.count); ++k)
            if (node.child[k] >= 0) levels[static_cast<std::size_t>(node.child[k])] = levels[i] + 1;
    }
    return levels;
}

bool holds(const collision::Obb& box, const Eigen::Vector3f& point_m) {
    constexpr float kRounding_m = 1e-4F;
    return ((box.axes.transpose() * (point_m - box.center_m)).cwiseAbs() - box.half_m).maxCoeff() <= kRounding_m;
}

bool touches_inside(const scenes::Scene& scene, const scenes::World& world, tracking::Side side, std::int32_t object,
                    const collision::Obb& box) {
    return std::ranges::any_of(world.hands[side].contacts, [&](const collision::Contact& contact) {
        return contact.object == object && is_touching(scene, world, side, contact) && holds(box, contact.on_object_m);
    });
}

}  // namespace

const std::vector<int>& TestedBoxes::levels_of(std::int32_t object,
                                               const std::shared_ptr<const collision::MeshTree>& tree) {
    const auto i = static_cast<std::size_t>(object);
    if (levels_.size() <= i) levels_.resize(i + 1);
    if (levels_[i].tree != tree) levels_[i] = {tree, levels_of_nodes(tree->tree())};
    return levels_[i].of_node;
}

std::span<const TestedBox> TestedBoxes::at_level(const scenes::Scene& scene, const scenes::World& world, int level) {
    boxes_.clear();
    const collision::ArticulatedBody& body = scenes::hand_body();
    if (!memory_) {
        memory_ = std::make_unique<collision::DescentMemory>(static_cast<std::size_t>(body.bone_count()));
        memory_->trace = &tests_;
    }
    for (const tracking::Side side : tracking::kSides) {
        const scenes::HandState& hand = world.hands[side];
        if (!hand.present || world.method == nullptr) continue;
        tests_.clear();
        candidates_.clear();
        collision::CollideCounts counts;
        collision::find_candidates(*world.method, body, hand.pose, hand.boxes, world.colliders,
                                   scene.thresholds.hover_exit_m, candidates_, counts,
                                   1U << static_cast<unsigned>(side), memory_.get(), &world.object_tree);
        // Several boxes of the hand meet the same node: one entry for each, and what any of them overlapped.
        std::ranges::sort(tests_, {}, [](const BoxTest& test) { return std::pair(test.object, test.tree_node); });
        for (auto from = tests_.begin(); from != tests_.end();) {
            const auto to = std::find_if(from, tests_.end(), [&](const BoxTest& test) {
                return test.object != from->object || test.tree_node != from->tree_node;
            });
            const auto* mesh =
                std::get_if<collision::MeshInstance>(&world.colliders[static_cast<std::size_t>(from->object)].shape);
            if (mesh != nullptr && from->tree_node >= 0 &&
                levels_of(from->object, mesh->tree)[static_cast<std::size_t>(from->tree_node)] == level) {
                std::uint32_t tested = 0, met = 0;
                for (auto test = from; test != to; ++test) {
                    tested |= test->tested;
                    met |= test->met;
                }
                const ObbTree& tree = mesh->tree->tree();
                const ObbTree::Node& node = tree.nodes()[static_cast<std::size_t>(from->tree_node)];
                for (std::uint32_t bits = tested; bits != 0; bits &= bits - 1) {
                    const auto child = static_cast<std::size_t>(std::countr_zero(bits));
                    TestedBox& box = boxes_.emplace_back();
                    box.box = collision::transformed(mesh->world_from_mesh, tree.box_of(node, child));
                    box.object = from->object;
                    box.level = level;
                    if ((met >> child & 1U) == 0) continue;
                    box.state = touches_inside(scene, world, side, box.object, box.box) ? BoxState::touching
                                                                                        : BoxState::false_alarm;
                }
            }
            from = to;
        }
    }
    std::ranges::stable_sort(boxes_, {}, &TestedBox::state);
    return boxes_;
}

}  // namespace glovebox::vr
