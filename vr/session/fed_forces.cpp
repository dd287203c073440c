#include "vr/session/fed_forces.h"

#include <algorithm>

namespace glovebox::vr {
namespace {

constexpr std::int64_t kFirstTick_ns = 1'000'000;
constexpr std::int64_t kLongestTick_ns = 10'000'000;  // after a stall, a pad's velocity would be that of another motion

}  // namespace

const tracking::PerSide<scenes::HandForces>& FedForceLoop::render(std::int64_t time_ns) {
    const std::int64_t tick_ns = began_ ? std::min(time_ns - time_ns_, kLongestTick_ns) : kFirstTick_ns;
    if (tick_ns <= 0) return last_;
    began_ = true;
    time_ns_ = time_ns;
    last_ = scenes::render(loop_, frames_->front(), time_ns, 1e-9 * static_cast<double>(tick_ns), settings_);
    return last_;
}

}  // namespace glovebox::vr
