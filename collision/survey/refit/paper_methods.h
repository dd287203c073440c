// Refit methods that [Schmidl04] names and a session does not offer: rows of the benches' tables.
#pragma once

#include <span>

#include "collision/body/refit.h"

namespace glovebox::collision {

/// CAB as footnote 1 has it: where the endpoint vector is the shortest of the three, the first axis is the bisector of
/// the limbs, a1 + a2 normalised. Else, and for parallel limbs, merge_cab().
Obb merge_cab_footnote(const Obb& a, const Obb& b, const Eigen::Vector3f& joint_m);

/// "cab-scalar": merge_cab(), one merge at a time, as the others here; "cab-footnote": merge_cab_footnote().
std::span<const RefitMethod> paper_refit_methods();

}  // namespace glovebox::collision
