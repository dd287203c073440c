// State of each box of a hand's hierarchy in this frame: touching, false positive, idle, or absent (not tracked).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "scenes/scene.h"
#include "scenes/step.h"

namespace glovebox::vr {

/// A bone is `idle` if the box tests ruled out that it touches an object, `touching` if is_touching() says so for one
/// of its contacts, and otherwise a `false_positive`. An object's state is decided in the same way, from its own pairs
/// with bones. An inner node has the highest state of its bones; `touching` is the highest. Boxes are drawn in the
/// order of the values.
enum class BoxState : std::uint8_t { absent, idle, false_positive, touching };

struct BoxCounts {
    int touching = 0, false_positive = 0, idle = 0;  ///< number of bones of both hands
};

/// Writes the state of each node of hand_body(), leaves first. `objects` has a state per object of the scene. A
/// call only raises these states, so that after a call for each hand they hold for both; clear it before the first.
void box_states(const scenes::Scene& scene, const scenes::World& world, tracking::Side side,
                std::vector<BoxState>& nodes, std::vector<BoxState>& objects);

/// Counts the bones of both hands by state.
BoxCounts count_boxes(const scenes::Scene& scene, const scenes::World& world);

/// Returns the depth of each node of hand_body(); the root has depth 0. deepest_node() returns the largest depth.
const std::vector<int>& node_depths();
int deepest_node();

/// Returns whether scenes::step() counts this contact as a touch. scenes/events.h describes the rules: two thresholds,
/// a minimum duration, and short losses of tracking that are bridged.
bool is_touching(const scenes::Scene& scene, const scenes::World& world, tracking::Side side,
                 const collision::Contact& contact);

}  // namespace glovebox::vr
