// Merging two oriented boxes into one that encloses both: the step that every refit of oriented boxes repeats.
//
// All merges take the children's boxes only, never what is inside. All enclose both children also after rounding to
// float: extents are measured from the first child's centre and padded by 4 eps max|centre| + 8 eps (h0 + h1 + h2).
#pragma once

#include <cstdint>
#include <span>

#include "collision/box/box.h"

namespace glovebox::collision {

/// Boxes round boxes whose axes differ grow by a factor a level: where a hierarchy is hundreds of levels deep, out of
/// float. Those longer than a thousand kilometres are merged along a child's axes, which only adds.
inline constexpr float kLongest_m2 = 1e12F;

/// CAB [Schmidl04, sec. 3.2.1]. `joint_m` is the articulation: the children's major axes are taken to point away from
/// it. The parent's frame jumps where the bend passes 60 degrees and where the children become parallel: never derive
/// anything that must be smooth from these boxes.
/// Departures: the parallel test takes the sine, so that straight limbs (antiparallel axes, whose cross product
/// vanishes too) also take a child's frame; where the joint lies beside a child's centre, the sign of its axis is that
/// of the furthest pair of tips; the second axis is orthogonalised once more.
Obb merge_cab(const Obb& a, const Obb& b, const Eigen::Vector3f& joint_m);

/// The smallest, by area, of the CAB box and the two boxes along a child's axes: at small bends a child's frame fits
/// better, since CAB's second axis knows nothing of the children's cross-sections.
Obb merge_cab_children(const Obb& a, const Obb& b, const Eigen::Vector3f& joint_m);

/// CAB++: the smallest, by area, of eleven candidates: the endpoint vector rolled to each of the children's six axes,
/// both children's frames, and the plane of the limbs with each of E, a_1 and a_2 as first axis. Within half a percent
/// of the best box there is, for limbs that bend anywhere.
Obb merge_cab_best(const Obb& a, const Obb& b, const Eigen::Vector3f& joint_m);

/// Axes of the covariance of the 16 corners [Gottschalk96], in closed form: R diag(h^2) R^T is that of a box's corners.
Obb merge_covariance(const Obb& a, const Obb& b);

/// As FCL and Coal merge: boxes far apart against their size take the line of centres and the covariance of the corners
/// across it; near ones the mean of their two rotations.
Obb merge_rotations(const Obb& a, const Obb& b);

/// The smallest box with these axes round both. Closed form of projecting the 16 corners, then the padding.
Obb enclose(const Eigen::Matrix3f& axes, const Obb& a, const Obb& b);
/// The same round any boxes, at least one.
Obb enclose(const Eigen::Matrix3f& axes, std::span<const Obb> boxes, std::span<const std::int32_t> members);

}  // namespace glovebox::collision
