// Rounded bones against boxes and each other, cheaply: what a hierarchy asks at its leaves before the exact test.
#pragma once

#include "collision/box/shape.h"

namespace glovebox::collision {

/// False only if the cone and the box are apart. Tests the box's axes and the direction from its middle to the nearest
/// point of the cone's axis: a third of the cost of an oriented box's test, and closer to what a finger is.
bool may_reach(const RoundCone& cone, const Obb& box);

/// False only if the two are apart by more than margin_m. Exact for capsules, up to rounding.
bool may_reach(const RoundCone& a, const RoundCone& b, float margin_m);

}  // namespace glovebox::collision
