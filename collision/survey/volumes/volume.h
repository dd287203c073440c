// Bounding volumes: the interface of every kind, so that trees and queries are written once.
// A kind is a struct of static functions over its `Type`:
//   kName, kSummary           for tables
//   kExactDistance            distance_m() is the distance; else a lower bound, 0 only where volumes may overlap
//   fit(points)               a small volume that holds all points (>= 1)
//   merge(a, b)               holds both; made from the volumes alone
//   overlap(a, b)             touching counts; never false for volumes that overlap
//   distance_m(a, b)          0 when they overlap
//   volume_m3(a)
//   Motion(target_from_body)  a rigid motion prepared once a query; motion(a) holds the moved a. Kinds with fixed axes
//                             (AABB, k-DOP) grow: the volume round a turned volume
// All volumes hold their points also after rounding to float: fits are padded by padding_m(). Costs and tightness of
// each kind are measured by `glovebox bench volumes` and listed in docs/how-to/laboratory.md.
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
