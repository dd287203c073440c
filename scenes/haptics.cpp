#include "scenes/haptics.h"

#include <algorithm>
#include <cmath>

namespace glovebox::scenes {
namespace {

constexpr std::int64_t kShortestPeriod_ns = 1'000'000;
constexpr std::int64_t kLongestPeriod_ns = 50'000'000;  // pads reach a frame within this time even of slower trackers

// The times of a tick.
struct TickMoment {
    bool fresh = false;            // first tick of this frame
    double share_of_period = 0.0;  // progress from the pads' last positions to the frame's, 0..1
    double surfaces_age_s = 0.0;
    double fade = 0.0;
};

TickMoment moment_of(ForceLoop& loop, const HapticFrame& frame, std::int64_t now_ns, double dt_s,
                     const ForceSettings& settings, std::int64_t stale_ns) {
    TickMoment moment;
    moment.fresh = frame.number != loop.number;
    if (moment.fresh) {
        loop.number = frame.number;
        loop.since_ns = now_ns;
    }
    const std::int64_t age_ns = now_ns - loop.since_ns;
    const std::int64_t period_ns = std::clamp(frame.period_ns, kShortestPeriod_ns, kLongestPeriod_ns);
    // The first tick of a frame already moves the pads by its share, because a tracker may be as fast as the force
    // loop.
    const std::int64_t elapsed_ns = age_ns + static_cast<std::int64_t>(1e9 * dt_s);
    moment.share_of_period = std::clamp(static_cast<double>(elapsed_ns) / static_cast<double>(period_ns), 0.0, 1.0);
    loop.arrived = moment.share_of_period >= 1.0;
    // Pads lag by one period, so the surfaces must lag too: they have age 0 when the pads arrive.
    moment.surfaces_age_s = 1e-9 * static_cast<double>(std::min(elapsed_ns, 2 * period_ns) - period_ns);
    moment.fade = std::clamp(1.0 - static_cast<double>(age_ns - stale_ns) / settings.fade_ns, 0.0, 1.0);
    return moment;
}

// Moves the pads from their last positions towards those of the newest frame.
void follow_hand(ForceLoop& loop, std::size_t side, const HandSurfaces& hand, const TickMoment& moment, double dt_s,
                 std::array<PadTouch, kHandBoneCount>& touches) {
    for (std::size_t bone = 0; bone < kHandBoneCount; ++bone) {
        const PadSurfaces& near = hand.pads[bone];
        PadLoop& pad = loop.pads[side][bone];
        if (!hand.present || !near.valid || moment.fade <= 0.0) {
            loop.follows[side][bone] = false;
            if (pad.started) pad.interrupt();
            continue;
        }
        const Eigen::Vector3d to_m = near.center_m.cast<double>();
        Eigen::Vector3d& from_m = loop.from_m[side][bone];
        Eigen::Vector3d& at_m = loop.at_m[side][bone];
        if (!loop.follows[side][bone]) at_m = to_m;
        if (!loop.follows[side][bone] || moment.fresh) from_m = at_m;
        loop.follows[side][bone] = true;
        at_m = from_m + moment.share_of_period * (to_m - from_m);
        if (moment.fresh) pad.strike(near.strike);
        touches[bone] = follow(pad, near, at_m, moment.surfaces_age_s, dt_s, moment.fresh);
    }
}

HandForces push_hand(ForceLoop& loop, std::size_t side, const std::array<PadTouch, kHandBoneCount>& touches,
                     double fade, double dt_s, const ForceSettings& settings) {
    std::array<double, tracking::kHandPartCount> depths_m{};
    for (std::size_t bone = 0; bone < kHandBoneCount; ++bone)
        depths_m[static_cast<std::size_t>(part_of_bone(static_cast<int>(bone)))] += touches[bone].depth_m;
    HandForces out;
    for (std::size_t bone = 0; bone < kHandBoneCount; ++bone) {
        const auto part = static_cast<std::size_t>(part_of_bone(static_cast<int>(bone)));
        const double share = depths_m[part] > 0.0 ? touches[bone].depth_m / depths_m[part] : 1.0;
        const PadForce& pad = out.pads[bone] = push(loop.pads[side][bone], touches[bone], share, fade, dt_s, settings);
        PartForce& felt = out.parts[part];
        felt.force_n += pad.force_n;
        if (std::abs(pad.vibration_n) > std::abs(felt.vibration_n)) felt.vibration_n = pad.vibration_n;
    }
    return out;
}

}  // namespace

int part_of_bone(int bone) {
    return is_of_palm(bone) ? tracking::kPalmPart : finger_of_bone(bone);
}

tracking::PerSide<HandForces> render(ForceLoop& loop, const HapticFrame& frame, std::int64_t now_ns, double dt_s,
                                     const ForceSettings& settings, std::int64_t stale_ns) {
    tracking::PerSide<HandForces> out;
    if (frame.number == 0) return out;
    const TickMoment moment = moment_of(loop, frame, now_ns, dt_s, settings, stale_ns);
    for (std::size_t side = 0; side < 2; ++side) {
        std::array<PadTouch, kHandBoneCount> touches;
        follow_hand(loop, side, frame.hands[side], moment, dt_s, touches);
        out[side] = push_hand(loop, side, touches, moment.fade, dt_s, settings);
    }
    return out;
}

}  // namespace glovebox::scenes
