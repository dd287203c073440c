// The box of least volume round a few points, found by exhaustion: the oracle that fitters are tested against.
//
// A smallest box has two adjacent faces that each hold an edge of the hull [ORourke85]. For every pair of edges the
// frames with that property form a curve of one parameter; every curve is scanned and its minima refined. Cubic in the
// corners with a large constant: seconds at 20 points.
#pragma once

#include <Eigen/Core>
#include <span>

#include "collision/box/box.h"

namespace glovebox::collision {

/// `scan` is the number of places tried on each curve before refinement. Fewer than four points, or flat ones, are
/// legal.
Obb smallest_box(std::span<const Eigen::Vector3f> points_m, int scan = 90);

}  // namespace glovebox::collision
