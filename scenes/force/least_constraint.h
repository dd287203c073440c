// Gauss's principle of least constraint in three dimensions: the displacement nearest to a desired one that stays
// inside a few half-spaces.
#pragma once

#include <Eigen/Core>
#include <span>

namespace glovebox::scenes {

/// Allows the displacements d with normal . d >= -slack_m. `slack_m` >= 0, so that d = 0 is always allowed.
struct HalfSpace {
    Eigen::Vector3d normal = Eigen::Vector3d::UnitY();  ///< unit
    double slack_m = 0.0;
};

/// Returns the allowed d with the least |d - wish|, by an exact active-set method (at most three planes are active).
/// Returns zero, which is allowed, if about 20 rounds do not suffice (dozens of nearly parallel planes). No allocation.
Eigen::Vector3d constrain(const Eigen::Vector3d& desired_m, std::span<const HalfSpace> spaces);

}  // namespace glovebox::scenes
