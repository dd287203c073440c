#include "vr/session/fed_forces.h"

#include <algorithm>

namespace glovebox::vr {
namespace {

constexpr std::int64_t kFirstTick_ns = 1'000'000;
constexpr std::int64_t kLongestTick_ns = 10'000'000;  // after a stall, a pad's velocity would be that of another motion

}  // namespace

const tracking::PerSide<scenes::HandForces>& FedForceLoop::render(std::int64_t time_ns) {
    if (began_ && time_ns == time_ns_) return last_;
    // Otherwise forces would stay until a clock that went back is where it was.
    const std::int64_t passed_ns = began_ && time_ns > time_ns_ ? time_ns - time_ns_ : kFirstTick_ns;
    began_ = true;
    time_ns_ = time_ns;
    loop_ns_ += passed_ns;
    const double tick_s = 1e-9 * static_cast<double>(std::min(passed_ns, kLongestTick_ns));
    last_ = scenes::render(loop_, frames_->front(), loop_ns_, tick_s, settings_);
    return last_;
}

}  // namespace glovebox::vr
