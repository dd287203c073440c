// Finds the box of least volume around a few points exhaustively: the reference that fitters are tested against.
//
// A smallest box has two adjacent faces that each contain an edge of the hull [ORourke85]. For every pair of edges, the
// frames with that property form a one-parameter curve. Every curve is sampled and its minima are refined. Cubic in the
// corners with a large constant: seconds at 20 points.
#pragma once

#include <Eigen/Core>
#include <span>

#include "collision/box/box.h"

namespace glovebox::collision {

/// Returns the smallest box. `scan`: samples of each curve before refinement. Fewer than four points and coplanar
/// points are legal.
Obb smallest_box(std::span<const Eigen::Vector3f> points_m, int scan = 90);

}  // namespace glovebox::collision
