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
    const Eigen::Vector3f from = before.normalized(), to = after.normalized(), axis = from.cross(to);
    const float cosine = to.dot(from);
    Eigen::Quaternionf turn = Eigen::Quaternionf::Identity();
    if (from.isZero() || to.isZero()) return turn;
    if (cosine < -1.0F + 1e-5F) {  // 1 + cosine has few digits left
        const float sine = axis.norm();
        turn.vec() = 0.5F * (to - from).norm() * (sine > 1e-6F ? Eigen::Vector3f(axis / sine) : from.unitOrthogonal());
        turn.w() = 0.5F * (from + to).norm();
        return turn;
    }
    const float s = std::sqrt((1.0F + cosine) * 2.0F);
    turn.vec() = axis * (1.0F / s);
    turn.w() = 0.5F * s;
    return turn;
}

}  // namespace glovebox::collision
