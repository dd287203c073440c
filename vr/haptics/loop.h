// One tick of the force loop: computes commands from the newest frame and keeps the ledger. It has no thread and no
// clock of its own.
#pragma once

#include "vr/haptics/governor.h"
#include "vr/haptics/ledger.h"
#include "vr/haptics/output.h"
#include "vr/haptics/port.h"

namespace glovebox::vr {

/// A fixed level for every finger instead of the scene's forces, for testing a device.
struct LevelRequest {
    float level = 0.0F;         ///< fraction (0 to 1) of the device's maximum force
    std::int64_t time_ns = -1;  ///< time of the request; after the device's watchdog time the request is ignored
};

using ReadClock = std::int64_t (*)();

constexpr std::int64_t kTick_ns = 1'000'000;  ///< period of the force loop

/// State of the force loop.
struct HapticLoop {
    explicit HapticLoop(const DeviceLimits& limits);

    /// Runs a tick. Forces are rendered for `time_ns`, the tick's nominal time, so that a late tick causes no jump in
    /// the force. On `clock`, the tick was due at `due_ns` and began at `start_ns`. Does not allocate or lock.
    void tick(const scenes::HapticFrame& frame, std::int64_t time_ns, std::int64_t due_ns, std::int64_t start_ns,
              const StopReasons& reasons, HapticOutput& output, ReadClock clock);

    LevelRequest request;
    scenes::ForceSettings settings;
    scenes::ForceLoop forces;
    tracking::PerSide<Governor> governors;
    tracking::PerSide<HandPort> ports;  ///< energy accounts, for devices that push
    DeadlineLedger ledger;
    tracking::PerSide<scenes::HandForces> last;  ///< forces as rendered, before the governor
    std::uint64_t last_number = 0;
    /// Stamps of the frame whose pose the finger pads have not reached yet; sample_ns is 0 if there is none.
    scenes::FrameStamps in_transit;
    double dt_s = 1e-3;
};

}  // namespace glovebox::vr
