// A plausible hand round a controller, for headsets that do not track hands.
//
// The grip pose says where the fist is, the trigger bends the index finger, the squeeze the other three and the thumb.
// Marked synthetic: it is a drawing of a hand, not a measurement of one.
#pragma once

#include "tracking/hand_frame.h"
#include "tracking/hand_profile.h"

namespace glovebox::tracking {

struct ControllerInput {
    Eigen::Isometry3f world_from_grip = Eigen::Isometry3f::Identity();
    float trigger = 0.0F, squeeze = 0.0F;  ///< 0 released .. 1
    bool present = false;                  ///< false: no controller, or its pose is not valid
};

/// Returns where the wrist of a hand lies that holds a controller, in OpenXR's grip pose.
Eigen::Isometry3f grip_from_wrist(Side side);

/// Constant cost, no allocation. Values outside 0..1 are clamped. Not present gives an inactive frame.
HandFrame hand_from_controller(const ControllerInput& input, const HandProfile& profile, Side side);

}  // namespace glovebox::tracking
