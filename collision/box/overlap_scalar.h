// The box test written out axis by axis: what overlap(Obb, Obb) falls back to where there are no registers, and what
// tests compare it with.
#pragma once

#include "collision/box/box.h"

namespace glovebox::collision {

bool overlap_scalar(const Obb& a, const Obb& b);

}  // namespace glovebox::collision
