// Distance grabs: the palm points at an object, a pinch of thumb and index finger brings it to the hand and holds it.
//
// The hand aims from the middle of its palm along the middle metacarpal, and selects the dynamic object nearest to that
// line within a cone. Jointed objects, objects that a hand holds, and objects behind others are not selected. A hand
// that holds or nearly touches a dynamic object selects nothing: it grabs with its fingers.
#pragma once

#include "scenes/step.h"

namespace glovebox::scenes {

/// Half the angle of the cone. An object that is selected stays so in the wider one, unless another is nearer by more
/// than kAimBetter_rad.
inline constexpr float kAim_rad = 0.21F, kAimExit_rad = 0.31F, kAimBetter_rad = 0.05F;

/// Returns the object at which the hand points, -1 if there is none. `now` is the object that is selected already.
/// Takes one distance query for each dynamic object in reach, and for each object in front of it.
std::int32_t find_aimed_object(const Scene& scene, const World& world, tracking::Side side, std::int32_t now);

/// Begins the hold of the aimed object: it moves to the nearest stored grab pose of that hand. Without one, its nearest
/// point moves to `pinch_m`. The hold must have its `since_ns`. Call it while the palm is tracked.
void begin_pull(const Scene& scene, World& world, tracking::Side side, std::int32_t object,
                const Eigen::Vector3f& pinch_m);

}  // namespace glovebox::scenes
