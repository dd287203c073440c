// The part of a step in which hands move from their previous to their current pose, and push and carry objects.
//
// A hand that moves further than a fingertip's radius in a frame still touches every object in its path, such as a thin
// plate or a small ball. Contacts with objects that cannot be pushed are found by sweeping each fast bone (swept.h). If
// a dynamic object is in the path, the whole hand moves in sub-steps, and so do recorded objects. In the same way, a
// fast recorded object touches a hand at rest.
#pragma once

#include "scenes/step.h"

namespace glovebox::scenes {

/// Fills world.samples, pushes and carries dynamic objects, and advances them by dt_s. No allocation after the first
/// frames.
void interact(const Scene& scene, World& world, double dt_s);

/// Moves held objects to a hand that reappeared elsewhere or jumped. They arrive at rest, because the path between is
/// unknown. An object stays where it is, and shifts in the grip, if it has a joint or would be inside another object.
/// Call it after the hands are posed.
void move_with_hand(const Scene& scene, World& world);

/// Moves the colliders of held objects as the hands move in this step, so that contacts compare hand and object at the
/// same time. Otherwise a hand would leave the object behind by its motion in a step, and lose it. An object with a
/// joint is not moved, because its joint limits its motion. Call it after move_with_hand().
void carry_colliders(const Scene& scene, World& world);

/// Moves the colliders to the poses of their objects.
void place_colliders(const Scene& scene, World& world);

}  // namespace glovebox::scenes
