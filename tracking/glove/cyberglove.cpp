#include "tracking/glove/cyberglove.h"

#include <cassert>

namespace glovebox::tracking {
namespace {

// The 22-sensor glove lacks the index abduction, the 18-sensor glove also the distal joints.
constexpr std::array<std::size_t, 18> kOrder18 = {0, 1, 2, 3, 4, 5, 8, 9, 11, 12, 13, 15, 16, 17, 19, 20, 21, 22};
constexpr std::array<std::size_t, 22> kOrder22 = {0,  1,  2,  3,  4,  5,  6,  8,  9,  10, 11,
                                                  12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22};
constexpr float kDistalShare = 2.0F / 3.0F;  // the tendons' usual coupling of the last two joints

// The thumb's rest pose of forward_kinematics.h in sensor angles: about 35 degrees of roll, 30 of abduction.
constexpr float kRestRoll_rad = 0.6F, kRestAbduction_rad = 0.5F;
constexpr float kThumbRollShare = 0.6F;  // fraction of the roll angle that moves the thumb across the palm
constexpr float kArchShare = 0.5F;

// Returns the index in the full list of a smaller glove's sensor.
std::size_t place_of(std::size_t sensor, std::size_t count) {
    return count == 18 ? kOrder18[sensor] : count == 22 ? kOrder22[sensor] : sensor;
}

}  // namespace

CyberGloveAngles cyberglove_angles(std::span<const float> sensors) {
    assert(is_cyberglove_sensor_count(sensors.size()));
    CyberGloveAngles angles{};
    for (std::size_t i = 0; i < sensors.size(); ++i) angles[place_of(i, sensors.size())] = sensors[i];
    if (sensors.size() == 18)
        for (const std::size_t pip : kCyberGlovePip) angles[pip + 1] = kDistalShare * angles[pip];
    return angles;
}

std::vector<float> cyberglove_sensors(const CyberGloveAngles& angles, std::size_t count) {
    assert(is_cyberglove_sensor_count(count));
    std::vector<float> sensors;
    for (std::size_t i = 0; i < count; ++i) sensors.push_back(angles[place_of(i, count)]);
    return sensors;
}

HandFrame pose_from_cyberglove(const HandProfile& profile, const CyberGloveAngles& a, Side side) {
    HandAngles angles;
    angles.thumb = {kThumbRollShare * (a[0] - kRestRoll_rad), a[3] - kRestAbduction_rad, a[1], a[2]};
    // Abductions are between neighbouring fingers, positive apart; the middle finger is the reference.
    const float ring = -a[15];
    const std::array<float, 4> spread = {a[11], 0.0F, ring, ring - a[19]};
    for (std::size_t f = 0; f < 4; ++f) angles.fingers[f] = {a[4 + 4 * f], spread[f], a[5 + 4 * f], a[6 + 4 * f]};
    angles.palm_arch = kArchShare * a[20];

    Eigen::Isometry3f world_from_wrist = Eigen::Isometry3f::Identity();
    const float inward = side == Side::right ? 1.0F : -1.0F;
    world_from_wrist.rotate(Eigen::AngleAxisf(inward * a[22], Eigen::Vector3f::UnitY()));
    world_from_wrist.rotate(Eigen::AngleAxisf(-a[21], Eigen::Vector3f::UnitX()));
    return pose_from_angles(profile, angles, world_from_wrist, side);
}

CyberGloveAngles cyberglove_from_angles(const HandAngles& angles) {
    CyberGloveAngles a{};
    a[0] = angles.thumb.cmc_flex / kThumbRollShare + kRestRoll_rad;
    a[1] = angles.thumb.mcp_flex;
    a[2] = angles.thumb.ip_flex;
    a[3] = angles.thumb.cmc_abduction + kRestAbduction_rad;
    for (std::size_t f = 0; f < 4; ++f) {
        a[4 + 4 * f] = angles.fingers[f].mcp_flex;
        a[5 + 4 * f] = angles.fingers[f].pip_flex;
        a[6 + 4 * f] = angles.fingers[f].dip_flex;
    }
    a[11] = angles.fingers[0].mcp_spread - angles.fingers[1].mcp_spread;
    a[15] = angles.fingers[1].mcp_spread - angles.fingers[2].mcp_spread;
    a[19] = angles.fingers[2].mcp_spread - angles.fingers[3].mcp_spread;
    a[20] = angles.palm_arch / kArchShare;
    return a;
}

}  // namespace glovebox::tracking
