#include "vr/haptics/thread.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "vr/platform/platform.h"

namespace glovebox::vr {
namespace {

// Stores the commands sent; read them after the thread has stopped.
class StoredOutput final : public HapticOutput {
  public:
    explicit StoredOutput(std::vector<HapticCommand>& commands) : commands_(commands) { commands_.reserve(100'000); }
    void send(const HapticCommand& command) override { commands_.push_back(command); }

  private:
    std::vector<HapticCommand>& commands_;
};

void press(scenes::HapticFrame& frame, float height_m) {
    frame.hands = {};
    frame.hands[1].present = true;
    scenes::PadSurfaces& tip = frame.hands[1].pads[7];
    tip.valid = true;
    tip.radius_m = 0.008F;
    tip.center_m = {0.0F, height_m, 0.0F};
    tip.count = 1;
    tip.pieces[0].shape =
        collision::RoundedBox{{{0.0F, -0.05F, 0.0F}, Eigen::Matrix3f::Identity(), {0.1F, 0.05F, 0.1F}}, 0.0F};
    frame.period_ns = 11'111'111;
    const std::int64_t now = now_ns();
    frame.stamps = {now, now, now, now, now};
    frame.sample_ns = now;
}

void press_for(HapticThread& thread, int frames, bool inside) {
    for (int i = 0; i < frames; ++i) {
        // The finger pushes inwards, 0.25 mm a frame: a motionless finger inside would have put in no energy.
        press(thread.next_frame(), inside ? std::max(0.004F, 0.0085F - 0.00025F * static_cast<float>(i)) : 0.012F);
        thread.publish();
        std::this_thread::sleep_for(std::chrono::milliseconds(11));
    }
}

TEST(HapticThread, TurnsFramesIntoCommandsAtAThousandHertzAndEndsWithAStop) {
    std::vector<HapticCommand> commands;
    HapticThread thread({}, std::make_unique<StoredOutput>(commands));
    EXPECT_NE(thread.scheduling().find("SCHED_"), std::string::npos);
    const std::int64_t start_ns = now_ns();
    press_for(thread, 40, true);
    thread.stop();
    const double ran_s = 1e-9 * static_cast<double>(now_ns() - start_ns);

    const DeadlineLedger& ledger = thread.ledger();
    const double ticks = static_cast<double>(ledger.tick.count() + ledger.skipped_ticks);
    EXPECT_NEAR(ticks, 1000.0 * ran_s, 0.05 * 1000.0 * ran_s + 5.0);
    EXPECT_NEAR(static_cast<double>(ledger.response.count()), 40.0, 3.0);
    EXPECT_EQ(ledger.not_finite, 0U);
    float most = 0.0F;
    for (const HapticCommand& command : commands)
        if (command.side == tracking::Side::right) most = std::max(most, command.parts[1].force);
    EXPECT_GT(most, 0.001F);
    EXPECT_LT(most, 400.0F * 0.004F / 8.0F) << "at 90 Hz a wall is soft";
    ASSERT_GE(commands.size(), 2U);
    EXPECT_TRUE(commands[commands.size() - 1].stop);
    EXPECT_TRUE(commands[commands.size() - 2].stop);
    EXPECT_NE(commands[commands.size() - 1].side, commands[commands.size() - 2].side);
}

TEST(HapticThread, SilenceOfTheFrameLoopStopsTheDevice) {
    std::vector<HapticCommand> commands;
    HapticThread thread({}, std::make_unique<StoredOutput>(commands));
    press_for(thread, 20, true);
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    thread.stop();
    const Governor& right = thread.loop().governors[1];
    EXPECT_EQ(right.counts()[static_cast<std::size_t>(Intervention::watchdog)], 1U);
    EXPECT_TRUE(right.stopped());
}

TEST(HapticThread, PauseAndLossOfFocusStopTheDevice) {
    std::vector<HapticCommand> commands;
    HapticThread thread({}, std::make_unique<StoredOutput>(commands));
    press_for(thread, 10, true);
    thread.set_paused(true);
    press_for(thread, 5, true);
    thread.set_paused(false);
    press_for(thread, 5, false);
    thread.set_unfocused(true);
    press_for(thread, 5, true);
    thread.stop();
    const Governor& right = thread.loop().governors[1];
    EXPECT_EQ(right.counts()[static_cast<std::size_t>(Intervention::paused)], 1U);
    EXPECT_EQ(right.counts()[static_cast<std::size_t>(Intervention::unfocused)], 1U);
}

}  // namespace
}  // namespace glovebox::vr
