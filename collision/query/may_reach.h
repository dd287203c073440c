// Cheap conservative tests of round cones against boxes and each other, used as the leaf test of a hierarchy before the
// exact test.
#pragma once

#include "collision/box/shape.h"

namespace glovebox::collision {

/// Returns false only if the cone and the box are disjoint. Tests the box's axes, and the direction from the box's
/// centre to the nearest point of the cone's axis. This costs a third of an OBB test and fits a finger more closely.
bool may_reach(const RoundCone& cone, const Obb& box);

/// Returns false only if the two cones are farther apart than margin_m. Exact for capsules, up to rounding.
bool may_reach(const RoundCone& a, const RoundCone& b, float margin_m);

}  // namespace glovebox::collision
