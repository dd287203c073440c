// Renders forces on a thread of the application, while another thread feeds the session.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "scenes/force/pad.h"
#include "scenes/haptics.h"
#include "vr/haptics/triple_buffer.h"

namespace glovebox::vr {

/// The surfaces near the hands, from the session's thread to that of the force loop.
using ForceFrames = TripleBuffer<scenes::HapticFrame>;

/// The force loop of one session. For one thread, which need not be the session's.
struct FedForceLoop {
    explicit FedForceLoop(std::shared_ptr<ForceFrames> from) : frames_(std::move(from)) {}

    /// Renders the forces at a time on a clock of the caller, about every millisecond. No device limits are applied. If
    /// the session stops, the forces fade to zero. The same time as in the last call gives the same forces. A clock
    /// that goes back begins again, 1 ms after the last call. Does not allocate or lock.
    const tracking::PerSide<scenes::HandForces>& render(std::int64_t time_ns);

  private:
    std::shared_ptr<ForceFrames> frames_;
    scenes::ForceLoop loop_;
    scenes::ForceSettings settings_;
    tracking::PerSide<scenes::HandForces> last_;
    std::int64_t time_ns_ = 0;  // on the caller's clock
    std::int64_t loop_ns_ = 0;  // on a clock that never goes back
    bool began_ = false;
};

}  // namespace glovebox::vr
