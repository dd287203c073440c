// The energy account at a device's port: against closed forms, against adversarial paths, and in a closed loop
// with fingers, devices and trackers of all kinds.
#include "vr/haptics/port.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "tests/scenes/force/pieces.h"
#include "vr/bench/closed_loop.h"

namespace glovebox::vr {
namespace {

constexpr std::int64_t kTick_ns = 1'000'000;
constexpr double kTick_s = 1e-3;

TEST(ForceHistory, IntegratesWhatWasInForce) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> force(0.0, 8.0);
    ForceHistory history;
    std::vector<std::pair<std::int64_t, double>> all;
    for (std::int64_t at_ns = 5'000'000; all.size() < 400; at_ns += static_cast<std::int64_t>(random() % 9'000'000)) {
        all.emplace_back(at_ns, force(random));
        history.add(all.back().first, all.back().second);
    }
    for (int look = 0; look < 100; ++look) {
        const auto begin_ns = static_cast<std::int64_t>(random() % 1'000'000'000);
        const auto end_ns = begin_ns + static_cast<std::int64_t>(random() % 900'000'000);
        double sum = 0.0, squares = 0.0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const std::int64_t to_ns = std::min(end_ns, i + 1 < all.size() ? all[i + 1].first : end_ns);
            const double s =
                1e-9 * static_cast<double>(std::max<std::int64_t>(0, to_ns - std::max(begin_ns, all[i].first)));
            sum += s * all[i].second;
            squares += s * all[i].second * all[i].second;
        }
        ForceHistory::Integrals found;
        ASSERT_TRUE(history.between(begin_ns, end_ns, found));
        EXPECT_NEAR(found.force_n_s, sum, 1e-9);
        EXPECT_NEAR(found.square_n2_s, squares, 1e-9);
    }
}

TEST(ForceHistory, SaysWhatItHasForgotten) {
    ForceHistory history;
    for (int i = 0; i < 2000; ++i) history.add(i * kTick_ns, 1.0);
    ForceHistory::Integrals found;
    EXPECT_TRUE(history.between(1500 * kTick_ns, 2000 * kTick_ns, found));
    EXPECT_NEAR(found.force_n_s, 0.5, 1e-9);
    EXPECT_FALSE(history.between(1400 * kTick_ns, 2000 * kTick_ns, found));
}

TEST(ForceHistory, BeginsAgainWhereTimeDoes) {
    ForceHistory history;
    for (int i = 500; i < 600; ++i) history.add(i * kTick_ns, 5.0);
    history.add(10 * kTick_ns, 1.0);
    ForceHistory::Integrals found;
    ASSERT_TRUE(history.between(0, 20 * kTick_ns, found));
    EXPECT_NEAR(found.force_n_s, 0.01, 1e-12);
}

// A part whose force was F(t) in the 20 ms between two samples.
struct Between {
    double b = 0.24, t_s = 0.020;
    std::function<double(double)> force_n;
    static constexpr int kSteps = 20;

    // Returns the account's lower bound of the energy that the device absorbed, if the finger moved by `moved_m`.
    double bound_j(double moved_m) const {
        PartPort port;
        const PortTiming timing{b, 1.0, 1e-3, 0};
        const std::int64_t begin_ns = 1'000'000'000, end_ns = begin_ns + std::llround(1e9 * t_s);
        port.book(begin_ns, 0.0, 0.0, timing);
        port.allowed_n(begin_ns, 1e3, timing);  // a touch begins
        for (int i = 0; i < kSteps; ++i)
            port.in_force(begin_ns + i * (end_ns - begin_ns) / kSteps, force_n(i * t_s / kSteps));
        port.book(end_ns, moved_m, 0.0, timing);
        return port.account_j();
    }
    double absorbed_j(const std::function<double(double)>& velocity_m_s, double& moved_m) const {
        constexpr int kFine = 100;
        const double h = t_s / (kSteps * kFine);
        double sum_j = 0.0;
        moved_m = 0.0;
        for (int i = 0; i < kSteps * kFine; ++i) {
            const double v = velocity_m_s((i + 0.5) * h), f = force_n((i / kFine) * t_s / kSteps);
            sum_j += (b * v * v - f * v) * h;
            moved_m += v * h;
        }
        return sum_j;
    }
};

TEST(PartPort, BooksNoMoreThanAnyWayBetweenTwoSamplesTakesIn) {
    std::mt19937 random(2);
    std::normal_distribution<double> normal;
    double nearest = 1e9;
    for (int look = 0; look < 300; ++look) {
        Between between;
        const double level = std::abs(normal(random)), rise = 40.0 * normal(random);
        between.force_n = [&](double t) { return std::max(0.0, level + rise * t); };
        std::array<double, 6> a{};
        for (double& each : a) each = 0.3 * normal(random);
        double moved_m = 0.0;
        const double absorbed_j = between.absorbed_j(
            [&](double t) {
                return a[0] + a[1] * std::sin(300 * t + a[2]) + a[3] * std::cos(900 * t + a[4]) + 10 * a[5] * t;
            },
            moved_m);
        const double bound_j = between.bound_j(moved_m);
        EXPECT_LE(bound_j, absorbed_j + 1e-12);
        nearest = std::min(nearest, absorbed_j - bound_j);
    }
    EXPECT_LT(nearest, 1e-3);
}

TEST(PartPort, TheWorstWayTakesInExactlyWhatIsBooked) {
    Between between;
    between.force_n = [](double t) { return 1.0 + 60.0 * t; };
    for (const double lambda : {-0.5, -0.1, 0.0, 0.4}) {
        double moved_m = 0.0;
        const auto worst = [&](double t) {
            const double step_s = between.t_s / Between::kSteps;
            return (between.force_n(std::floor(t / step_s) * step_s) + lambda) / (2.0 * between.b);
        };
        const double absorbed_j = between.absorbed_j(worst, moved_m);
        EXPECT_NEAR(between.bound_j(moved_m), absorbed_j, 1e-6);
    }
}

TEST(PartPort, WorkOfASurfaceThatMovesIsTheScenes) {
    PartPort still, moving;
    const PortTiming timing{0.24, 1.0, 1e-3, 0};
    for (PartPort* port : {&still, &moving}) {
        port->book(0, 0.0, 0.0, timing);
        port->allowed_n(0, 1e3, timing);
        port->in_force(0, 2.0);
    }
    still.book(10'000'000, 0.001, 0.0, timing);
    moving.book(10'000'000, 0.001, 0.001, timing);
    EXPECT_NEAR(moving.account_j() - still.account_j(), 2.0 * 0.001, 1e-12);
}

// A finger that knows the sampling times, enters gently and leaves in the worst way for the account.
TEST(PartPort, GivesNothingToAFingerThatMovesAsIsWorst) {
    for (const std::int64_t latency_ns : {0, 15'000'000, 60'000'000})
        for (const double greed : {0.3, 1.0, 3.0}) {
            const double b = 0.24;
            PortTiming timing{b, 0.0, 1e-3, 0};
            const std::int64_t period_ns = 11'000'000;
            timing.window_s = 1e-9 * static_cast<double>(latency_ns + period_ns) + 2e-3;
            PartPort port;
            double y_m = 0.0, net_j = 0.0, most_j = 0.0, force_n = 0.0, max_n = 0.0;
            std::vector<double> places = {0.0};
            std::int64_t newest_ns = 0;
            double newest_m = 0.0;
            for (std::int64_t at_ns = kTick_ns; at_ns < 3'000'000'000; at_ns += kTick_ns) {
                const bool goes_in = (at_ns / 400'000'000) % 2 == 0;
                const double v = goes_in ? -0.03 : greed * force_n / (2.0 * b);
                y_m += v * kTick_s;
                net_j += (force_n - b * v) * v * kTick_s;
                most_j = std::max(most_j, net_j);
                places.push_back(y_m);
                const std::int64_t seen_ns = (at_ns - latency_ns) / period_ns * period_ns;
                if (seen_ns > newest_ns) {
                    const double seen_m = places[static_cast<std::size_t>(seen_ns / kTick_ns)];
                    port.book(seen_ns, seen_m - newest_m, 0.0, timing);
                    newest_ns = seen_ns;
                    newest_m = seen_m;
                }
                force_n = port.allowed_n(at_ns, 8.0, timing);
                max_n = std::max(max_n, force_n);
                port.in_force(at_ns, force_n);
            }
            EXPECT_LE(most_j, 1e-9) << latency_ns << " " << greed;
            EXPECT_GT(max_n, 0.05) << latency_ns << " " << greed;
        }
}

TEST(PartPort, WhatOneTouchTookInIsNotThereForTheNext) {
    PartPort port;
    const PortTiming timing{0.24, 0.02, 1e-3, 0};
    port.book(0, 0.0, 0.0, timing);
    port.allowed_n(0, 1.0, timing);
    port.in_force(0, 1.0);
    port.book(10'000'000, -0.002, 0.0, timing);
    EXPECT_GT(port.allowed_n(10'000'000, 1.0, timing), 0.1);
    port.in_force(10'000'000, 0.0);
    port.book(20'000'000, -0.002, 0.0, timing);
    EXPECT_EQ(port.allowed_n(20'000'000, 0.0, timing), 0.0);
    EXPECT_EQ(port.account_j(), 0.0);
    EXPECT_EQ(port.allowed_n(21'000'000, 1.0, timing), 0.0);
}

TEST(PartPort, WithoutSamplesTheForceEnds) {
    PartPort port;
    const PortTiming timing{0.24, 0.02, 1e-3, 0};
    port.book(0, 0.0, 0.0, timing);
    port.allowed_n(0, 8.0, timing);
    port.in_force(0, 1.0);
    port.book(10'000'000, -0.005, 0.0, timing);
    double force_n = 1.0;
    int ticks = 0;
    for (std::int64_t at_ns = 10'000'000; force_n > 1e-3 && ticks < 1000; at_ns += kTick_ns, ++ticks) {
        force_n = port.allowed_n(at_ns, 8.0, timing);
        port.in_force(at_ns, force_n);
    }
    EXPECT_GT(ticks, 5);
    EXPECT_LT(ticks, 60);
}

TEST(PartPort, AJumpIsNoFriction) {
    PartPort port;
    const PortTiming timing{0.24, 0.02, 1e-3, 0};
    port.book(0, 0.0, 0.0, timing);
    port.allowed_n(0, 8.0, timing);
    port.book(10'000'000, 0.5, 0.0, timing);
    EXPECT_EQ(port.account_j(), 0.0);
    port.book(20'000'000, std::numeric_limits<double>::quiet_NaN(), 0.0, timing);
    EXPECT_EQ(port.allowed_n(20'000'000, 8.0, timing), 0.0);
}

// Shares by depth are not the gradient of a potential: pads that circle in each other's depth could gain energy.
double gained_j(bool watched, double direction) {
    scenes::ForceLoop loop;
    DeviceLimits device;
    HandPort port(device);
    scenes::HapticFrame frame;
    frame.period_ns = kTick_ns;
    frame.hands[1].present = true;
    for (const std::size_t bone : {6U, 7U}) {
        scenes::PadSurfaces& pad = frame.hands[1].pads[bone];
        pad.valid = true;
        pad.radius_m = 0.008F;
        for (const scenes::SurfacePiece& piece : scenes::sheet(0.05F, 1))
            pad.pieces[static_cast<std::size_t>(pad.count++)] = piece;
    }
    frame.hands[1].pads[6].center_m.x() = 0.02F;
    scenes::ForceSettings settings;
    tracking::PerSide<scenes::HandForces> felt;
    double gained_j = 0.0;
    std::array<double, 2> before_m{}, held_n{};
    for (int i = 0; i < 20'200; ++i) {
        const double phase = direction * 2.0 * 3.14159265 * (i - 200) / 1000.0;
        const double ramp = std::clamp((i - 200) / 1000.0, 0.0, 1.0), in = std::min(1.0, i / 200.0);
        const std::array<double, 2> depth_m = {-0.001 + 0.003 * in + 0.001 * ramp * std::cos(phase),
                                               -0.001 + 0.004 * in + ramp * 0.001 * std::sin(phase) + 0.001 * ramp};
        const std::int64_t at_ns = (i + 1) * kTick_ns;
        for (std::size_t pad = 0; pad < 2; ++pad) {
            const double way_m = i == 0 ? 0.0 : -(depth_m[pad] - before_m[pad]);
            const double share =
                std::max(depth_m[pad], 0.0) / std::max(1e-9, std::max(depth_m[0], 0.0) + std::max(depth_m[1], 0.0));
            gained_j += held_n[pad] * way_m - share * device.damping_n_s_per_m * way_m * way_m / kTick_s;
            before_m[pad] = depth_m[pad];
            frame.hands[1].pads[6 + pad].center_m.y() = static_cast<float>(0.008 - depth_m[pad]);
        }
        ++frame.number;
        port.sample(at_ns, at_ns, frame.hands[1], felt[1]);
        felt = scenes::render(loop, frame, at_ns, kTick_s, settings);
        HandRequest request{};
        const double asked_n = felt[1].parts[1].force_n.norm();
        request[1].force_n = static_cast<float>(asked_n);
        const double allowed_n = static_cast<double>(port.allowed(at_ns, request)[1]);
        const double share = watched && asked_n > allowed_n ? allowed_n / asked_n : 1.0;
        HapticCommand command;
        command.parts[1].force = static_cast<float>(share * asked_n) / device.max_force_n;
        port.sent(at_ns, command);
        for (std::size_t pad = 0; pad < 2; ++pad) held_n[pad] = share * felt[1].pads[6 + pad].force_n.y();
    }
    return gained_j;
}

TEST(HandPort, PadsThatTakeTurnsGainNothing) {
    double bare_j = 0.0;
    for (const double direction : {1.0, -1.0}) {
        bare_j = std::max(bare_j, gained_j(false, direction));
        EXPECT_LE(gained_j(true, direction), 1e-5);
    }
    EXPECT_GT(bare_j, 1e-4) << "without the account one of the two directions gains";
}

// --- in a closed loop ---

struct Network {
    double tracker_hz, latency_s;
    float commands_per_s;
};

TEST(ClosedLoop, GivesNoMoreThanItTookAndDoesNotOscillate) {
    for (const Network& network : {Network{1000.0, 0.0, 1000.0F}, Network{90.0, 0.015, 1000.0F},
                                   Network{60.0, 0.060, 90.0F}, Network{1000.0, 0.015, 250.0F}}) {
        DeviceLimits device;
        device.commands_per_s = network.commands_per_s;
        int felt = 0;
        for (const ClosedLoop& cell : finger_cells({network.tracker_hz, network.latency_s}, device, true)) {
            const ClosedLoopResult result = run_closed_loop(cell);
            EXPECT_LE(result.released_j, 1.01 * result.absorbed_j + 1e-7)
                << network.tracker_hz << " Hz: " << text_of(cell);
            EXPECT_LE(result.max_net_j, 1e-6) << network.tracker_hz << " Hz: " << text_of(cell);
            EXPECT_LE(result.out_over_in, 1.01) << network.tracker_hz << " Hz: " << text_of(cell);
            EXPECT_LE(result.oscillation_m, 5e-4) << network.tracker_hz << " Hz: " << text_of(cell);
            felt += result.max_force_n > 0.01 ? 1 : 0;
        }
        EXPECT_GT(felt, 20);
    }
}

// The stiffness that a user feels: above zero, and higher the sooner samples arrive.
TEST(ClosedLoop, AFingerGetsTheStiffnessThatRateAndLatencyAllow) {
    for (const Network& network : {Network{1000.0, 0.0, 1000.0F}, Network{250.0, 0.0, 1000.0F},
                                   Network{90.0, 0.0, 1000.0F}, Network{90.0, 0.015, 1000.0F}}) {
        ClosedLoop loop;
        loop.tracker = {network.tracker_hz, network.latency_s};
        loop.device.commands_per_s = network.commands_per_s;
        PortTiming timing = HandPort(loop.device).timing();
        timing.window_s = network.latency_s + 1.0 / network.tracker_hz + timing.hold_s;
        const double stiffness = run_closed_loop(loop).stiffness_n_per_m(), most = passive_stiffness_n_per_m(timing);
        EXPECT_GT(stiffness, 0.7 * most) << network.tracker_hz;
        EXPECT_LT(stiffness, 1.2 * most) << network.tracker_hz;
    }
}

// The negative control: a device whose entry claims a hundred times its real friction.
TEST(ClosedLoop, WithoutTheAccountItThrowsBackAndOscillates) {
    ClosedLoop loop;
    loop.tracker = {90.0, 0.015};
    loop.device.damping_n_s_per_m = 30.0;
    loop.finger = {0.05, 250.0, 2.0};
    const ClosedLoopResult pressed = run_closed_loop(loop);
    EXPECT_GT(pressed.oscillation_m, 0.02);
    EXPECT_GT(pressed.released_j, 3.0 * pressed.absorbed_j);
    loop.task = FingerTask::throw_at;
    loop.speed_m_s = 1.0;
    EXPECT_GT(run_closed_loop(loop).out_over_in, 5.0);
}

TEST(ClosedLoop, ADevicesOwnLatencyIsInTheAccount) {
    for (const ClosedLoop& each : finger_cells({250.0, 0.0}, {}, true)) {
        ClosedLoop cell = each;
        cell.device.latency_ns = 20'000'000;
        const ClosedLoopResult result = run_closed_loop(cell);
        EXPECT_LE(result.max_net_j, 1e-6) << text_of(cell);
        EXPECT_LE(result.oscillation_m, 5e-4) << text_of(cell);
    }
}

TEST(ClosedLoop, NoiseOfTheTrackerIsNoIncome) {
    for (const double rate_hz : {90.0, 1000.0}) {
        ClosedLoop loop;
        loop.tracker = {rate_hz, 0.0, 5e-5};
        loop.finger = {0.1, 50.0, 0.2};
        const ClosedLoopResult result = run_closed_loop(loop);
        EXPECT_LE(result.released_j, 1.01 * result.absorbed_j + 1e-5) << rate_hz;
        EXPECT_LE(result.oscillation_m, 1e-3) << rate_hz;
    }
}

}  // namespace
}  // namespace glovebox::vr
