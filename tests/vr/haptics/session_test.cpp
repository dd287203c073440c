// Haptics beside a session, without a thread: the output for a requested level, and the state after the end.
#include "vr/haptics/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "scenes/curl_limit.h"
#include "scenes/step.h"
#include "tracking/forward_kinematics.h"

namespace glovebox::vr {
namespace {

constexpr std::int64_t kStep_ns = 10'000'000;

class SwitchedOutput final : public HapticOutput {
  public:
    SwitchedOutput(std::vector<HapticCommand>& commands, const bool& is_ready)
        : commands_(commands), is_ready_(is_ready) {}
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
    tracking::HandPair hands;
    HapticSession haptics{*find_output("null"), std::make_unique<SwitchedOutput>(commands, is_ready),
                          HapticMode::simulated};

    // Steps a frame every 10 ms, each with a request, without a hand.
    void request(float level, int frames) {
        for (int i = 0; i < frames; ++i) {
            haptics.request(level);
            go_on(1);
        }
    }
    void go_on(int frames) {
        for (int i = 0; i < frames; ++i) {
            world.time_ns += kStep_ns;
            haptics.frame(scene, world, hands, {}, 0.01);
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
    desk.request(0.5F, 20);
    EXPECT_FLOAT_EQ(desk.level(), 0.5F);
    EXPECT_GT(desk.count(Intervention::slew), 10U) << "not at once";
    desk.request(3.0F, 20);
    EXPECT_FLOAT_EQ(desk.level(), 1.0F);
    EXPECT_GT(desk.count(Intervention::level), 10U) << "not more than all";
    desk.request(1.0F, 400);
    EXPECT_LT(desk.level(), 0.75F);
    EXPECT_GT(desk.count(Intervention::energy), 10U) << "not for long";

    // There are no more requests, and there is no hand.
    desk.go_on(12);
    EXPECT_EQ(desk.level(), 0.0F);
    EXPECT_TRUE(desk.commands.back().stop);
}

TEST(HapticSession, StopsWhatWasAskedForOnPauseAndBeginsAgainFromZero) {
    Desk desk;
    desk.request(0.5F, 20);
    desk.haptics.set_paused(true);
    desk.request(0.5F, 5);
    EXPECT_EQ(desk.level(), 0.0F);
    desk.haptics.set_paused(false);
    const std::size_t before = desk.commands.size();
    desk.request(0.5F, 10);
    ASSERT_GT(desk.commands.size(), before);
    for (std::size_t i = before; i < before + 2; ++i) EXPECT_LT(desk.commands[i].parts[2].force, 0.06F);
    EXPECT_FLOAT_EQ(desk.level(), 0.5F);
}

TEST(HapticSession, ADeviceThatIsNotReadyIsStoppedAndBeginsAgainFromZero) {
    Desk desk;
    desk.request(0.5F, 20);
    desk.is_ready = false;
    desk.request(0.5F, 5);
    EXPECT_EQ(desk.level(), 0.0F);
    EXPECT_EQ(desk.count(Intervention::device), 1U);
    desk.is_ready = true;
    const std::size_t before = desk.commands.size();
    desk.request(0.5F, 10);
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
        const tracking::HandPair hands;
        HapticSession haptics(*find_output("null"), std::make_unique<SwitchedOutput>(commands, is_ready), mode);
        haptics.frame(scene, world, hands, {}, 0.01);
        EXPECT_TRUE(haptics.stop());
        const std::size_t before = commands.size();
        ASSERT_GT(before, 0U);
        EXPECT_TRUE(commands.back().stop);
        for (int i = 0; i < 3; ++i) {  // as when the last frame is drawn into a picture
            world.time_ns += kStep_ns;
            haptics.request(1.0F);
            haptics.frame(scene, world, hands, {}, 0.01);
            haptics.service();
        }
        EXPECT_TRUE(haptics.stop());
        EXPECT_EQ(commands.size(), before);
    }
}

// A glove receives the closure at which its fingers will meet the ball before they touch it, and this does not depend
// on their present closure.
TEST(HapticSession, TellsAGloveHowFarItsFingersMayClose) {
    const scenes::Scene scene = scenes::load_scene("held-ball");
    scenes::World world{scene};
    const Eigen::Vector3f ball_m = world.colliders.back().box.center_m;
    const auto hand_of_curl = [&](float curl) {
        tracking::HandAngles angles;
        for (tracking::FingerAngles& finger : angles.fingers)
            finger = {curl * 1.5708F, 0.0F, curl * 1.7453F, curl * 1.2217F};
        const Eigen::Isometry3f wrist(Eigen::Translation3f(ball_m + Eigen::Vector3f(0.0F, 0.075F, 0.10F)));
        tracking::HandPair hands;
        hands[tracking::Side::right] =
            pose_from_angles(tracking::default_profile(), angles, wrist, tracking::Side::right);
        return hands;
    };
    for (const std::string_view name : {"opengloves", "null"}) {
        std::vector<HapticCommand> commands;
        const bool is_ready = true;
        HapticSession haptics(*find_output(name), std::make_unique<SwitchedOutput>(commands, is_ready),
                              HapticMode::simulated);
        std::vector<float> limits;
        for (const float curl : {0.0F, 0.1F, 0.2F}) {
            const tracking::HandPair hands = hand_of_curl(curl);
            for (int i = 0; i < 20; ++i) {
                tracking::HandPair now = hands;
                now.time_ns = world.time_ns + kStep_ns;
                scenes::step(scene, world, now, 0.01);
                haptics.frame(scene, world, hands, {}, 0.01);
            }
            const auto last = std::find_if(commands.rbegin(), commands.rend(), [](const HapticCommand& command) {
                return command.side == tracking::Side::right;
            });
            limits.push_back(last == commands.rend() ? 0.0F : last->parts[2].limit);
        }
        if (name == "null") {
            EXPECT_THAT(limits, testing::Each(0.0F));
            continue;
        }
        collision::CollideCounts counts;
        const float touch =
            scenes::curl_limits(hand_of_curl(0.0F)[tracking::Side::right], world.colliders, counts)[2].touch;
        ASSERT_GT(touch, 0.25F);
        ASSERT_LT(touch, 0.9F);
        for (const float limit : limits) EXPECT_NEAR(limit, 1.0F - touch, 0.01F);
    }
}

}  // namespace
}  // namespace glovebox::vr
