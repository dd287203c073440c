// Gauss's principle of least constraint in three dimensions. It finds the displacement that is nearest to a desired one
// and stays inside a few half-spaces.
#pragma once

#include <Eigen/Core>
#include <span>

namespace glovebox::scenes {

/// Allows the displacements d with normal . d >= -slack_m. `slack_m` >= 0, so that d = 0 is always allowed.
struct HalfSpace {
    Eigen::Vector3d normal = Eigen::Vector3d::UnitY();  ///< unit
    double slack_m = 0.0;
};

/// Returns the allowed displacement d with the least |d - desired_m|, by an exact active-set method with at most three
/// active planes. Returns zero, which is always allowed, if about 20 iterations do not suffice, as with dozens of
/// nearly parallel planes. No allocation.
Eigen::Vector3d constrain(const Eigen::Vector3d& desired_m, std::span<const HalfSpace> spaces);

}  // namespace glovebox::scenes
