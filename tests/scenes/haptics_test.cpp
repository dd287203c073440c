#include "scenes/haptics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/scenes/force/pieces.h"

namespace glovebox::scenes {
namespace {

constexpr std::int64_t kTick_ns = 1'000'000;

// Makes an index finger at a height over a sheet, as a 90 Hz tracker would report it.
HapticFrame frame_at(std::uint64_t number, float height_m) {
    HapticFrame frame;
    frame.number = number;
    frame.period_ns = 11'111'111;
    HandSurfaces& hand = frame.hands[1];
    hand.present = true;
    PadSurfaces& tip = hand.pads[7];
    tip.valid = true;
    tip.radius_m = 0.008F;
    tip.center_m = {0.0F, height_m, 0.0F};
    for (const SurfacePiece& piece : sheet(0.05F, 1)) tip.pieces[static_cast<std::size_t>(tip.count++)] = piece;
    return frame;
}

double index_force_n(const std::array<HandForces, 2>& forces) {
    return forces[1].parts[1].force_n.norm();
}

TEST(ForceLoop, TrackingAtNinetyHertzIsNotFeltAsSteps) {
    ForceLoop loop;
    ForceSettings settings;
    double before_n = 0.0, max_n = 0.0, most_step_n = 0.0;
    std::uint64_t number = 0;
    HapticFrame frame;
    for (int tick = 0; tick < 500; ++tick) {
        if (tick % 11 == 0) {
            ++number;
            const auto t = 1e-3 * tick;
            frame = frame_at(number, static_cast<float>(0.008 + 0.004 * std::cos(2.0 * 3.14159 * 2.0 * t)));
        }
        const double now_n = index_force_n(render(loop, frame, tick * kTick_ns, 1e-3, settings));
        most_step_n = std::max(most_step_n, std::abs(now_n - before_n));
        max_n = std::max(max_n, now_n);
        before_n = now_n;
    }
    EXPECT_GT(max_n, 1.2);
    // The finger moves at most 50 mm/s: 20 mN a tick at 400 N/m. The tracker's own steps would be eleven times that.
    EXPECT_LT(most_step_n, 0.04);
}

TEST(ForceLoop, WithoutFramesItFadesToZeroAndStaysThere) {
    ForceLoop loop;
    ForceSettings settings;
    HapticFrame frame = frame_at(1, 0.02F);
    std::int64_t now_ns = 0;
    for (int i = 0; i < 20; ++i) render(loop, frame, now_ns += kTick_ns, 1e-3, settings);
    frame = frame_at(2, 0.005F);
    for (int i = 0; i < 15; ++i) render(loop, frame, now_ns += kTick_ns, 1e-3, settings);
    const double held_n = index_force_n(render(loop, frame, now_ns += kTick_ns, 1e-3, settings));
    ASSERT_GT(held_n, 0.8);
    double before_n = held_n;
    int zero_after_ms = 0;
    for (int i = 0; i < 300; ++i) {
        const double now = index_force_n(render(loop, frame, now_ns += kTick_ns, 1e-3, settings));
        EXPECT_LE(now, before_n + 1e-6);
        EXPECT_LT(before_n - now, 0.15 * held_n);  // a ramp, not a step
        before_n = now;
        if (now == 0.0 && zero_after_ms == 0) zero_after_ms = i + 17;
    }
    EXPECT_EQ(before_n, 0.0);
    EXPECT_NEAR(zero_after_ms, 90, 5);  // stale after 60 ms, then faded over 30
}

TEST(ForceLoop, NothingIsRenderedBeforeTheFirstFrameOrForAbsentHands) {
    ForceLoop loop;
    HapticFrame frame;
    EXPECT_EQ(index_force_n(render(loop, frame, 0, 1e-3, {})), 0.0);
    frame = frame_at(1, 0.004F);
    frame.hands[1].present = false;
    EXPECT_EQ(index_force_n(render(loop, frame, kTick_ns, 1e-3, {})), 0.0);
}

// Makes two pads of the index finger, side by side over a sheet.
HapticFrame two_pads(std::uint64_t number, double middle_depth_m, double tip_depth_m) {
    HapticFrame frame = frame_at(number, static_cast<float>(0.008 - tip_depth_m));
    frame.period_ns = kTick_ns;
    PadSurfaces& middle = frame.hands[1].pads[6];
    middle = frame.hands[1].pads[7];
    middle.center_m = {0.02F, static_cast<float>(0.008 - middle_depth_m), 0.0F};
    return frame;
}

std::array<HandForces, 2> tick_to(ForceLoop& loop, std::uint64_t& number, double middle_depth_m, double tip_depth_m,
                                  const ForceSettings& settings) {
    ++number;
    const auto now_ns = static_cast<std::int64_t>(number) * kTick_ns;
    return render(loop, two_pads(number, middle_depth_m, tip_depth_m), now_ns, 1e-3, settings);
}

TEST(ForceLoop, PadsThatGoInTogetherAreNoStifferThanOne) {
    ForceLoop one_loop, two_loop;
    std::uint64_t one = 0, two = 0;
    for (int i = 0; i < 400; ++i) {
        const double depth_m = -0.002 + 1.5e-5 * i;
        const double alone_n = index_force_n(tick_to(one_loop, one, -0.004, depth_m, {}));
        const auto forces = tick_to(two_loop, two, depth_m, depth_m, {});
        EXPECT_NEAR(index_force_n(forces), alone_n, 1e-6 + 0.01 * alone_n);
        EXPECT_NEAR(forces[1].pads[6].force_n.norm(), forces[1].pads[7].force_n.norm(), 1e-3);
    }
    EXPECT_GT(index_force_n(tick_to(two_loop, two, 0.004, 0.004, {})), 1.5);
}

TEST(ForceLoop, ASecondPadComesInWithoutAStep) {
    ForceLoop loop;
    std::uint64_t number = 0;
    double before_n = 0.0, most_step_n = 0.0;
    bool both = false;
    for (int i = 0; i < 900; ++i) {
        const double tip_m = std::min(0.003, -0.001 + 1e-5 * i), middle_m = -0.006 + 1e-5 * i;
        const auto forces = tick_to(loop, number, middle_m, tip_m, {});
        const double now_n = index_force_n(forces);
        most_step_n = std::max(most_step_n, std::abs(now_n - before_n));
        before_n = now_n;
        both = both || (forces[1].pads[6].touching && forces[1].pads[7].touching);
    }
    EXPECT_TRUE(both);
    EXPECT_LT(most_step_n, 0.012);  // 10 um a tick at 400 N/m is 4 mN, and damping fades in
}

TEST(ForceLoop, EveryBoneIsFeltByItsFingerOrThePalm) {
    std::array<int, tracking::kHandPartCount> bones{};
    for (int bone = 0; bone < kHandBoneCount; ++bone) ++bones[static_cast<std::size_t>(part_of_bone(bone))];
    EXPECT_EQ(bones, (std::array<int, tracking::kHandPartCount>{3, 3, 3, 3, 3, 5}));
    for (std::size_t bone = 0; bone < kHandBoneCount; ++bone) {
        ForceLoop loop;
        std::array<HandForces, 2> forces;
        for (std::uint64_t i = 1; i < 40; ++i) {
            HapticFrame frame = frame_at(i, i < 20 ? 0.009F : 0.006F);
            frame.period_ns = kTick_ns;
            std::swap(frame.hands[1].pads[7], frame.hands[1].pads[bone]);
            forces = render(loop, frame, static_cast<std::int64_t>(i) * kTick_ns, 1e-3, {});
        }
        const auto felt = static_cast<std::size_t>(part_of_bone(static_cast<int>(bone)));
        for (std::size_t part = 0; part < tracking::kHandPartCount; ++part)
            EXPECT_EQ(forces[1].parts[part].force_n.norm() > 0.5, part == felt) << "bone " << bone;
    }
}

}  // namespace
}  // namespace glovebox::scenes
