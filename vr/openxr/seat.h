// Default position of the scene in front of the user in a headset, in LOCAL, whose origin is the head's initial
// position.
#pragma once

#include <Eigen/Core>

namespace glovebox::vr::openxr {

/// Position of the scene's origin (the middle of the table's top), at arm's length and table height.
inline const Eigen::Vector3f kSceneInSeat_m{0.0F, -0.40F, -0.42F};

}  // namespace glovebox::vr::openxr
