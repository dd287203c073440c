// One tick of the force loop: from the newest frame to commands, with the ledger kept. No thread and no clock in here.
#pragma once

#include "vr/haptics/governor.h"
#include "vr/haptics/ledger.h"
#include "vr/haptics/output.h"
#include "vr/haptics/port.h"

namespace glovebox::vr {

/// A level for every finger in place of what the scene makes felt: a try of the way to a device.
struct LevelRequest {
    float level = 0.0F;         ///< 0 to 1, of the device's most force
    std::int64_t time_ns = -1;  ///< when it was asked for; one that is older than the device's watchdog is none
};

using ReadClock = std::int64_t (*)();

constexpr std::int64_t kTick_ns = 1'000'000;  ///< the loop's period

struct HapticLoop {
    explicit HapticLoop(const DeviceLimits& limits);

    /// Forces are rendered for `time_ns`, the nominal time of the tick, so that a late one does not shake what is felt.
    /// `due_ns` is when it should have begun on `clock` and `start_ns` when it did. No allocation, no lock.
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
    scenes::FrameStamps on_the_way;  ///< of a frame that the pads have not reached; sample_ns 0: of none
    double dt_s = 1e-3;
};

}  // namespace glovebox::vr
