// The force loop of a session that has no clock of its own: it runs in the time of the steps, one tick per 1 ms.
#pragma once

#include "scenes/haptics.h"
#include "scenes/step.h"

namespace glovebox::vr {

struct SteppedForces {
    /// Runs the ticks up to the step's time, then gathers the step's surfaces, which act from the next tick on. No
    /// device limits are applied. No allocation after the first frames.
    void add(const scenes::Scene& scene, const scenes::World& world, double dt_s);

    tracking::PerSide<scenes::HandForces> last;  ///< of the last tick

  private:
    scenes::HapticFrame frame_;
    scenes::ForceLoop loop_;
    scenes::ForceSettings settings_;
    std::int64_t tick_ns_ = scenes::kNoTime;
};

}  // namespace glovebox::vr
