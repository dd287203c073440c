#include "vr/session/stepped_forces.h"

#include <algorithm>

#include "scenes/gather_surfaces.h"

namespace glovebox::vr {
namespace {

constexpr std::int64_t kTick_ns = 1'000'000;
constexpr std::int64_t kLongestGap_ns = 500'000'000;  // by then all forces have faded

}  // namespace

void SteppedForces::add(const scenes::Scene& scene, const scenes::World& world, double dt_s) {
    const std::int64_t time_ns = world.time_ns;
    if (tick_ns_ == scenes::kNoTime) tick_ns_ = time_ns;
    for (const std::int64_t end_ns = std::min(time_ns, tick_ns_ + kLongestGap_ns); tick_ns_ <= end_ns;
         tick_ns_ += kTick_ns)
        last = scenes::render(loop_, frame_, tick_ns_, 1e-9 * kTick_ns, settings_);
    tick_ns_ = std::max(tick_ns_, time_ns);
    scenes::gather_surfaces(scene, world, frame_);
    frame_.period_ns = static_cast<std::int64_t>(1e9 * dt_s);
    ++frame_.number;
}

}  // namespace glovebox::vr
