// Contacts of fingers and of the two hands, against exact tests of every requested pair of bones in every frame.
#include "vr/session/hand_touches.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "scenes/haptics.h"
#include "tests/vr/run_program.h"
#include "tracking/forward_kinematics.h"
#include "vr/platform/platform.h"
#include "vr/session/session.h"

namespace glovebox::vr {
namespace {

using tracking::Side;

// Two hands that close to fists, open, and meet.
tracking::HandPair hands_at(int frame) {
    tracking::HandPair hands;
    hands.time_ns = std::int64_t{10'000'000} * frame;
    const float t_s = 0.01F * static_cast<float>(frame);
    for (const Side side : tracking::kSides) {
        tracking::HandAngles angles = tracking::resting_angles();
        for (std::size_t i = 0; i < angles.fingers.size(); ++i) {
            const float curl = 0.5F + 0.5F * std::sin(2.1F * t_s + 0.7F * static_cast<float>(i));
            angles.fingers[i] = {0.1F + 1.2F * curl, 0.3F * std::sin(1.3F * t_s), 0.1F + 1.3F * curl,
                                 0.1F + 0.7F * curl};
        }
        angles.thumb.cmc_flex = 0.5F + 0.5F * std::sin(1.7F * t_s);
        angles.thumb.ip_flex = 0.5F + 0.5F * std::sin(2.3F * t_s);
        Eigen::Isometry3f world_from_wrist = Eigen::Isometry3f::Identity();
        world_from_wrist.translation().x() =
            (side == Side::left ? -1.0F : 1.0F) * (0.06F + 0.05F * std::cos(0.9F * t_s));
        hands[side] = tracking::pose_from_angles(tracking::default_profile(), angles, world_from_wrist, side);
        hands[side].active = frame % 300 < 280 || side == Side::left;
    }
    return hands;
}

using PartPair = std::pair<int, int>;
int number_of(Side side, int bone) {
    return static_cast<int>(side) * tracking::kHandPartCount + scenes::part_of_bone(bone);
}

// Returns the least distance of every two parts, over all pairs that may touch.
std::map<PartPair, float> distances_of(const scenes::World& world) {
    std::map<PartPair, float> least;
    collision::CollideCounts counts;
    const auto ask = [&](Side side_a, int bone_a, Side side_b, int bone_b) {
        collision::Contact contact;
        if (!collision::closest(world.hands[side_a].pose.shapes[static_cast<std::size_t>(bone_a)],
                                world.hands[side_b].pose.shapes[static_cast<std::size_t>(bone_b)], 0.1F, contact,
                                counts))
            return;
        const int first = number_of(side_a, bone_a), second = number_of(side_b, bone_b);
        const auto at = least.try_emplace({std::min(first, second), std::max(first, second)}, contact.distance_m).first;
        at->second = std::min(at->second, contact.distance_m);
    };
    for (const Side side : tracking::kSides)
        if (world.hands[side].present)
            for (const auto& [a, b] : scenes::hand_body().may_collide) ask(side, a, side, b);
    if (world.hands[Side::left].present && world.hands[Side::right].present)
        for (int a = 0; a < scenes::kHandBoneCount; ++a)
            for (int b = 0; b < scenes::kHandBoneCount; ++b) ask(Side::left, a, Side::right, b);
    return least;
}

TEST(HandTouches, AreThoseOfEveryPairAskedExactly) {
    scenes::Scene scene;
    scene.thresholds.dwell_ns = 0;
    scenes::World world(scene);
    HandTouches touches(scene.thresholds);
    struct Expected {
        bool on = false;
        std::int64_t since_ns = 0, total_ns = 0;
        std::uint64_t count = 0;
        float deepest_m = 0.0F;
    };
    std::map<PartPair, Expected> expected;
    constexpr int kFrames = 900;
    for (int frame = 0; frame < kFrames; ++frame) {
        const tracking::HandPair hands = hands_at(frame);
        scenes::step(scene, world, hands, 0.01);
        touches.add(world);
        auto least = distances_of(world);
        for (const auto& [parts, distance_m] : least) expected.try_emplace(parts);
        for (auto& [parts, state] : expected) {
            const auto found = least.find(parts);
            const float distance_m = found == least.end() ? 1.0F : found->second;
            if (!state.on && distance_m <= scene.thresholds.touch_enter_m) {
                state.on = true;
                state.since_ns = hands.time_ns;
                ++state.count;
            } else if (state.on && distance_m > scene.thresholds.touch_exit_m) {
                state.on = false;
                state.total_ns += hands.time_ns - state.since_ns;
            }
            if (state.on) state.deepest_m = std::max(state.deepest_m, -distance_m);
        }
    }
    std::uint64_t own = 0, across = 0;
    for (int a = 0; a < 2 * tracking::kHandPartCount; ++a)
        for (int b = a; b < 2 * tracking::kHandPartCount; ++b) {
            Expected state = expected[{a, b}];
            if (state.on) state.total_ns += std::int64_t{10'000'000} * (kFrames - 1) - state.since_ns;
            const auto part = [](int number) {
                return HandPart{number < tracking::kHandPartCount ? Side::left : Side::right,
                                number % tracking::kHandPartCount};
            };
            const HandTouches::Sum sum = touches.of(part(b), part(a));
            EXPECT_EQ(sum.count, state.count) << a << ' ' << b;
            EXPECT_NEAR(sum.total_s, 1e-9 * static_cast<double>(state.total_ns), 1e-6) << a << ' ' << b;
            EXPECT_FLOAT_EQ(sum.deepest_m, state.deepest_m) << a << ' ' << b;
            (b < tracking::kHandPartCount || a >= tracking::kHandPartCount ? own : across) += sum.count;
        }
    EXPECT_GT(own, 15U);
    EXPECT_GT(across, 20U);
}

TEST(HandTouches, AreReportedWhereAskedForAndChangeNoHash) {
    const TestFolder folder("hand_touches");
    const auto report_of = [&](const std::string& options) {
        const ProgramResult result =
            run_program("replay grasp --headless --report r.json --force " + options, folder.path);
        EXPECT_EQ(result.exit_code, 0) << result.error;
        return nlohmann::json::parse(text_of_file(folder.path / "r.json"));
    };
    const auto without = report_of(""), with = report_of("--hand-touches");
    EXPECT_FALSE(without.contains("hand_touches"));
    ASSERT_TRUE(with.contains("hand_touches"));
    EXPECT_EQ(with["state_hash"], without["state_hash"]);
    EXPECT_EQ(with["touches"], without["touches"]);
    EXPECT_FALSE(with["hand_touches"].empty());
    for (const auto& touch : with["hand_touches"]) EXPECT_LE(touch["longest_s"], touch["total_s"]);
}

}  // namespace
}  // namespace glovebox::vr
