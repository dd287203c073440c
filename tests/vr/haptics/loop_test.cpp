#include "vr/haptics/loop.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "vr/haptics/opengloves_limits.h"

namespace glovebox::vr {
namespace {

constexpr std::int64_t kLoopTick_ns = 1'000'000;

struct LastOutput final : HapticOutput {
    void send(const HapticCommand& command) override {
        if (command.side == tracking::Side::right) last = command;
        ++sent;
    }
    std::optional<HapticCommand> last;
    int sent = 0;
};

std::int64_t no_time() {
    return 0;
}

// The right index finger is held by a motion limit, which does not fade as forces do.
scenes::HapticFrame held_finger() {
    scenes::HapticFrame frame;
    frame.number = 1;
    frame.period_ns = 11'111'111;
    frame.hands[1].present = true;
    frame.hands[1].closed_off[1] = 0.05F;
    return frame;
}

TEST(HapticLoop, StopsADeviceOneWatchdogTimeAfterTheLastFrameOrTestLevel) {
    const std::int64_t watchdog_ns = kOpenGlovesLimits.watchdog_ns;
    for (const bool by_frame : {true, false}) {
        const auto loop = std::make_unique<HapticLoop>(kOpenGlovesLimits);
        const scenes::HapticFrame frame = by_frame ? held_finger() : scenes::HapticFrame{};
        if (!by_frame) {
            loop->request.time_ns = kLoopTick_ns;
            loop->request.level = 0.5F;
        }
        LastOutput output;
        std::int64_t stopped_ns = -1;
        for (std::int64_t t_ns = kLoopTick_ns; t_ns < 4 * watchdog_ns && stopped_ns < 0; t_ns += kLoopTick_ns) {
            loop->tick(frame, t_ns, t_ns, t_ns, {}, output, no_time);
            if (t_ns == 2 * kLoopTick_ns) {
                EXPECT_TRUE(output.last && !output.last->stop) << by_frame;
            }
            if (output.last && output.last->stop) stopped_ns = t_ns;
        }
        EXPECT_GT(stopped_ns, watchdog_ns) << by_frame;
        EXPECT_LE(stopped_ns, watchdog_ns + 3 * kLoopTick_ns) << by_frame;
    }
}

}  // namespace
}  // namespace glovebox::vr
