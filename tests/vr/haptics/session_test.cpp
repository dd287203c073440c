// Haptics beside a session, without a thread: what a level asked for becomes, and what is left after the end.
#include "vr/haptics/session.h"

#include <gtest/gtest.h>

#include <vector>

#include "scenes/step.h"

namespace glovebox::vr {
namespace {

constexpr std::int64_t kMs = 1'000'000;

class Kept final : public HapticOutput {
  public:
    Kept(std::vector<HapticCommand>& commands, const bool& is_ready) : commands_(commands), is_ready_(is_ready) {}
    void send(const HapticCommand& command) override { commands_.push_back(command); }
    bool ready(tracking::Side) override { return is_ready_; }

  private:
    std::vector<HapticCommand>& commands_;
    const bool& is_ready_;
};

struct Desk {
    std::vector<HapticCommand> commands;
    bool is_ready = true;
    scenes::Scene scene = scenes::load_scene("table-and-ball");
    scenes::World world{scene};
    HapticSession haptics{*find_output("null"), std::make_unique<Kept>(commands, is_ready), HapticMode::simulated};

    // A frame every 10 ms, each with a request; without a hand.
    void ask(float level, int frames) {
        for (int i = 0; i < frames; ++i) {
            haptics.request(level);
            go_on(1);
        }
    }
    void go_on(int frames) {
        for (int i = 0; i < frames; ++i) {
            world.time_ns += 10 * kMs;
            haptics.frame(scene, world, {}, 0.01);
        }
    }
    std::uint64_t count(Intervention cause) const {
        return haptics.governors()[1].counts()[static_cast<std::size_t>(cause)];
    }
    float level() const {
        for (auto command = commands.rbegin(); command != commands.rend(); ++command)
            if (command->side == tracking::Side::right) return command->parts[2].force;
        return -1.0F;
    }
};

TEST(HapticSession, GivesTheLevelThatWasAskedForThroughTheGovernor) {
    Desk desk;
    desk.go_on(2);
    desk.ask(0.5F, 20);
    EXPECT_FLOAT_EQ(desk.level(), 0.5F);
    EXPECT_GT(desk.count(Intervention::slew), 10U) << "not at once";
    desk.ask(3.0F, 20);
    EXPECT_FLOAT_EQ(desk.level(), 1.0F);
    EXPECT_GT(desk.count(Intervention::level), 10U) << "not more than all";
    desk.ask(1.0F, 400);
    EXPECT_LT(desk.level(), 0.75F);
    EXPECT_GT(desk.count(Intervention::energy), 10U) << "not for long";

    // Nobody asks any more, and there is no hand.
    desk.go_on(12);
    EXPECT_EQ(desk.level(), 0.0F);
    EXPECT_TRUE(desk.commands.back().stop);
}

TEST(HapticSession, StopsWhatWasAskedForOnPauseAndBeginsAgainFromZero) {
    Desk desk;
    desk.ask(0.5F, 20);
    desk.haptics.set_paused(true);
    desk.ask(0.5F, 5);
    EXPECT_EQ(desk.level(), 0.0F);
    desk.haptics.set_paused(false);
    const std::size_t before = desk.commands.size();
    desk.ask(0.5F, 10);
    ASSERT_GT(desk.commands.size(), before);
    for (std::size_t i = before; i < before + 2; ++i) EXPECT_LT(desk.commands[i].parts[2].force, 0.06F);
    EXPECT_FLOAT_EQ(desk.level(), 0.5F);
}

TEST(HapticSession, ADeviceThatIsNotReadyIsStoppedAndBeginsAgainFromZero) {
    Desk desk;
    desk.ask(0.5F, 20);
    desk.is_ready = false;
    desk.ask(0.5F, 5);
    EXPECT_EQ(desk.level(), 0.0F);
    EXPECT_EQ(desk.count(Intervention::device), 1U);
    desk.is_ready = true;
    const std::size_t before = desk.commands.size();
    desk.ask(0.5F, 10);
    ASSERT_GT(desk.commands.size(), before);
    for (std::size_t i = before; i < before + 2; ++i) EXPECT_LT(desk.commands[i].parts[2].force, 0.06F);
    EXPECT_FLOAT_EQ(desk.level(), 0.5F);
}

TEST(HapticSession, MakesNoForceAfterItsEnd) {
    for (const HapticMode mode : {HapticMode::simulated, HapticMode::threaded}) {
        std::vector<HapticCommand> commands;
        commands.reserve(10'000);
        const bool is_ready = true;
        const scenes::Scene scene = scenes::load_scene("table-and-ball");
        scenes::World world{scene};
        HapticSession haptics(*find_output("null"), std::make_unique<Kept>(commands, is_ready), mode);
        haptics.frame(scene, world, {}, 0.01);
        EXPECT_TRUE(haptics.stop());
        const std::size_t before = commands.size();
        ASSERT_GT(before, 0U);
        EXPECT_TRUE(commands.back().stop);
        for (int i = 0; i < 3; ++i) {  // as when a picture of the last frame is drawn
            world.time_ns += 10 * kMs;
            haptics.request(1.0F);
            haptics.frame(scene, world, {}, 0.01);
            haptics.service();
        }
        EXPECT_TRUE(haptics.stop());
        EXPECT_EQ(commands.size(), before);
    }
}

}  // namespace
}  // namespace glovebox::vr
