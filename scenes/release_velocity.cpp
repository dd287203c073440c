#include "scenes/release_velocity.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace glovebox::scenes {
namespace {

constexpr double kMinSpan_s = 0.01, kSpanOfParabola_s = 0.04, kMinApart_s = 0.0025;
constexpr std::size_t kPosesOfParabola = 5;
constexpr double kRounding_s = 1e-6;  // tolerance: times are sums of steps

// Returns the rotation vector from `from` to `to`.
Eigen::Vector3d turn_rad(const Eigen::Quaternionf& from, const Eigen::Quaternionf& to) {
    Eigen::Quaterniond turn = to.cast<double>() * from.cast<double>().conjugate();
    if (turn.w() < 0.0) turn.coeffs() *= -1.0;
    const double sine = turn.vec().norm();
    return sine > 1e-12 ? Eigen::Vector3d(2.0 * std::atan2(sine, turn.w()) / sine * turn.vec())
                        : Eigen::Vector3d(2.0 * turn.vec());
}

}  // namespace

ReleaseVelocity release_velocity(std::span<const CarriedPose> poses, double at_s) {
    while (!poses.empty() && poses.back().time_s > at_s + kRounding_s) poses = poses.first(poses.size() - 1);
    while (!poses.empty() && poses.front().time_s < at_s - kReleaseWindow_s - kRounding_s) poses = poses.subspan(1);
    if (poses.empty()) return {};
    const double span_s = poses.back().time_s - poses.front().time_s;
    if (span_s < kMinSpan_s) return {};
    const bool parabola = poses.size() >= kPosesOfParabola && span_s >= kSpanOfParabola_s;

    // Time is in units of the window, so that the normal equations are well conditioned.
    Eigen::Matrix3d normal = Eigen::Matrix3d::Zero();
    Eigen::Matrix<double, 3, 6> right = Eigen::Matrix<double, 3, 6>::Zero();
    for (const CarriedPose& pose : poses) {
        const double t = (pose.time_s - at_s) / kReleaseWindow_s;
        const Eigen::Vector3d power(1.0, t, parabola ? t * t : 0.0);
        Eigen::Matrix<double, 1, 6> value;
        value << (pose.position_m - poses.back().position_m).cast<double>().transpose(),
            turn_rad(poses.back().orientation, pose.orientation).transpose();
        normal += power * power.transpose();
        right += power * value;
    }
    if (!parabola) normal(2, 2) = 1.0;
    const Eigen::Matrix<double, 3, 6> coefficients = normal.ldlt().solve(right);
    const double opening = kOpening_s / kReleaseWindow_s;
    const Eigen::Matrix<double, 1, 6> slope =
        (coefficients.row(1) - (parabola ? 2.0 * opening : 0.0) * coefficients.row(2)) / kReleaseWindow_s;
    return {slope.head<3>().transpose().cast<float>(), slope.tail<3>().transpose().cast<float>()};
}

void CarriedPath::add(const CarriedPose& pose) {
    if (size_ > 0 && pose.time_s - poses_[size_ - 1].time_s < kMinApart_s) return;
    if (size_ == poses_.size()) {
        std::move(poses_.begin() + 1, poses_.end(), poses_.begin());
        --size_;
    }
    poses_[size_++] = pose;
}

}  // namespace glovebox::scenes
