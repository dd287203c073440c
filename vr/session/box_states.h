// What each box of a hand's hierarchy is doing this frame: touching, a false positive, or idle.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "scenes/scene.h"
#include "scenes/step.h"

namespace glovebox::vr {

/// Touching: the bone touches something. False positive: the box tests could not rule a touch out, the exact test did.
/// An inner node is what the worst of its bones is. Order is drawing order.
enum class BoxState : std::uint8_t { absent, idle, false_positive, touching };

struct BoxCounts {
    int touching = 0, false_positive = 0, idle = 0;  ///< bones, both hands
};

/// Per node of hand_body(), leaves first. `objects` gets the state of each scene object, raised, not cleared.
void box_states(const scenes::Scene& scene, const scenes::World& world, tracking::Side side,
                std::vector<BoxState>& nodes, std::vector<BoxState>& objects);

BoxCounts count_boxes(const scenes::Scene& scene, const scenes::World& world);

/// How far each node is from the root: 0 the root, and the depth of the deepest leaf.
const std::vector<int>& node_depths();
int deepest_node();

/// Whether the step counts this contact as a touch (hysteresis and all).
bool is_touching(const scenes::Scene& scene, const scenes::World& world, tracking::Side side,
                 const collision::Contact& contact);

}  // namespace glovebox::vr
