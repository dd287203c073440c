// Where things stand before the person in the headset, in LOCAL: its origin is where the head was.
#pragma once

#include <Eigen/Core>

namespace glovebox::vr::openxr {

/// The scene's origin (the middle of the table's top): at arm's length, at table height.
inline const Eigen::Vector3f kSceneInSeat_m{0.0F, -0.40F, -0.42F};

}  // namespace glovebox::vr::openxr
