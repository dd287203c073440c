#include "vr/session/box_states.h"

#include <algorithm>

#include "scenes/hand_body.h"

namespace glovebox::vr {
namespace {

std::vector<int> make_depths() {
    const collision::ArticulatedBody& body = scenes::hand_body();
    std::vector<int> depth(static_cast<std::size_t>(body.node_count()), 0);
    // The nodes are in post-order, parents after children, so traverse them backwards.
    for (int i = body.bone_count() - 2; i >= 0; --i) {
        const collision::HierarchyNode& node = body.nodes[static_cast<std::size_t>(i)];
        const int below = depth[static_cast<std::size_t>(body.bone_count() + i)] + 1;
        depth[static_cast<std::size_t>(node.child_a)] = below;
        depth[static_cast<std::size_t>(node.child_b)] = below;
    }
    return depth;
}

void raise(std::vector<BoxState>& states, std::int32_t at, BoxState to) {
    if (at < 0 || static_cast<std::size_t>(at) >= states.size()) return;
    BoxState& state = states[static_cast<std::size_t>(at)];
    state = std::max(state, to);
}

}  // namespace

const std::vector<int>& node_depths() {
    static const std::vector<int> depths = make_depths();
    return depths;
}

int deepest_node() {
    return *std::ranges::max_element(node_depths());
}

bool is_touching(const scenes::Scene& scene, const scenes::World& world, tracking::Side side,
                 const collision::Contact& contact) {
    const std::size_t objects = scene.objects.size();
    const std::size_t pair =
        (static_cast<std::size_t>(side) * scenes::kHandBoneCount + static_cast<std::size_t>(contact.bone)) * objects +
        static_cast<std::size_t>(contact.object);
    if (world.pairs.size() == 2 * scenes::kHandBoneCount * objects) return world.pairs[pair].touching != 0;
    return contact.distance_m <= scene.thresholds.touch_enter_m;
}

void box_states(const scenes::Scene& scene, const scenes::World& world, tracking::Side side,
                std::vector<BoxState>& nodes, std::vector<BoxState>& objects) {
    const collision::ArticulatedBody& body = scenes::hand_body();
    const scenes::HandState& hand = world.hands[side];
    nodes.assign(static_cast<std::size_t>(body.node_count()), BoxState::absent);
    objects.resize(scene.objects.size(), BoxState::idle);
    if (!hand.present) return;
    for (std::size_t b = 0; b < hand.pose.bone_present.size() && b < nodes.size(); ++b)
        if (hand.pose.bone_present[b] != 0) nodes[b] = BoxState::idle;
    for (const collision::Candidate& candidate : hand.candidates) {
        raise(nodes, candidate.bone, BoxState::false_positive);
        raise(objects, candidate.object, BoxState::false_positive);
    }
    for (const collision::Contact& contact : hand.contacts) {
        if (!is_touching(scene, world, side, contact)) continue;
        raise(nodes, contact.bone, BoxState::touching);
        raise(objects, contact.object, BoxState::touching);
    }
    for (int i = 0; i + 1 < body.bone_count(); ++i) {
        const collision::HierarchyNode& node = body.nodes[static_cast<std::size_t>(i)];
        nodes[static_cast<std::size_t>(body.bone_count() + i)] =
            std::max(nodes[static_cast<std::size_t>(node.child_a)], nodes[static_cast<std::size_t>(node.child_b)]);
    }
}

BoxCounts count_boxes(const scenes::Scene& scene, const scenes::World& world) {
    BoxCounts counts;
    std::vector<BoxState> nodes;
    std::vector<BoxState> objects;
    for (const tracking::Side side : {tracking::Side::left, tracking::Side::right}) {
        box_states(scene, world, side, nodes, objects);
        for (std::size_t b = 0; b < scenes::kHandBoneCount; ++b) {
            counts.touching += nodes[b] == BoxState::touching;
            counts.false_positive += nodes[b] == BoxState::false_positive;
            counts.idle += nodes[b] == BoxState::idle;
        }
    }
    return counts;
}

}  // namespace glovebox::vr
