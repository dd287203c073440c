// Exact orientation predicates: the side of a plane or a line on which a point lies, without rounding error.
//
// Computes the determinant in double with a bound of its rounding error. If the bound does not settle the sign,
// computes it again as an exact sum of doubles. [Shewchuk97, sec. 2 and 4]
// Exact as long as no product of three coordinate differences underflows or overflows (1e-90 to 1e90 is safe).
#pragma once

#include <Eigen/Core>
#include <array>

namespace glovebox::collision {

/// Returns +1 if the corners a, b, c turn clockwise as seen from d (d is beneath their plane, against (b-a) x (c-a)),
/// -1 if d is above it, 0 if the four points are coplanar.
int orientation_sign(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c,
                     const Eigen::Vector3d& d);

/// Returns the signs of three points against one plane: {d[0], d[1], d[2]} against a, b, c. Shared terms are computed
/// once.
std::array<int, 3> orientation_signs(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c,
                                     const std::array<Eigen::Vector3d, 3>& d);

/// Returns the orientation in the plane that remains without coordinate `dropped`: +1 if a, b, c turn
/// counter-clockwise.
int orientation_sign(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c, int dropped);

}  // namespace glovebox::collision
