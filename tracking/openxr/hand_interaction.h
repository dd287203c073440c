// The inputs of XR_EXT_hand_interaction, computed from the joints of a hand: pinch and grasp values, and the grip, aim,
// pinch and poke poses.
//
// Runtimes with the extension compute these inputs themselves, with different results. These functions are for hands
// that do not come from a runtime.
#pragma once

#include <array>
#include <cstdint>

#include "tracking/hand_frame.h"

namespace glovebox::tracking {

/// Gestures of the extension. Aim activation has the value of the pinch, as on headsets without other buttons.
enum class Gesture : std::uint8_t { pinch, aim_activate, grasp };
inline constexpr std::size_t kGestureCount = 3;

struct GestureState {
    float value = 0.0F;  ///< from 0 (open hand) to 1 (fingers touch, or the hand is a fist)
    bool ready = false;  ///< the fingers are tracked and may begin the gesture
};

/// Returns the gestures of a hand, indexed by Gesture; all are zero for a hand that is not active. Pinch is 1 if thumb
/// and index finger touch and falls to 0 at a gap of 4 cm; it is ready below 7 cm. Grasp depends on the mean flexion of
/// the four fingers: it is 0 at 20 % of a closed finger's flexion and 1 at 70 %. Constant cost, no allocation.
std::array<GestureState, kGestureCount> gestures_of(const HandFrame& hand);

enum class HandPose : std::uint8_t { grip, aim, pinch, poke };
inline constexpr std::size_t kHandPoseCount = 4;

/// Writes world_from_pose. Returns false if a joint that the pose depends on is not valid. In every pose, -Z points
/// forward and +Y out of the back of the hand.
///   grip    the grip pose of a controller in this hand, see grip_from_wrist()
///   aim     at the index finger's knuckle, forward from the wrist through the knuckle
///   pinch   halfway between the tips of thumb and index finger, forward from the wrist through this point
///   poke    at the surface of the index finger's tip, forward along its last phalanx
bool pose_of(const HandFrame& hand, HandPose pose, Eigen::Isometry3f& world_from_pose);

}  // namespace glovebox::tracking
