// The step's part of events.h: from this step's samples to events, and the states that outlive the step.
#pragma once

#include "scenes/step.h"

namespace glovebox::scenes {

/// A hand that appears inside of objects, after a loss or a jump, did not go there, nor did a finger that was not seen:
/// those pairs stay quiet until clear.
void mute_what_the_hand_came_back_in(const Scene& scene, World& world, tracking::Side side);

/// Fills world.events and world.stays from world.samples. Grabs and releases tell world.dynamics.
void update_events(const Scene& scene, World& world);

}  // namespace glovebox::scenes
