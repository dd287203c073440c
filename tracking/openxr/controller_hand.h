// Computes a synthetic hand that holds a controller, for headsets that do not track hands.
//
// The grip pose places the fist, the trigger bends the index finger, and the squeeze bends the other three and the
// thumb. The frame's source is `synthetic`, because the hand is not measured.
#pragma once

#include "tracking/hand_frame.h"
#include "tracking/hand_profile.h"

namespace glovebox::tracking {

struct ControllerInput {
    Eigen::Isometry3f world_from_grip = Eigen::Isometry3f::Identity();
    float trigger = 0.0F, squeeze = 0.0F;  ///< 0 released .. 1
    bool present = false;                  ///< false: no controller, or its pose is not valid
};

/// Returns the pose, in OpenXR's grip space, of the wrist of a hand that holds a controller.
Eigen::Isometry3f grip_from_wrist(Side side);

/// Returns the hand for this input. Values outside 0..1 are clamped; without a controller the frame is inactive.
/// Constant cost, no allocation.
HandFrame hand_from_controller(const ControllerInput& input, const HandProfile& profile, Side side);

}  // namespace glovebox::tracking
