// Refit methods of [Schmidl04] that only the benchmarks offer.
#pragma once

#include <span>

#include "collision/body/refit.h"

namespace glovebox::collision {

/// Merges by CAB as in footnote 1 of the paper. If the endpoint vector is shorter than both limbs, the first axis is
/// the bisector of the limbs, a1 + a2 normalised. Otherwise, and for parallel limbs, calls merge_cab().
Obb merge_cab_footnote(const Obb& a, const Obb& b, const Eigen::Vector3f& joint_m);

/// Returns "cab-scalar", which calls merge_cab() one merge at a time, and "cab-footnote", which calls
/// merge_cab_footnote().
std::span<const RefitMethod> paper_refit_methods();

}  // namespace glovebox::collision
