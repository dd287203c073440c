// The velocity with which a carried object leaves the hand.
//
// A parabola is fitted by least squares to the last 80 ms of the object's path. The release velocity is the slope of
// the parabola 20 ms before the end, while the fingers opened. A straight line would lag behind an accelerating swing.
// The slope at the very end would amplify the tracker's noise, and the difference of the last two poses would do so
// even more.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstddef>
#include <span>

namespace glovebox::scenes {

struct CarriedPose {
    double time_s = 0.0;
    Eigen::Vector3f position_m = Eigen::Vector3f::Zero();
    Eigen::Quaternionf orientation = Eigen::Quaternionf::Identity();
};

struct ReleaseVelocity {
    Eigen::Vector3f linear_m_s = Eigen::Vector3f::Zero(), angular_rad_s = Eigen::Vector3f::Zero();
};

inline constexpr double kReleaseWindow_s = 0.08, kOpening_s = 0.02;

/// Returns the velocity 20 ms before `at_s`, fitted to the poses of the 80 ms before `at_s`. `poses` has the oldest
/// first; poses after `at_s` are ignored. Fits a straight line to fewer than five poses or less than 40 ms, and returns
/// zero for less than 10 ms. The result is wrong if the object turns by more than half a revolution within the fitted
/// poses.
ReleaseVelocity release_velocity(std::span<const CarriedPose> poses, double at_s);

/// The latest poses of a carried object, at least 2.5 ms apart. They cover kReleaseWindow_s and 80 ms more.
class CarriedPath {
  public:
    void clear() { size_ = 0; }
    void add(const CarriedPose& pose);
    std::span<const CarriedPose> poses() const { return {poses_.data(), size_}; }

  private:
    std::array<CarriedPose, 66> poses_;
    std::size_t size_ = 0;
};

}  // namespace glovebox::scenes
