// Copies the surfaces near each bone out of the scene for the force loop. The frame loop calls it after each step.
#pragma once

#include "scenes/haptics.h"
#include "scenes/step.h"

namespace glovebox::scenes {

/// Fills `out.hands` from the world after a step. Each bone's pad gets the nearest kMaxPieces pieces within the hover
/// distance and the hardest touch that began on a dynamic object. The caller sets the stamps and the period. Takes
/// about a microsecond for each bone near a mesh; no allocation after the first frames.
void gather_surfaces(const Scene& scene, const World& world, HapticFrame& out);

/// Does the same for hands that have moved since the step, while all objects stay where the step left them. Does not
/// change the world, and adds no strikes, because only a step has events. `scratch` keeps its memory between calls.
void gather_surfaces_near(const Scene& scene, const World& world, const tracking::HandPair& hands,
                          tracking::PerSide<HandState>& scratch, HapticFrame& out);

}  // namespace glovebox::scenes
