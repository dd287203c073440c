#include "tracking/glove/guided_poses.h"

#include <cassert>

#include "tracking/glove/cyberglove.h"

namespace glovebox::tracking {
namespace {

constexpr float kDegree = 0.017453293F;
constexpr std::size_t kPerFinger = 5;

HandAngles flat() {
    return {};
}

// A flat hand with the fingers spread as far as an adult can.
HandAngles spread() {
    HandAngles angles;
    angles.thumb.cmc_abduction = 40.0F * kDegree;
    angles.fingers[0].mcp_spread = 14.0F * kDegree;
    angles.fingers[2].mcp_spread = -12.0F * kDegree;
    angles.fingers[3].mcp_spread = -26.0F * kDegree;
    return angles;
}

// A fist: fingers at the ends of their ranges, with the thumb over them.
HandAngles fist() {
    HandAngles angles;
    angles.thumb = {35.0F * kDegree, 0.0F, 45.0F * kDegree, 50.0F * kDegree};
    for (FingerAngles& finger : angles.fingers) finger = {90.0F * kDegree, 0.0F, 100.0F * kDegree, 60.0F * kDegree};
    return angles;
}

HandAngles hook() {
    HandAngles angles;
    for (FingerAngles& finger : angles.fingers) finger = {0.0F, 0.0F, 95.0F * kDegree, 55.0F * kDegree};
    return angles;
}

HandAngles thumb_across() {
    HandAngles angles;
    angles.thumb = {45.0F * kDegree, 0.0F, 55.0F * kDegree, 75.0F * kDegree};
    return angles;
}

const std::array<GuidedPose, 5>& table() {
    static const std::array<GuidedPose, 5> poses = {{
        {"flat", "Lay the hand flat on a table, fingers closed, thumb along the index finger.", flat()},
        {"spread", "Hand flat, spread all fingers and the thumb as far as they go.", spread()},
        {"fist", "Make a tight fist, the thumb over the fingers.", fist()},
        {"hook", "Keep the knuckles straight and bend the other finger joints as far as they go.", hook()},
        {"thumb-across", "Hand flat, lay the thumb across the palm to the root of the little finger.", thumb_across()},
    }};
    return poses;
}

}  // namespace

std::span<const GuidedPose> guided_poses() {
    return table();
}

std::vector<float> guided_targets_rad(const GuidedPose& pose, std::size_t sensors) {
    if (sensors == kOpenGlovesSensors) {
        const HandAngles& a = pose.angles;
        std::vector<float> targets = {a.thumb.cmc_flex, a.thumb.mcp_flex, a.thumb.ip_flex, a.thumb.ip_flex,
                                      a.thumb.cmc_abduction};
        for (const FingerAngles& finger : a.fingers)
            for (const float angle :
                 {finger.mcp_flex, finger.pip_flex, finger.dip_flex, finger.dip_flex, finger.mcp_spread})
                targets.push_back(angle);
        return targets;
    }
    if (!is_cyberglove_sensor_count(sensors)) return {};
    CyberGloveAngles all = cyberglove_from_angles(pose.angles);
    all[21] = all[22] = std::numeric_limits<float>::quiet_NaN();  // the poses do not define the wrist
    return cyberglove_sensors(all, sensors);
}

std::array<float, kOpenGlovesSensors> opengloves_sensors(const OpenGlovesInput& input,
                                                         const OpenGlovesSettings& settings) {
    std::array<float, kOpenGlovesSensors> raw{};
    for (std::size_t f = 0; f < kFingerCount; ++f) {
        for (std::size_t j = 0; j < input.flexion[f].size(); ++j)
            raw[kPerFinger * f + j] = settings.max_analog * input.flexion[f][j];
        raw[kPerFinger * f + 4] = settings.max_analog * 0.5F * (input.splay[f] + 1.0F);
    }
    return raw;
}

HandAngles angles_from_opengloves_sensors(std::span<const float> a) {
    assert(a.size() == kOpenGlovesSensors);
    HandAngles angles;
    angles.thumb = {a[0], a[4], a[1], a[2]};
    for (std::size_t f = 0; f < 4; ++f) {
        const std::size_t at = kPerFinger * (f + 1);
        angles.fingers[f] = {a[at], a[at + 4], a[at + 1], a[at + 2]};
    }
    return angles;
}

}  // namespace glovebox::tracking
