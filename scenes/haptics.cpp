#include "scenes/haptics.h"

#include <algorithm>

namespace glovebox::scenes {
namespace {

constexpr std::int64_t kShortestPeriod_ns = 1'000'000;
constexpr std::int64_t kLongestPeriod_ns = 50'000'000;  // slower trackers are followed in this time all the same

double share_of_period(const ForceLoop& loop, const HapticFrame& frame, std::int64_t now_ns) {
    const std::int64_t period_ns = std::clamp(frame.period_ns, kShortestPeriod_ns, kLongestPeriod_ns);
    return std::clamp(static_cast<double>(now_ns - loop.since_ns) / static_cast<double>(period_ns), 0.0, 1.0);
}

}  // namespace

std::array<HandForces, 2> render(ForceLoop& loop, const HapticFrame& frame, std::int64_t now_ns, double dt_s,
                                 const ForceSettings& settings, std::int64_t stale_ns) {
    std::array<HandForces, 2> out;
    if (frame.number == 0) return out;
    const bool fresh = frame.number != loop.number;
    if (fresh) {
        loop.number = frame.number;
        loop.since_ns = now_ns;
    }
    const std::int64_t age_ns = now_ns - loop.since_ns;
    const double fade = std::clamp(1.0 - static_cast<double>(age_ns - stale_ns) / settings.fade_ns, 0.0, 1.0);
    const double share = share_of_period(loop, frame, now_ns);

    for (std::size_t side = 0; side < 2; ++side)
        for (std::size_t i = 0; i < tracking::kFingerCount; ++i) {
            const FingertipSurfaces& tip = frame.hands[side].fingertips[i];
            FingerLoop& finger = loop.fingers[side][i];
            if (!frame.hands[side].present || !tip.valid || fade <= 0.0) {
                loop.follows[side][i] = false;
                if (finger.started)
                    render(finger, FingertipSurfaces{}, Eigen::Vector3d::Zero(), 0.0, 0.0, dt_s, settings);
                continue;
            }
            const Eigen::Vector3d to_m = tip.center_m.cast<double>();
            if (!loop.follows[side][i]) loop.at_m[side][i] = to_m;
            if (!loop.follows[side][i] || fresh) loop.from_m[side][i] = loop.at_m[side][i];
            loop.follows[side][i] = true;
            loop.at_m[side][i] = loop.from_m[side][i] + share * (to_m - loop.from_m[side][i]);
            // Fingers are shown one period late, so the surfaces must be too: at their stamp when the way is done.
            const double period_s =
                1e-9 * static_cast<double>(std::clamp(frame.period_ns, kShortestPeriod_ns, kLongestPeriod_ns));
            const double surfaces_age_s = std::min(1e-9 * static_cast<double>(age_ns), 2.0 * period_s) - period_s;
            out[side].fingers[i] = render(finger, tip, loop.at_m[side][i], surfaces_age_s, fade, dt_s, settings);
        }
    return out;
}

}  // namespace glovebox::scenes
