// The guided calibration: a short sequence of poses that anybody can make, and what each glove should say in them.
#pragma once

#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "tracking/forward_kinematics.h"
#include "tracking/glove/calibration.h"
#include "tracking/glove/opengloves.h"

namespace glovebox::tracking {

struct GuidedPose {
    std::string_view name;         ///< "fist"
    std::string_view instruction;  ///< what the user is asked to do
    HandAngles angles;
};

/// In the order in which they are asked for: flat, spread, fist, hook, thumb across.
std::span<const GuidedPose> guided_poses();

/// What a pose should read, sensor by sensor: 25 for OpenGloves (thumb to little: MCP, PIP, DIP, tip, splay), 18, 22 or
/// 23 for a CyberGlove. NaN where the pose does not tell (wrist). Empty for any other number of sensors.
std::vector<float> guided_targets_rad(const GuidedPose& pose, std::size_t sensors);

/// An OpenGloves packet as 25 sensors, raw as the board said them, and calibrated sensors as a hand.
inline constexpr std::size_t kOpenGlovesSensors = 25;
std::array<float, kOpenGlovesSensors> opengloves_sensors(const OpenGlovesInput& input,
                                                         const OpenGlovesSettings& settings);
HandAngles angles_from_opengloves_sensors(std::span<const float> angles_rad);

}  // namespace glovebox::tracking
