// The velocity with which a carried object leaves the hand.
//
// A parabola is fitted to the object's last 80 ms by least squares; its slope 20 ms before the last of them,
// while the fingers opened, is the throw. A straight line would lag behind a swing that speeds up. The slope at the
// very end would throw the tracker's noise, and so would the last two poses all the more.
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

/// Returns the velocity 20 ms before `at_s` from the poses of the 80 ms before it; oldest first, later ones are not
/// used. Fewer than five poses, or less than 40 ms, give a straight line's slope; less than 10 ms give zero. Turns of
/// more than half a revolution in that time come out wrong.
ReleaseVelocity release_velocity(std::span<const CarriedPose> poses, double at_s);

/// The last poses of an object that is carried, at least 2.5 ms apart: the window and 80 ms more.
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
