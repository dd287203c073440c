// Energy output of a device's port, and the rendered stiffness, for each rate and latency of a tracker and a device.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tracking/formatted.h"
#include "vr/bench/bench.h"
#include "vr/bench/closed_loop.h"
#include "vr/bench/plot.h"
#include "vr/haptics/port.h"
#include "vr/platform/parallel.h"
#include "vr/platform/progress.h"

namespace glovebox::vr {
namespace {

using tracking::formatted;
constexpr double kMaxOut = 1.01, kMaxOscillation_m = 5e-4;
constexpr double kRounding_j = 1e-7;

struct Network {
    TrackerModel tracker;
    DeviceLimits device;
    std::vector<ClosedLoop> cells = {};
    std::vector<ClosedLoopResult> results = {};
};

std::vector<Network> networks(bool quick) {
    using Values = std::vector<double>;
    std::vector<Network> all;
    for (const double rate_hz : quick ? Values{90.0, 1000.0} : Values{60.0, 90.0, 250.0, 1000.0})
        for (const double latency_s : quick ? Values{0.0, 0.015} : Values{0.0, 0.005, 0.015, 0.030, 0.060})
            for (const double commands : quick ? Values{1000.0} : Values{90.0, 250.0, 1000.0}) {
                Network network{{rate_hz, latency_s}, {}};
                network.device.commands_per_s = static_cast<float>(commands);
                network.cells = finger_cells(network.tracker, network.device, quick);
                network.results.resize(network.cells.size());
                all.push_back(std::move(network));
            }
    return all;
}

double window_s(const Network& network) {
    return network.tracker.latency_s + 1.0 / network.tracker.rate_hz + HandPort(network.device).timing().hold_s;
}

struct Summary {
    double max_ratio = 0.0, max_net_j = 0.0, max_oscillation_m = 0.0, max_force_n = 0.0;
    double min_stiffness = std::numeric_limits<double>::max(), max_stiffness = 0.0;
    std::string worst;
    int failed = 0;
};

bool holds(const ClosedLoopResult& result) {
    return result.released_j <= kMaxOut * result.absorbed_j + kRounding_j &&
           result.oscillation_m <= kMaxOscillation_m && result.out_over_in <= kMaxOut;
}

Summary summary_of(const Network& network) {
    Summary sum;
    for (std::size_t i = 0; i < network.cells.size(); ++i) {
        const ClosedLoopResult& result = network.results[i];
        if (result.absorbed_j > 0.0) sum.max_ratio = std::max(sum.max_ratio, result.released_j / result.absorbed_j);
        sum.max_net_j = std::max(sum.max_net_j, result.max_net_j);
        sum.max_force_n = std::max(sum.max_force_n, result.max_force_n);
        if (result.oscillation_m >= sum.max_oscillation_m) sum.worst = text_of(network.cells[i]);
        sum.max_oscillation_m = std::max(sum.max_oscillation_m, result.oscillation_m);
        sum.failed += holds(result) ? 0 : 1;
        if (network.cells[i].task != FingerTask::press) continue;
        sum.min_stiffness = std::min(sum.min_stiffness, result.stiffness_n_per_m());
        sum.max_stiffness = std::max(sum.max_stiffness, result.stiffness_n_per_m());
    }
    return sum;
}

// Disables the energy account: the device's entry claims a hundred times its true friction.
void add_without(BenchResult& result) {
    struct Case {
        const char* name;
        double rate_hz, latency_s;
        float commands;
        FingerTask task;
        double speed_m_s;
    };
    constexpr std::array kCases = {Case{"90 Hz", 90.0, 0.0, 1000.0F, FingerTask::throw_at, 1.0},
                                   Case{"90 Hz, 15 ms", 90.0, 0.015, 1000.0F, FingerTask::throw_at, 1.0},
                                   Case{"90 Hz, 15 ms, radio", 90.0, 0.015, 100.0F, FingerTask::throw_at, 1.0},
                                   Case{"90 Hz, 15 ms", 90.0, 0.015, 1000.0F, FingerTask::press, 0.1}};
    for (const Case& one : kCases) {
        ClosedLoop loop;
        loop.tracker = {one.rate_hz, one.latency_s};
        loop.finger = {0.05, 250.0, 2.0};
        loop.task = one.task;
        loop.speed_m_s = one.speed_m_s;
        loop.device.commands_per_s = one.commands;
        const ClosedLoopResult with = run_closed_loop(loop);
        loop.device.damping_n_s_per_m *= 100.0;
        const ClosedLoopResult without = run_closed_loop(loop);
        for (const auto& [account, got] : {std::pair{"yes", with}, std::pair{"no", without}})
            result.rows.push_back({{"loop", one.name},
                                   {"task", text_of(loop)},
                                   {"account", account},
                                   {"released_mj", 1e3 * got.released_j},
                                   {"absorbed_mj", 1e3 * got.absorbed_j},
                                   {"speed_out_over_in", std::sqrt(got.out_over_in)},
                                   {"oscillation_mm", 1e3 * got.oscillation_m}});
    }
}

}  // namespace

BenchResult bench_port(const BenchOptions& options) {
    BenchResult result;
    std::vector<Network> all = networks(options.quick);
    Progress progress;
    Plot plot = plot_of("port_stiffness", "Stiffness that a finger gets from a device of 0.3 N s/m",
                        "latency of the tracker, ms", "N/m");
    plot.log_y = true;
    double max_ratio = 0.0, max_oscillation_m = 0.0;
    int failed = 0;
    std::size_t cells = 0;
    for (Network& network : all) {
        progress.show(formatted("port: tracker %g Hz, ", network.tracker.rate_hz) +
                      formatted("%g ms", 1e3 * network.tracker.latency_s));
        parallel_for(network.cells.size(), 2, [&network](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) network.results[i] = run_closed_loop(network.cells[i]);
        });
        const Summary sum = summary_of(network);
        result.rows.push_back(
            {{"tracker_hz", network.tracker.rate_hz},
             {"latency_ms", 1e3 * network.tracker.latency_s},
             {"commands_per_s", network.device.commands_per_s},
             {"window_ms", 1e3 * window_s(network)},
             {"cells", network.cells.size()},
             {"failed", sum.failed},
             {"given_over_taken", sum.max_ratio},
             {"net_out_mj", 1e3 * sum.max_net_j},
             {"oscillation_mm", 1e3 * sum.max_oscillation_m},
             {"felt_n_per_m", formatted("%.0f", sum.min_stiffness) + ".." + formatted("%.0f", sum.max_stiffness)},
             {"max_force_n", sum.max_force_n},
             {"max_oscillation_at", sum.worst}});
        max_ratio = std::max(max_ratio, sum.max_ratio);
        max_oscillation_m = std::max(max_oscillation_m, sum.max_oscillation_m);
        failed += sum.failed;
        cells += network.cells.size();
        if (network.device.commands_per_s == 1000.0F)
            add_point(plot, formatted("%g Hz", network.tracker.rate_hz), 1e3 * network.tracker.latency_s,
                      sum.min_stiffness);
    }
    add_without(result);
    const std::string of_cells = "in " + std::to_string(cells) + " cells";
    result.claims.push_back(judge(
        {"energy that a device gives a finger, over what it took from it", "this project's own aim", at_most(kMaxOut)},
        exact(max_ratio), of_cells));
    result.claims.push_back(judge({"oscillation of a finger in its last second", "this project's own aim",
                                   at_most(1e3 * kMaxOscillation_m, " mm")},
                                  exact(1e3 * max_oscillation_m), of_cells));
    result.check_failed = failed > 0;
    draw_if_requested(result, options, plot);
    return result;
}

}  // namespace glovebox::vr
