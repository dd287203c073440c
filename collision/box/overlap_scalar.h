// The OBB overlap test written out axis by axis: the fallback of overlap(Obb, Obb) on machines without SIMD, and the
// reference for tests.
#pragma once

#include "collision/box/box.h"

namespace glovebox::collision {

bool overlap_scalar(const Obb& a, const Obb& b);

}  // namespace glovebox::collision
