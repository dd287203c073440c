// The part of a step that turns its samples into events (events.h) and updates the states between steps.
#pragma once

#include "scenes/step.h"

namespace glovebox::scenes {

/// Suppresses the events of a bone and an object that penetrate because the hand reappeared or jumped, or because the
/// finger was untracked in the previous step. The events are suppressed until the bone is clear of the object.
void suppress_after_return(const Scene& scene, World& world, tracking::Side side);

/// Fills world.events and world.stays from world.samples. When a grab ends, releases the object in world.dynamics.
void update_events(const Scene& scene, World& world);

}  // namespace glovebox::scenes
