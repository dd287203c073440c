// CyberGlove: what its sensors mean, and the hand they pose.
//
// The 18-sensor glove has no distal sensors; the 22-sensor glove has; the reference manual's full list has 23 with the
// index abduction that no glove implements. All are kept in the full list's order. Radians, flexion positive.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "tracking/forward_kinematics.h"

namespace glovebox::tracking {

/// In the order of the CyberGlove Reference Manual: 0 thumb roll, 1 thumb MCP, 2 thumb IP, 3 thumb abduction; per
/// finger MCP, PIP, DIP and the abduction to its neighbour (index 4..7, middle 8..11, ring 12..15, little 16..19); 20
/// palm arch, 21 wrist pitch, 22 wrist yaw.
using CyberGloveAngles = std::array<float, 23>;
inline constexpr std::array<std::size_t, 4> kCyberGlovePip = {5, 9, 13, 17};

constexpr bool is_cyberglove_sensor_count(std::size_t count) {
    return count == 18 || count == 22 || count == 23;
}

/// From 18, 22 or 23 sensor values; what a smaller glove lacks is 0, and a distal joint bends 2/3 as much as the one
/// before it. Asserts on any other count.
CyberGloveAngles cyberglove_angles(std::span<const float> sensors);

/// The hand at the origin, turned by the wrist's own angles. The thumb's base is approximate: the glove's thumb roll
/// and abduction do not say where the thumb's saddle joint stands.
HandFrame pose_from_cyberglove(const HandProfile& profile, const CyberGloveAngles& angles, Side side);

/// The sensor values that would pose this hand: pose_from_cyberglove() backwards, with the wrist straight.
CyberGloveAngles cyberglove_from_angles(const HandAngles& angles);
/// cyberglove_angles() backwards: what a glove with so many sensors has. Asserts on any other count than 18, 22 and 23.
std::vector<float> cyberglove_sensors(const CyberGloveAngles& angles, std::size_t count);

}  // namespace glovebox::tracking
