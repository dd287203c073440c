#include "tracking/openxr/controller_hand.h"

#include <algorithm>

#include "tracking/forward_kinematics.h"

namespace glovebox::tracking {

// OpenXR's grip pose is in the middle of the fist, with -Z towards the thumb's end of the handle and +X out of the
// palm's plane (to the right for both hands). The wrist of our hand is 8 cm behind it along the palm.
Eigen::Isometry3f grip_from_wrist(Side side) {
    const float outwards = side == Side::right ? -1.0F : 1.0F;  // the palm looks along -X (right), +X (left)
    Eigen::Isometry3f grip = Eigen::Isometry3f::Identity();
    // The hand's +Y (its back) is the grip's outward side. Its -Z (straight fingers) is the grip's -Z, turned forward
    // by the angle of a handle across the palm.
    const Eigen::AngleAxisf across(-0.7F, Eigen::Vector3f::UnitX());
    const Eigen::AngleAxisf side_up(outwards * 1.5707963F, Eigen::Vector3f::UnitZ());
    grip.linear() = (across * side_up).toRotationMatrix();
    grip.translation() = grip.linear() * Eigen::Vector3f(0.0F, 0.025F, 0.080F);
    return grip;
}

HandFrame hand_from_controller(const ControllerInput& input, const HandProfile& profile, Side side) {
    if (!input.present) {
        HandFrame frame;
        frame.side = side;
        frame.source = Source::synthetic;
        return frame;
    }
    const float trigger = std::clamp(input.trigger, 0.0F, 1.0F), squeeze = std::clamp(input.squeeze, 0.0F, 1.0F);
    HandAngles angles = resting_angles();
    const auto bend = [](FingerAngles& finger, float s) {
        finger.mcp_flex += s * 1.1F;
        finger.pip_flex += s * 1.4F;
        finger.dip_flex += s * 0.8F;
    };
    bend(angles.fingers[0], trigger);
    for (std::size_t i = 1; i < angles.fingers.size(); ++i) bend(angles.fingers[i], squeeze);
    angles.thumb.mcp_flex += squeeze * 0.5F;
    angles.thumb.ip_flex += squeeze * 0.6F;
    HandFrame frame = pose_from_angles(profile, angles, input.world_from_grip * grip_from_wrist(side), side);
    frame.side = side;
    frame.active = true;
    frame.source = Source::synthetic;
    return frame;
}

}  // namespace glovebox::tracking
