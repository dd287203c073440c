// Merges two oriented boxes into one that encloses both: the step that every OBB refit repeats.
//
// Merges use only the children's boxes, never their contents. The result encloses both children also after rounding to
// float: extents are measured from the first child's centre and padded by 4 eps max|centre| + 8 eps (h0 + h1 + h2).
#pragma once

#include <cstdint>
#include <span>

#include "collision/box/box.h"

namespace glovebox::collision {

/// Limit of a squared half extent. Boxes around boxes with different axes grow by a factor per level, so hundreds of
/// levels would overflow float. Boxes of more than a thousand kilometres are merged along a child's axes instead, where
/// extents only add up.
inline constexpr float kLongest_m2 = 1e12F;

/// Merges by CAB [Schmidl04, sec. 3.2.1]. `joint_m` is the articulation; the children's major axes are taken to point
/// away from it. The parent's frame jumps where the bend passes 60 degrees and where the children become parallel, so
/// do not derive anything smooth from these boxes.
/// Departures from the paper: the parallel test uses the sine, so straight limbs (antiparallel axes, whose cross
/// product also vanishes) take a child's frame too. If the joint is level with a child's centre, its axis takes the
/// sign that moves the tips farthest apart. The second axis is orthogonalised again.
Obb merge_cab(const Obb& a, const Obb& b, const Eigen::Vector3f& joint_m);

/// Returns the smallest, by area, of the CAB box and the two boxes along a child's axes. At small bends a child's frame
/// fits better, because CAB's second axis ignores the children's cross-sections.
Obb merge_cab_children(const Obb& a, const Obb& b, const Eigen::Vector3f& joint_m);

/// Merges by CAB++: the smallest, by area, of eleven candidate boxes. Their frames are the endpoint vector E rolled to
/// each of the children's six axes, both children's frames, and the plane of the limbs with E, a_1 or a_2 as first
/// axis. The area is within half a percent of the optimum for limbs bent at any angle.
Obb merge_cab_best(const Obb& a, const Obb& b, const Eigen::Vector3f& joint_m);

/// Merges along the axes of the covariance of the 16 corners [Gottschalk96], in closed form: a box's own part is R
/// diag(h^2) R^T.
Obb merge_covariance(const Obb& a, const Obb& b);

/// Merges as FCL and Coal do. Boxes far apart relative to their size: the line of centres and the covariance of the
/// corners across it. Others: the mean of the two rotations.
Obb merge_rotations(const Obb& a, const Obb& b);

/// Returns the smallest box with these axes around both, padded for rounding. Projects the 16 corners in closed form.
Obb enclose(const Eigen::Matrix3f& axes, const Obb& a, const Obb& b);
/// Does the same for boxes[members[i]]; `members` must not be empty.
Obb enclose(const Eigen::Matrix3f& axes, std::span<const Obb> boxes, std::span<const std::int32_t> members);

}  // namespace glovebox::collision
