// Candidate frames from the extreme points of a set [Larsson11]: a large triangle, and the two tetrahedra on it.
#pragma once

#include "collision/mesh/fit/point_set.h"

namespace glovebox::collision {

/// The distinct extreme points of the first `direction_count` fixed directions (7 or 13).
PointSet extreme_points(const PointSet& points, const Extremes& found, int direction_count);

/// The frame with the smallest box round `selected` among the mesh's own axes and those flush with an edge and a face
/// of the base triangle (3 frames) and of the two tetrahedra on it (18 more). Measured by surface area. Coinciding
/// points give the mesh's own axes, points on a line a frame along it.
Eigen::Matrix3f best_dito_axes(const PointSet& points, const Extremes& found, const PointSet& selected,
                               int direction_count);

}  // namespace glovebox::collision
