// Merges two oriented boxes into one that encloses both: the step that every OBB refit repeats.
//
// Merges use only the children's boxes, never their contents. The result encloses both children also after rounding to
// float. Its extents are measured from the first child's centre and padded by 4 eps max|centre| + 8 eps (h0 + h1 + h2),
// where h are the half extents and eps is the machine epsilon of float.
#pragma once

#include <cstdint>
#include <span>

#include "collision/box/box.h"

namespace glovebox::collision {

/// Limit of a squared half extent. If the axes of boxes differ from level to level, extents grow by a factor per level,
/// so hundreds of levels would overflow float. Boxes beyond the limit (a thousand kilometres) are therefore merged
/// along a child's axes, where extents only add up.
inline constexpr float kLongest_m2 = 1e12F;

/// Merges by CAB [Schmidl04, sec. 3.2.1]. `joint_m` is the joint between the children; their major axes are taken to
/// point away from it. The parent's frame jumps where the bend passes 60 degrees and where the children become
/// parallel, so do not derive anything smooth from these boxes.
/// The method departs from the paper in three ways. The parallel test uses the sine. So straight limbs, whose axes are
/// antiparallel and whose cross product also vanishes, take a child's frame too. If the direction from the joint to a
/// child's centre is nearly perpendicular to its major axis, the axis takes the sign that moves the tips farthest
/// apart. The second axis is orthogonalised again.
Obb merge_cab(const Obb& a, const Obb& b, const Eigen::Vector3f& joint_m);

/// Returns the smallest, by area, of the CAB box and the two boxes along a child's axes. At small bends a child's frame
/// fits better, because CAB's second axis ignores the children's cross-sections.
Obb merge_cab_children(const Obb& a, const Obb& b, const Eigen::Vector3f& joint_m);

/// Merges by CAB++: takes the smallest, by area, of the three boxes of merge_cab_children() and of nine more. Six of
/// these have the endpoint vector E as first axis and are rolled about it to each of the children's axes. The other
/// three have an axis along the normal of the limbs' plane, and E, a_1 or a_2 as first axis. The area is within half a
/// percent of the optimum for limbs bent at any angle.
Obb merge_cab_best(const Obb& a, const Obb& b, const Eigen::Vector3f& joint_m);

/// Merges along the axes of the covariance of the 16 corners [Gottschalk96], computed in closed form: about its own
/// centre, a box contributes R diag(h^2) R^T.
Obb merge_covariance(const Obb& a, const Obb& b);

/// Merges as FCL and Coal do. If the boxes are far apart relative to their size, the first axis is the line of centres,
/// and the others are the principal axes of the corners across it. Otherwise the frame is the mean of the two
/// rotations.
Obb merge_rotations(const Obb& a, const Obb& b);

/// Returns the smallest box with these axes that contains both, padded for rounding. Projects the 16 corners in closed
/// form.
Obb enclose(const Eigen::Matrix3f& axes, const Obb& a, const Obb& b);
/// Does the same for boxes[members[i]]; `members` must not be empty.
Obb enclose(const Eigen::Matrix3f& axes, std::span<const Obb> boxes, std::span<const std::int32_t> members);

}  // namespace glovebox::collision
