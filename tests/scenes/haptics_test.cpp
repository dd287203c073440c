#include "scenes/haptics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/scenes/force/pieces.h"

namespace glovebox::scenes {
namespace {

constexpr std::int64_t kTick_ns = 1'000'000;

// An index finger at a height over a sheet, as a 90 Hz tracker would hand it over.
HapticFrame frame_at(std::uint64_t number, float height_m) {
    HapticFrame frame;
    frame.number = number;
    frame.period_ns = 11'111'111;
    HandSurfaces& hand = frame.hands[1];
    hand.present = true;
    FingertipSurfaces& tip = hand.fingertips[1];
    tip.valid = true;
    tip.radius_m = 0.008F;
    tip.center_m = {0.0F, height_m, 0.0F};
    for (const SurfacePiece& piece : sheet(0.05F, 1)) tip.pieces[static_cast<std::size_t>(tip.count++)] = piece;
    return frame;
}

double index_force_n(const std::array<HandForces, 2>& forces) {
    return forces[1].fingers[1].force_n.norm();
}

TEST(ForceLoop, TrackingAtNinetyHertzIsNotFeltAsSteps) {
    ForceLoop loop;
    ForceSettings settings;
    double before_n = 0.0, most_n = 0.0, most_step_n = 0.0;
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
        most_n = std::max(most_n, now_n);
        before_n = now_n;
    }
    EXPECT_GT(most_n, 1.2);
    // The finger goes 50 mm/s at most: 20 mN a tick at 400 N/m. The tracker's own steps would be eleven times that.
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
        EXPECT_LT(before_n - now, 0.15 * held_n);  // a ramp, not a drop
        before_n = now;
        if (now == 0.0 && zero_after_ms == 0) zero_after_ms = i + 17;
    }
    EXPECT_EQ(before_n, 0.0);
    EXPECT_NEAR(zero_after_ms, 90, 5);  // stale after 60 ms, faded over 30
}

TEST(ForceLoop, NothingIsRenderedBeforeTheFirstFrameOrForAbsentHands) {
    ForceLoop loop;
    HapticFrame frame;
    EXPECT_EQ(index_force_n(render(loop, frame, 0, 1e-3, {})), 0.0);
    frame = frame_at(1, 0.004F);
    frame.hands[1].present = false;
    EXPECT_EQ(index_force_n(render(loop, frame, kTick_ns, 1e-3, {})), 0.0);
}

}  // namespace
}  // namespace glovebox::scenes
