// Candidate box axes from the extreme points of a set (DiTO) [Larsson11]: a large triangle and the two tetrahedra on
// it.
#pragma once

#include "collision/mesh/fit/point_set.h"

namespace glovebox::collision {

/// Returns the distinct extreme points along the first `direction_count` fixed directions (7 or 13).
PointSet extreme_points(const PointSet& points, const Extremes& found, int direction_count);

/// Returns the axes of the smallest box, by surface area, around `selected`. Candidates are the coordinate axes of the
/// mesh's frame, and frames with one axis along an edge and another along the normal of a face at that edge. The faces
/// are the base triangle (3 frames) and those of the two tetrahedra on it (18). Coincident points give the coordinate
/// axes, collinear points a frame along the line.
Eigen::Matrix3f best_dito_axes(const PointSet& points, const Extremes& found, const PointSet& selected,
                               int direction_count);

}  // namespace glovebox::collision
