// The frame loop's part of force rendering: copies the surfaces near each bone out of the scene for the force loop.
#pragma once

#include "scenes/haptics.h"
#include "scenes/step.h"

namespace glovebox::scenes {

/// Fills `out.hands` from the world after a step. Each bone's pad gets the nearest kMaxPieces pieces within the hover
/// distance and the hardest touch that began on a dynamic object. The caller sets stamps and period. No allocation
/// after the first frames; about 1 us for each bone near a mesh.
void gather_surfaces(const Scene& scene, const World& world, HapticFrame& out);

}  // namespace glovebox::scenes
