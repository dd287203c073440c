// Exact orientation predicates: they determine on which side of a plane or a line a point lies, without rounding error.
//
// The determinant is computed in double with a bound of its rounding error. If the bound does not settle the sign, it
// is computed again as an exact sum of doubles. [Shewchuk97, sec. 2 and 4]
// Results are exact as long as no product of three coordinate differences underflows or overflows (1e-90 to 1e90 is
// safe).
#pragma once

#include <Eigen/Core>
#include <array>

namespace glovebox::collision {

/// Returns +1 if d is below the plane of a, b, c, -1 if it is above, and 0 if the four points are coplanar. Above is
/// the side to which (b - a) x (c - a) points. Seen from below, a, b, c turn clockwise.
int orientation_sign(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c,
                     const Eigen::Vector3d& d);

/// Returns the signs of d[0], d[1] and d[2] against the plane of a, b, c. Shared terms are computed once.
std::array<int, 3> orientation_signs(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c,
                                     const std::array<Eigen::Vector3d, 3>& d);

/// Returns the orientation of three points projected along coordinate `dropped`: +1 if a, b, c turn counter-clockwise,
/// -1 if clockwise, 0 if they are collinear.
int orientation_sign(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c, int dropped);

}  // namespace glovebox::collision
