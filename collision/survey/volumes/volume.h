// Bounding volumes: the interface that every kind implements, so that trees and queries are written once.
// A kind is a struct of static functions over its `Type`:
//   kName, kSummary           texts for tables
//   kExactDistance            true if distance_m() is exact; otherwise it is a lower bound, which is 0 only where
//                             volumes may overlap
//   fit(points)               returns a small volume that contains all points (at least one)
//   merge(a, b)               returns a volume that contains both, computed from the volumes alone
//   overlap(a, b)             true if they overlap or touch; never false for volumes that overlap
//   distance_m(a, b)          0 when they overlap
//   volume_m3(a)
//   Motion(target_from_body)  a rigid motion prepared once per query; motion(a) contains the moved a. Kinds with fixed
//                             axes (AABB, k-DOP) grow when rotated. A pose that is not finite may be prepared, but
//                             not used
// All volumes contain their points also after rounding to float: fits are padded by padding_m(). `glovebox bench
// volumes` measures the cost and tightness of each kind; docs/how-to/laboratory.md lists them.
#pragma once

#include <Eigen/Geometry>
#include <limits>

#include "collision/box/box.h"

namespace glovebox::collision {

/// Returns a bound of the rounding error of a volume with coordinates up to this size, including one rigid motion.
inline float padding_m(float largest_coordinate_m) {
    return 16.0F * std::numeric_limits<float>::epsilon() * largest_coordinate_m;
}

}  // namespace glovebox::collision
