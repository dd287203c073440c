// On which side of a plane or a line is a point? The sign, without any error.
//
// The determinant is computed in double with a bound of its rounding error; where the bound does not settle the sign,
// it is computed again as an exact sum of doubles. [Shewchuk97, sec. 2 and 4]
// Exact as long as no product of three coordinate differences underflows or overflows (1e-90 to 1e90 is safe).
#pragma once

#include <Eigen/Core>
#include <array>

namespace glovebox::collision {

/// +1 where the corners a, b, c turn clockwise as seen from d (d is beneath their plane, against (b-a) x (c-a)),
/// -1 above it, 0 where the four lie in one plane.
int orientation_sign(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c,
                     const Eigen::Vector3d& d);

/// The same of three points and one plane: {d[0], d[1], d[2]} against a, b, c. What they share is computed once.
std::array<int, 3> orientation_signs(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c,
                                     const std::array<Eigen::Vector3d, 3>& d);

/// The same in the plane that is left when coordinate `dropped` is: +1 where a, b, c turn counter-clockwise.
int orientation_sign(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c, int dropped);

}  // namespace glovebox::collision
