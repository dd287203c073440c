// The inner part of a step: hands move from where they were to where they are, objects are pushed and carried
// meanwhile.
//
// A hand that moves further than a fingertip's radius in a frame meets every object in its path, a thin plate as well
// as a small ball: what no one pushes by a sweep of each fast bone (swept.h), and where something can be pushed the
// whole hand is taken along in sub-steps, and recorded objects with it. A hand at rest is met likewise by what moves as
// recorded.
#pragma once

#include "scenes/step.h"

namespace glovebox::scenes {

/// Fills world.samples, pushes and carries dynamic objects, and moves them on by dt_s. No allocation once warm.
void interact(const Scene& scene, World& world, double dt_s);

/// How far a hand's fastest bone moved since the frame before, as seen from the fastest of the objects; 0 without a
/// frame before.
float way_seen_m(const HandState& hand, std::span<const ObjectWay> ways);

/// What is held by a hand that came back elsewhere or jumped goes with it, at rest: nothing is known of a way between,
/// along which it could be pulled. What has a joint, or would be inside of something there, stays, and slips out of the
/// grip. After the hands were posed.
void bring_along(const Scene& scene, World& world);

/// Colliders to where their objects are.
void place_colliders(const Scene& scene, World& world);

}  // namespace glovebox::scenes
