// The smallest rotation that turns one direction into another.
//
// Eigen's Quaternion::FromTwoVectors() gives the same, but brings a singular value decomposition for opposite
// directions, which takes the compiler five seconds in each file.
#pragma once

#include <Eigen/Geometry>
#include <cmath>

namespace glovebox::collision {

/// Returns the rotation from the direction `before` to `after`, which need not be unit. Opposite directions give half a
/// turn around some perpendicular axis, a zero vector no rotation.
inline Eigen::Quaternionf rotation_between(const Eigen::Vector3f& before, const Eigen::Vector3f& after) {
    const Eigen::Vector3f from = before.normalized(), to = after.normalized();
    const float cosine = to.dot(from);
    Eigen::Quaternionf turn = Eigen::Quaternionf::Identity();
    if (from.isZero() || to.isZero()) return turn;
    if (cosine < -1.0F + 1e-5F) {  // too few digits are left in floats
        const Eigen::Vector3d a = before.cast<double>().normalized(), b = after.cast<double>().normalized();
        const Eigen::Vector3d axis = a.cross(b);
        const double sine = axis.norm();
        turn.vec() =
            (0.5 * (b - a).norm() * (sine > 1e-12 ? Eigen::Vector3d(axis / sine) : a.unitOrthogonal())).cast<float>();
        turn.w() = static_cast<float>(0.5 * (a + b).norm());
        return turn;
    }
    const float s = std::sqrt((1.0F + cosine) * 2.0F);
    turn.vec() = from.cross(to) * (1.0F / s);
    turn.w() = 0.5F * s;
    return turn;
}

}  // namespace glovebox::collision
