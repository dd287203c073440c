// State of each box of a hand's hierarchy in this frame: touching, false positive, or idle.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "scenes/scene.h"
#include "scenes/step.h"

namespace glovebox::vr {

/// A bone is `touching` if it touches an object. It is a `false_positive` if the box tests could not rule a touch out,
/// but the exact test did. An inner node has the most severe state of its bones. The order of the values is the drawing
/// order.
enum class BoxState : std::uint8_t { absent, idle, false_positive, touching };

struct BoxCounts {
    int touching = 0, false_positive = 0, idle = 0;  ///< number of bones of both hands
};

/// Writes the state of each node of hand_body(), leaves first. Raises the state of each scene object in `objects` where
/// this hand's state is more severe, and never lowers it, so that calls for both hands combine.
void box_states(const scenes::Scene& scene, const scenes::World& world, tracking::Side side,
                std::vector<BoxState>& nodes, std::vector<BoxState>& objects);

/// Counts the bones of both hands by state.
BoxCounts count_boxes(const scenes::Scene& scene, const scenes::World& world);

/// Returns the depth of each node of hand_body(); the root has depth 0. deepest_node() returns the largest depth.
const std::vector<int>& node_depths();
int deepest_node();

/// Returns whether the step counts this contact as a touch, with hysteresis, dwell and bridged losses.
bool is_touching(const scenes::Scene& scene, const scenes::World& world, tracking::Side side,
                 const collision::Contact& contact);

}  // namespace glovebox::vr
