// The motion nearest to a wish that respects a few half-spaces: Gauss's principle of least constraint in three
// dimensions.
#pragma once

#include <Eigen/Core>
#include <span>

namespace glovebox::scenes {

/// Allowed motions d have normal . d >= -slack_m. `slack_m` >= 0, so that standing still is always allowed.
struct HalfSpace {
    Eigen::Vector3d normal = Eigen::Vector3d::UnitY();  ///< unit
    double slack_m = 0.0;
};

/// The allowed d with the least |d - wish|: the exact answer, with at most three planes active at once. Where more than
/// about 20 rounds would be needed (dozens of nearly parallel planes) it stands still, which is allowed. No allocation.
Eigen::Vector3d least_constrained(const Eigen::Vector3d& wish_m, std::span<const HalfSpace> spaces);

}  // namespace glovebox::scenes
