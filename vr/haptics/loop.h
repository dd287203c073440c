// One tick of the force loop: from the newest frame to commands, with the ledger. Has no thread and no clock.
#pragma once

#include "vr/haptics/governor.h"
#include "vr/haptics/ledger.h"
#include "vr/haptics/output.h"
#include "vr/haptics/port.h"

namespace glovebox::vr {

/// A fixed level for every finger in place of the scene's forces, for testing a device.
struct LevelRequest {
    float level = 0.0F;         ///< 0 to 1, of the device's maximum force
    std::int64_t time_ns = -1;  ///< time of the request; ignored when older than the device's watchdog
};

using ReadClock = std::int64_t (*)();

constexpr std::int64_t kTick_ns = 1'000'000;  ///< period of the force loop

/// State of the force loop.
struct HapticLoop {
    explicit HapticLoop(const DeviceLimits& limits);

    /// Runs a tick. Forces are rendered for `time_ns`, its nominal time, so that a late tick causes no jump in the
    /// force. `due_ns` is when it should have begun on `clock` and `start_ns` when it did. Does not allocate or lock.
    void tick(const scenes::HapticFrame& frame, std::int64_t time_ns, std::int64_t due_ns, std::int64_t start_ns,
              const StopReasons& reasons, HapticOutput& output, ReadClock clock);

    LevelRequest request;
    scenes::ForceSettings settings;
    scenes::ForceLoop forces;
    tracking::PerSide<Governor> governors;
    tracking::PerSide<HandPort> ports;  ///< of devices that push
    DeadlineLedger ledger;
    tracking::PerSide<scenes::HandForces> last;  ///< as rendered, before the governor
    std::uint64_t last_number = 0;
    scenes::FrameStamps in_transit;  ///< of the frame whose pose the pads have not reached; sample_ns 0: none
    double dt_s = 1e-3;
};

}  // namespace glovebox::vr
