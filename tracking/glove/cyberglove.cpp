#include "tracking/glove/cyberglove.h"

#include <cassert>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string>

#include "tracking/forward_kinematics.h"

namespace glovebox::tracking {
namespace {

// The 22-sensor glove leaves out the index abduction, the 18-sensor glove the distal joints too.
constexpr std::array<std::size_t, 18> kOrder18 = {0, 1, 2, 3, 4, 5, 8, 9, 11, 12, 13, 15, 16, 17, 19, 20, 21, 22};
constexpr std::array<std::size_t, 22> kOrder22 = {0,  1,  2,  3,  4,  5,  6,  8,  9,  10, 11,
                                                  12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22};
constexpr float kDistalShare = 2.0F / 3.0F;  // the tendons' usual coupling of the last two joints

// The thumb's rest pose of forward_kinematics.h in the glove's terms: about 35 degrees of roll, 30 of abduction.
constexpr float kRestRoll_rad = 0.6F, kRestAbduction_rad = 0.5F;

}  // namespace

CyberGloveAngles cyberglove_angles(std::span<const float> sensors) {
    assert(sensors.size() == 18 || sensors.size() == 22 || sensors.size() == 23);
    CyberGloveAngles angles{};
    for (std::size_t i = 0; i < sensors.size(); ++i) {
        const std::size_t at = sensors.size() == 18 ? kOrder18[i] : sensors.size() == 22 ? kOrder22[i] : i;
        angles[at] = sensors[i];
    }
    if (sensors.size() == 18)
        for (const std::size_t pip : kCyberGlovePip) angles[pip + 1] = kDistalShare * angles[pip];
    return angles;
}

HandFrame pose_from_cyberglove(const HandProfile& profile, const CyberGloveAngles& a, Side side) {
    HandAngles angles;
    angles.thumb = {0.6F * (a[0] - kRestRoll_rad), a[3] - kRestAbduction_rad, a[1], a[2]};
    // Abductions are between neighbours and open the hand; the middle finger stays.
    const float ring = -a[15];
    const std::array<float, 4> spread = {a[11], 0.0F, ring, ring - a[19]};
    for (std::size_t f = 0; f < 4; ++f) angles.fingers[f] = {a[4 + 4 * f], spread[f], a[5 + 4 * f], a[6 + 4 * f]};
    angles.palm_arch = 0.5F * a[20];

    Eigen::Isometry3f world_from_wrist = Eigen::Isometry3f::Identity();
    const float inward = side == Side::right ? 1.0F : -1.0F;
    world_from_wrist.rotate(Eigen::AngleAxisf(inward * a[22], Eigen::Vector3f::UnitY()));
    world_from_wrist.rotate(Eigen::AngleAxisf(-a[21], Eigen::Vector3f::UnitX()));
    return pose_from_angles(profile, angles, world_from_wrist, side);
}

std::vector<SensorCalibration> parse_two_point_calibration(std::string_view text) {
    std::vector<SensorCalibration> sensors;
    int row = 0;
    while (!text.empty()) {
        ++row;
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;

        const auto fail = [row](const char* reason) {
            throw std::runtime_error("calibration line " + std::to_string(row) + ": " + reason);
        };
        std::array<float, 4> v{};  // rad1 raw1 rad2 raw2
        constexpr std::array<char, 3> kBetween = {':', ' ', ':'};
        const char* at = line.data();
        const char* const stop = at + line.size();
        for (std::size_t i = 0; i < v.size(); ++i) {
            while (at < stop && *at == ' ') ++at;
            const auto [next, error] = std::from_chars(at, stop, v[i]);
            if (error != std::errc() || !std::isfinite(v[i])) fail("'rad1:raw1 rad2:raw2' is expected");
            at = next;
            if (i < kBetween.size() && (at == stop || *at++ != kBetween[i])) fail("'rad1:raw1 rad2:raw2' is expected");
        }
        if (v[1] == v[3]) fail("both points have the same raw value");
        const float gain_rad = (v[2] - v[0]) / (v[3] - v[1]);
        sensors.push_back({gain_rad, v[0] - gain_rad * v[1]});
        if (sensors.size() > 64) fail("there are more than 64 sensors");
    }
    if (sensors.empty()) throw std::runtime_error("calibration: there is no line 'rad1:raw1 rad2:raw2'");
    return sensors;
}

}  // namespace glovebox::tracking
