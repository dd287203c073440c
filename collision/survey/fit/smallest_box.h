// Finds the box of least volume around a few points by exhaustive search; the reference for tests of fitters.
//
// A smallest box has two adjacent faces that each contain an edge of the hull [ORourke85]. For every pair of edges, the
// frames with that property form a one-parameter curve. Every curve is sampled and its minima are refined. The cost is
// cubic in the corners with a large constant: seconds for 20 points.
#pragma once

#include <Eigen/Core>
#include <span>

#include "collision/box/box.h"

namespace glovebox::collision {

/// Returns the smallest box. `scan` is the number of samples of each curve before refinement. Fewer than four points
/// and coplanar points are allowed.
Obb smallest_box(std::span<const Eigen::Vector3f> points_m, int scan = 90);

}  // namespace glovebox::collision
