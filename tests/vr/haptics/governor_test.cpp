#include "vr/haptics/governor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "vr/haptics/output.h"

namespace glovebox::vr {
namespace {

constexpr std::int64_t kTick_ns = 1'000'000;

HandRequest all(float force_n, float vibration_n = 0.0F) {
    HandRequest request;
    request.fill({force_n, vibration_n});
    return request;
}

DeviceLimits without_slew() {
    DeviceLimits limits;
    limits.force_slew_per_s = limits.vibration_slew_per_s = 1e6F;
    return limits;
}

std::uint64_t count(const Governor& governor, Intervention cause) {
    return governor.counts()[static_cast<std::size_t>(cause)];
}

TEST(Governor, GivesWhatIsAskedWithinLimits) {
    DeviceLimits limits = without_slew();
    Governor governor(limits);
    governor.decide(0, nullptr, {});
    const HandRequest request = all(4.0F, 0.5F);
    const auto command = governor.decide(kTick_ns, &request, {});
    ASSERT_TRUE(command);
    EXPECT_FLOAT_EQ(command->parts[2].force, 0.5F);
    EXPECT_FLOAT_EQ(command->parts[2].vibration, 0.25F);
    EXPECT_EQ(governor.log_size(), 0U);
    EXPECT_FALSE(governor.decide(2 * kTick_ns, &request, {}));  // nothing has changed
}

TEST(Governor, ForceRisesNoFasterThanTheSlewAndFallsAtOnce) {
    Governor governor;
    const HandRequest hard = all(8.0F), none = all(0.0F);
    float before = 0.0F;
    for (int i = 0; i < 60; ++i) {
        const auto command = governor.decide(i * kTick_ns, &hard, {});
        const float now = command ? command->parts[0].force : before;
        EXPECT_LE(now - before, 25.0F * 1e-3F + 1e-6F);
        before = now;
    }
    EXPECT_FLOAT_EQ(before, 1.0F);
    EXPECT_GT(count(governor, Intervention::slew), 30U);
    const auto down = governor.decide(60 * kTick_ns, &none, {});
    ASSERT_TRUE(down);
    EXPECT_EQ(down->parts[0].force, 0.0F);
}

TEST(Governor, LevelsAreClampedAndNonsenseIsSilence) {
    DeviceLimits limits = without_slew();
    Governor governor(limits);
    governor.decide(0, nullptr, {});
    HandRequest request = all(100.0F, 100.0F);
    request[1] = {std::numeric_limits<float>::quiet_NaN(), 1.0F};
    request[2] = {std::numeric_limits<float>::infinity(), 1.0F};
    request[3] = {-5.0F, 0.0F};
    const auto command = governor.decide(kTick_ns, &request, {});
    ASSERT_TRUE(command);
    EXPECT_EQ(command->parts[0], (PartCommand{1.0F, 1.0F}));
    EXPECT_EQ(command->parts[1], PartCommand{});
    EXPECT_EQ(command->parts[2], PartCommand{});
    EXPECT_EQ(command->parts[3], PartCommand{});
    EXPECT_EQ(count(governor, Intervention::non_finite), 2U);
    EXPECT_EQ(count(governor, Intervention::level), 4U);
}

TEST(Governor, EnergyFallsToTheMeanAfterABurstAndRecovers) {
    DeviceLimits limits = without_slew();
    Governor governor(limits);
    const HandRequest hard = all(8.0F), none = all(0.0F);
    double energy_s = 0.0;
    PartCommand now{};
    for (int i = 0; i < 60'000; ++i) {
        if (const auto command = governor.decide(i * kTick_ns, &hard, {})) now = command->parts[0];
        energy_s += 1e-3 * static_cast<double>(now.force * now.force);
    }
    // The burst holds full level for 3 s, half of which the mean covers; then the mean holds.
    EXPECT_NEAR(energy_s, 0.5 * 3.0 + 0.5 * 60.0, 0.1);
    EXPECT_GT(count(governor, Intervention::energy), 10'000U);
    for (int i = 60'000; i < 70'000; ++i) governor.decide(i * kTick_ns, &none, {});
    now = governor.decide(70'000 * kTick_ns, &hard, {})->parts[0];
    EXPECT_EQ(now.force, 1.0F);
}

// Returns the seconds at full level until the governor reduces it, with a request every `tick_ns`.
double seconds_at_full_level(const DeviceLimits& limits, const HandRequest& hard, std::int64_t tick_ns) {
    Governor governor(limits);
    governor.decide(-tick_ns, &hard, {});
    std::int64_t full_ns = 0;
    float level = 0.0F;
    for (std::int64_t now_ns = 0; now_ns < 20'000'000'000; now_ns += tick_ns) {
        const auto command = governor.decide(now_ns, &hard, {});
        if (command) level = std::max(command->parts[0].force, command->parts[0].vibration);
        if (level > 0.99F) full_ns += tick_ns;
        if (level < 0.99F && full_ns > 0) break;
    }
    return 1e-9 * static_cast<double>(full_ns);
}

TEST(Governor, FullLevelLastsAsLongAsTheDeviceAllows) {
    EXPECT_NEAR(seconds_at_full_level({}, all(8.0F), kTick_ns), 3.0, 0.05);
    EXPECT_NEAR(seconds_at_full_level({}, all(0.0F, 2.0F), kTick_ns), 3.0, 0.05) << "vibration, too";
    EXPECT_LT(seconds_at_full_level({}, all(8.0F, 2.0F), kTick_ns), 1.1) << "both at once";
    const double seldom_s = seconds_at_full_level({}, all(8.0F), 90 * kTick_ns);
    EXPECT_LT(seldom_s, 3.1) << "a loop that seldom comes";
    EXPECT_GT(seldom_s, 2.5);
    DeviceLimits patient;
    patient.watchdog_ns = 1'000'000'000;
    const double stalled_s = seconds_at_full_level(patient, all(8.0F), 500 * kTick_ns);
    EXPECT_LT(stalled_s, 3.1) << "the time that a stall held it counts";
    EXPECT_GT(stalled_s, 1.0);
    DeviceLimits weak;
    weak.mean_power = 0.1F;
    weak.burst_s = 1.0F;
    EXPECT_NEAR(seconds_at_full_level(weak, all(8.0F), kTick_ns), 1.0, 0.05);
}

// Limits of motion and vibrations do not push: a device that takes these is never sent a force.
TEST(Governor, DevicesGetNothingThatTheyDoNotTake) {
    int pushing = 0, holding = 0;
    for (const OutputRow& row : output_table()) {
        Governor governor(row.limits);
        HandRequest request;
        request.fill({8.0F, 1.0F, 0.8F});
        PartCommand got{};
        for (int i = 0; i < 200; ++i)
            if (const auto command = governor.decide(i * kTick_ns, &request, {})) got = command->parts[0];
        EXPECT_EQ(got.force > 0.0F, row.limits.takes.force) << row.name;
        EXPECT_EQ(got.vibration > 0.0F, row.limits.takes.vibration) << row.name;
        EXPECT_EQ(got.limit > 0.0F, row.limits.takes.motion_limit) << row.name;
        pushing += row.limits.takes.force ? 1 : 0;
        holding += row.limits.takes.motion_limit ? 1 : 0;
    }
    EXPECT_GT(pushing, 0);
    EXPECT_GT(holding, 0);
}

TEST(Governor, WhatOnlyVibratesHumsWhereAForceWouldBe) {
    Governor governor(find_output("controller")->limits);
    const HandRequest held = all(4.0F);
    PartCommand got{};
    for (int i = 0; i < 200; ++i)
        if (const auto command = governor.decide(i * kTick_ns, &held, {})) got = command->parts[0];
    EXPECT_NEAR(got.vibration, 0.5F * 0.35F, 1e-6F);
}

TEST(Governor, ALimitOfMotionIsHeldForAsLongAsItIsAskedFor) {
    Governor governor(find_output("opengloves")->limits);
    HandRequest request{};
    for (PartRequest& part : request) part.limit = 0.95F;
    float limit = 0.0F;
    for (int i = 0; i < 60'000; ++i)
        if (const auto command = governor.decide(i * kTick_ns, &request, {})) limit = command->parts[1].limit;
    EXPECT_EQ(limit, 0.95F);
    EXPECT_EQ(count(governor, Intervention::energy), 0U);
}

TEST(Governor, ALimitThatTheFingerPushesAgainstIsPower) {
    Governor governor(find_output("opengloves")->limits);
    HandRequest request{};
    for (PartRequest& part : request) part = {8.0F, 0.0F, 1.0F};
    float limit = 0.0F;
    for (int i = 0; i < 10'000; ++i)
        if (const auto command = governor.decide(i * kTick_ns, &request, {})) limit = command->parts[1].limit;
    EXPECT_NEAR(limit, std::sqrt(governor.limits().mean_power), 0.01F);
    EXPECT_GT(count(governor, Intervention::energy), 0U);
}

TEST(Governor, TheAccountOfEnergyHasTheLastWord) {
    Governor governor;
    const HandRequest hard = all(8.0F);
    PartCeilings ceilings{};
    for (int i = 0; i < 100; ++i) {
        ceilings.fill(i < 50 ? 2.0F : 0.5F);
        const auto command = governor.decide(i * kTick_ns, &hard, {}, &ceilings);
        ASSERT_TRUE(command.has_value() || i != 50);
        if (!command) continue;
        EXPECT_LE(command->parts[0].force, ceilings[0] / 8.0F);
        if (i == 50) {
            EXPECT_FLOAT_EQ(command->parts[0].force, 0.5F / 8.0F) << "at once";
        }
    }
    EXPECT_GT(count(governor, Intervention::passivity), 100U);
    ceilings.fill(std::numeric_limits<float>::quiet_NaN());
    EXPECT_EQ(governor.decide(101 * kTick_ns, &hard, {}, &ceilings)->parts[0].force, 0.0F);
}

TEST(Governor, AStallGrantsNoStep) {
    for (const int stall_ms : {2, 5, 10, 40, 60, 95, 99}) {
        Governor governor;
        const HandRequest none = all(0.0F), hard = all(8.0F, 2.0F);
        for (int i = 0; i < 10; ++i) governor.decide(i * kTick_ns, &none, {});
        const auto command = governor.decide((9 + stall_ms) * kTick_ns, &hard, {});
        ASSERT_TRUE(command) << stall_ms;
        EXPECT_GT(command->parts[0].force, 0.0F) << stall_ms;
        EXPECT_LE(command->parts[0].force, 0.0501F) << stall_ms;
        EXPECT_GT(command->parts[0].vibration, 0.0F) << stall_ms;
        EXPECT_LE(command->parts[0].vibration, 0.401F) << stall_ms;
    }
}

TEST(Governor, VibrationRisesNoFasterThanItsSlewAndFallsAtOnce) {
    Governor governor;
    const HandRequest buzz = all(0.0F, 2.0F), none = all(0.0F);
    float before = 0.0F;
    int rising = 0;
    for (int i = 0; i < 30; ++i) {
        const auto command = governor.decide(i * kTick_ns, &buzz, {});
        const float now = command ? command->parts[0].vibration : before;
        EXPECT_LE(now - before, 200.0F * 1e-3F + 1e-6F);
        rising += now > before ? 1 : 0;
        before = now;
    }
    EXPECT_FLOAT_EQ(before, 1.0F);
    EXPECT_EQ(rising, 5);
    EXPECT_GE(count(governor, Intervention::slew), 4U);
    EXPECT_EQ(governor.decide(30 * kTick_ns, &none, {})->parts[0].vibration, 0.0F);
}

// A request that swings through zero: the slew limits how the swing grows, not each half of it.
TEST(Governor, AKnockKeepsItsSwing) {
    Governor governor;
    float strongest = 0.0F;
    for (int i = 0; i < 200; ++i) {
        const double age_s = 1e-3 * i;
        const HandRequest knock =
            all(0.0F, static_cast<float>(2.0 * std::exp(-age_s / 0.03) * std::sin(2.0 * 3.14159265 * 250.0 * age_s)));
        if (const auto command = governor.decide(i * kTick_ns, &knock, {}))
            strongest = std::max(strongest, command->parts[0].vibration);
    }
    EXPECT_GT(strongest, 0.6F) << "more than 0.8 was asked for";
}

TEST(Governor, NoMoreCommandsThanTheLinkCarriesAndTheLatestWins) {
    DeviceLimits limits;
    limits.commands_per_s = 50.0F;
    limits.force_slew_per_s = 1e6F;
    Governor governor(limits);
    governor.decide(-kTick_ns, nullptr, {});
    std::vector<HapticCommand> sent;
    for (int i = 0; i <= 2000; ++i) {
        const HandRequest request = all(0.001F * static_cast<float>(i + 1));
        if (const auto command = governor.decide(i * kTick_ns, &request, {})) {
            sent.push_back(*command);
            EXPECT_NEAR(command->parts[0].force * 8.0F, 0.001F * static_cast<float>(i + 1), 1e-4F);
        }
    }
    EXPECT_NEAR(static_cast<double>(sent.size()), 100.0, 2.0);
    EXPECT_EQ(count(governor, Intervention::rate) + sent.size(), 2001U);
    EXPECT_EQ(governor.log_size(), 1U);  // one entry for a run of 1900 interventions
}

TEST(Governor, EveryReasonStopsAtOnceAndIsNamed) {
    struct Case {
        StopReasons reasons;
        Intervention cause;
    };
    const std::vector<Case> cases = {{{.lost = true}, Intervention::lost},
                                     {{.paused = true}, Intervention::paused},
                                     {{.unfocused = true}, Intervention::unfocused},
                                     {{.device = true}, Intervention::device},
                                     {{.exiting = true}, Intervention::exiting}};
    for (const Case& each : cases) {
        DeviceLimits limits;
        limits.commands_per_s = 10.0F;
        Governor governor(limits);
        const HandRequest hard = all(8.0F);
        for (int i = 0; i < 250; ++i) governor.decide(i * kTick_ns, &hard, {});
        const auto stop = governor.decide(250 * kTick_ns, &hard, each.reasons);
        ASSERT_TRUE(stop) << name_of(each.cause);  // stops even within the rate limit
        EXPECT_TRUE(stop->stop);
        for (const PartCommand& part : stop->parts) EXPECT_EQ(part, PartCommand{});
        EXPECT_EQ(count(governor, each.cause), 1U);
        EXPECT_EQ(governor.log_entry(governor.log_size() - 1).cause, each.cause);

        int repeats = 0;
        for (int i = 251; i < 1000; ++i) repeats += governor.decide(i * kTick_ns, &hard, each.reasons) ? 1 : 0;
        EXPECT_EQ(repeats, 3);
        EXPECT_TRUE(governor.stopped());
        // Afterwards it starts from zero, not from the previous level.
        float first = 1.0F;
        for (int i = 1000; i < 1200; ++i)
            if (const auto command = governor.decide(i * kTick_ns, &hard, {})) {
                first = command->parts[0].force;
                break;
            }
        EXPECT_LT(first, 0.05F);
    }
}

TEST(Governor, AForceLoopThatFallsSilentIsStopped) {
    Governor governor;
    const HandRequest hard = all(8.0F);
    for (int i = 0; i < 100; ++i) governor.decide(i * kTick_ns, &hard, {});
    int stopped_after_ms = 0;
    for (int i = 100; i < 400 && stopped_after_ms == 0; ++i)
        if (const auto command = governor.decide(i * kTick_ns, nullptr, {}); command && command->stop)
            stopped_after_ms = i - 99;
    EXPECT_NEAR(stopped_after_ms, 100, 2);
    EXPECT_EQ(count(governor, Intervention::watchdog), 1U);
}

TEST(Governor, CommandsAndRepeatedStopsGoOnAfterTheClockWentBack) {
    Governor governor;
    const HandRequest some = all(2.0F), more = all(3.0F);
    for (int i = 0; i < 9'000; ++i) governor.decide(i * kTick_ns, i % 200 < 100 ? &some : &more, {});
    int sent = 0;
    for (int i = 0; i < 1'000; ++i) sent += governor.decide(i * kTick_ns, i % 200 < 100 ? &some : &more, {}) ? 1 : 0;
    EXPECT_GE(sent, 10);
    EXPECT_TRUE(governor.decide(1'000 * kTick_ns, &some, {.paused = true})->stop);
    int repeated = 0;
    for (int i = 0; i < 1'000; ++i) repeated += governor.decide(i * kTick_ns, &some, {.paused = true}) ? 1 : 0;
    EXPECT_GE(repeated, 1);
}

TEST(Governor, NothingOutOfBoundsEverLeavesWhateverIsAsked) {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> level(-20.0F, 30.0F);
    std::bernoulli_distribution rarely(0.01);
    Governor governor;
    std::bernoulli_distribution stalls(0.02);
    std::array<PartCommand, tracking::kFingerCount> before{};
    std::int64_t now_ns = 0, last_ns = 0;
    int sent = 0;
    for (int i = 0; i < 50'000; ++i) {
        HandRequest request;
        for (PartRequest& part : request) part = {level(random), level(random)};
        if (rarely(random)) request[static_cast<std::size_t>(i % 5)].force_n = std::numeric_limits<float>::quiet_NaN();
        StopReasons reasons;
        reasons.lost = rarely(random);
        now_ns += (stalls(random) ? 50 : 1) * kTick_ns;
        const auto command = governor.decide(now_ns, rarely(random) ? nullptr : &request, reasons);
        if (!command) continue;
        ++sent;
        const double dt_s = std::min(0.002, 1e-9 * static_cast<double>(now_ns - last_ns));
        for (std::size_t f = 0; f < before.size(); ++f) {
            const PartCommand& part = command->parts[f];
            ASSERT_TRUE(part.force >= 0.0F && part.force <= 1.0F && part.vibration >= 0.0F && part.vibration <= 1.0F);
            ASSERT_LE(static_cast<double>(part.force - before[f].force), 25.0 * dt_s + 1e-5);
            before[f] = part;
        }
        last_ns = now_ns;
    }
    EXPECT_GT(sent, 40'000);
    EXPECT_EQ(governor.log_size(), Governor::kLogCapacity);
}

}  // namespace
}  // namespace glovebox::vr
