// Poses for guided calibration, and the angles that the sensors of a glove should measure in each of them.
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
    std::string_view instruction;  ///< instruction to the user
    HandAngles angles;
};

/// Returns the poses in the order of the calibration: flat, spread, fist, hook, thumb across.
std::span<const GuidedPose> guided_poses();

/// Returns the target angle of each sensor in a pose, or an empty vector if no glove has this number of sensors.
/// OpenGloves has 25: MCP, PIP, DIP, tip and splay for each finger, thumb first. A CyberGlove has 18, 22 or 23. The
/// target is NaN if the pose does not define the angle, as for the wrist.
std::vector<float> guided_targets_rad(const GuidedPose& pose, std::size_t sensors);

/// Convert an OpenGloves packet to 25 raw sensor values, and 25 calibrated sensor angles to a hand.
inline constexpr std::size_t kOpenGlovesSensors = 25;
std::array<float, kOpenGlovesSensors> opengloves_sensors(const OpenGlovesInput& input,
                                                         const OpenGlovesSettings& settings);
HandAngles angles_from_opengloves_sensors(std::span<const float> angles_rad);

}  // namespace glovebox::tracking
