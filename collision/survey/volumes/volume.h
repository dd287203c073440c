// Bounding volumes: the interface of every kind, so that trees and queries are written once.
// A kind is a struct of static functions over its `Type`:
//   kName, kSummary           for tables
//   kExactDistance            distance_m() is the distance; else a lower bound, 0 only where volumes may overlap
//   fit(points)               a small volume that contains all points (>= 1)
//   merge(a, b)               contains both; computed from the volumes alone
//   overlap(a, b)             touching counts; never false for volumes that overlap
//   distance_m(a, b)          0 when they overlap
//   volume_m3(a)
//   Motion(target_from_body)  a rigid motion prepared once per query; motion(a) contains the moved a. Kinds with fixed
//                             axes (AABB, k-DOP) grow: the volume around a rotated volume
// All volumes contain their points also after rounding to float: fits are padded by padding_m(). `glovebox bench
// volumes` measures the cost and tightness of each kind; docs/how-to/laboratory.md lists them.
#pragma once

#include <Eigen/Geometry>
#include <limits>

#include "collision/box/box.h"

namespace glovebox::collision {

/// Returns the rounding error of a volume with coordinates up to this size, including one rigid motion.
inline float padding_m(float largest_coordinate_m) {
    return 16.0F * std::numeric_limits<float>::epsilon() * largest_coordinate_m;
}

}  // namespace glovebox::collision
