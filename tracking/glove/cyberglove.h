// CyberGlove: what its sensors mean, calibration of raw words, and the hand they pose.
//
// The 18-sensor glove has no distal sensors; the 22-sensor glove has; the reference manual's full list has 23 with the
// index abduction that no glove implements. All are kept in the full list's order. Radians, flexion positive.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tracking/hand_profile.h"

namespace glovebox::tracking {

/// In the order of the CyberGlove Reference Manual: 0 thumb roll, 1 thumb MCP, 2 thumb IP, 3 thumb abduction; per
/// finger MCP, PIP, DIP and the abduction to its neighbour (index 4..7, middle 8..11, ring 12..15, little 16..19); 20
/// palm arch, 21 wrist pitch, 22 wrist yaw.
using CyberGloveAngles = std::array<float, 23>;
inline constexpr std::array<std::size_t, 4> kCyberGlovePip = {5, 9, 13, 17};

/// From 18, 22 or 23 sensor values; what a smaller glove lacks is 0, and a distal joint bends 2/3 as much as the one
/// before it. Asserts on any other count.
CyberGloveAngles cyberglove_angles(std::span<const float> sensors);

/// The hand at the origin, turned by the wrist's own angles. The thumb's base is approximate: the glove's thumb roll
/// and abduction do not say where the thumb's saddle joint stands.
HandFrame pose_from_cyberglove(const HandProfile& profile, const CyberGloveAngles& angles, Side side);

/// Raw sensor word to radians. A gain of 0 is a sensor that the calibration switches off.
struct SensorCalibration {
    float gain_rad = 0.0F, bias_rad = 0.0F;
    float angle_rad(float raw) const { return gain_rad * raw + bias_rad; }
};

/// The two-point file: one line a sensor, `rad1:raw1 rad2:raw2`. Throws std::runtime_error with line and reason for
/// anything else, two equal raw values included.
std::vector<SensorCalibration> parse_two_point_calibration(std::string_view text);

}  // namespace glovebox::tracking
