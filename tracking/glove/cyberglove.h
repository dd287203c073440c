// CyberGlove: sensor layout, and conversion between sensor angles and hand poses.
//
// The 22-sensor glove has distal sensors; the 18-sensor glove does not. The reference manual lists 23 sensors, but no
// glove has the one for the abduction of the index finger. The angles of all gloves are stored in the order of that
// list, in radians, with flexion positive.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "tracking/forward_kinematics.h"

namespace glovebox::tracking {

/// Angles in the order of the CyberGlove Reference Manual: 0 thumb roll, 1 thumb MCP, 2 thumb IP, 3 thumb abduction.
/// Then come four angles for each finger: MCP, PIP, DIP, and the abduction from its neighbour on the thumb side. Their
/// indices are index 4..7, middle 8..11, ring 12..15, little 16..19. The last are 20 palm arch, 21 wrist pitch and 22
/// wrist yaw.
using CyberGloveAngles = std::array<float, 23>;
inline constexpr std::array<std::size_t, 4> kCyberGlovePip = {5, 9, 13, 17};

constexpr bool is_cyberglove_sensor_count(std::size_t count) {
    return count == 18 || count == 22 || count == 23;
}

/// Returns all angles from 18, 22 or 23 calibrated sensor values, radians. The angle of a missing sensor is 0, except
/// that a missing distal angle is 2/3 of the PIP angle. Asserts that there are 18, 22 or 23 values.
CyberGloveAngles cyberglove_angles(std::span<const float> sensors);

/// Returns the hand with its wrist at the origin, rotated by the measured wrist pitch and yaw. The thumb's base is
/// approximate: thumb roll and abduction do not determine the pose of its CMC joint.
HandFrame pose_from_cyberglove(const HandProfile& profile, const CyberGloveAngles& angles, Side side);

/// Returns the sensor angles of this hand, with wrist pitch and yaw 0. This is the inverse of pose_from_cyberglove().
CyberGloveAngles cyberglove_from_angles(const HandAngles& angles);
/// Returns the sensor values of a glove with `count` sensors. This is the inverse of cyberglove_angles(). Asserts that
/// `count` is 18, 22 or 23.
std::vector<float> cyberglove_sensors(const CyberGloveAngles& angles, std::size_t count);

}  // namespace glovebox::tracking
