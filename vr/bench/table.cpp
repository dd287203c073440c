#include <algorithm>
#include <array>

#include "vr/bench/bench.h"
#include "vr/bench/skin.h"
#include "vr/cli/bench.h"
#include "vr/platform/progress.h"

namespace glovebox::vr {
namespace {

constexpr std::array kBenches = {
    Bench{"broad-phase",
          "which of many moving bodies may touch: every broad phase, a slope of rocks, space-time bounds, peers",
          bench_broad_phase},
    Bench{"chains", "the paper's tables 1 to 4: jointed chains, every refit method, published figures beside",
          bench_chains, nullptr, false},
    Bench{"hand", "the paper's table 5: a hand that flicks a ball, every refit method, published figures beside",
          bench_hand},
    Bench{"growth", "1 to 1000 hands, 100 to 1,000,000 triangles, hands against themselves and each other",
          bench_growth, nullptr, false},
    Bench{"fitters", "fitting boxes: the genetic paper's tables and figures, refit, stored trees", bench_fitters,
          fitters_sections},
    Bench{"obbtree", "the OBBTree paper's experiments: overlap race, tightness, close proximity, cost", bench_obbtree,
          obbtree_sections, false},
    Bench{"curl-limit", "how far each finger can close: cost beside a room scan, agreement with dense sampling",
          bench_curl_limit},
    Bench{"frame", "does CAB pay when there is a tree to descend? whole frames, every refit method", bench_frame,
          frame_sections},
    Bench{"filters", "the One-Euro filter and the prediction on recordings: lag, jitter, error ahead", bench_filters},
    Bench{"peers", "Glovebox beside FCL, Bullet and other installed libraries, on identical inputs, in one process",
          bench_peers},
    Bench{"port", "a finger, a device and a tracker in closed loop: energy, oscillation, the stiffness that is felt",
          bench_port, nullptr, false},
    Bench{"recordings", "the recorder beside a session, an hour's log, and large files read", bench_recordings},
    Bench{"replay", "whole frames per second of a headless replay, per refit method", bench_replay},
    Bench{"session", "what the session costs beside the bare step, and a glove at 1 kHz", bench_session, nullptr,
          false},
    Bench{"skin", "the bones' round cones against the skin of a wearer (HOT3D): distance, and what both touch",
          bench_skin},
    Bench{"clips", "motion clips against each other: the crowd, long clips, tree variants, recorded hands",
          bench_clips},
    Bench{"touch-search", "ten hours of recordings searched by touch, against replaying them", bench_touch_search,
          nullptr, false},
    Bench{"traversal", "orders, descents, fronts, deadlines and updates on demand of trees against trees",
          bench_traversal, nullptr, false},
    Bench{"volumes", "bounding volumes: tightness against cost, t = n_v c_v + n_p c_p + n_u c_u", bench_volumes},
    Bench{"soak", "two hands, a room scan, twenty loose objects and faults: does the force loop keep 1 kHz",
          bench_soak},
};

static_assert(std::ranges::equal(kBenches, kBenchNames, {}, &Bench::name), "kBenchNames has the names of the table");

}  // namespace

std::span<const Bench> bench_table() {
    return kBenches;
}

void begin_part(BenchResult& result, std::string title, std::string summary) {
    result.parts.push_back(
        {std::move(title), std::move(summary), result.rows.size(), result.figures.size(), result.claims.size()});
}

BenchResult run_sections(const BenchOptions& options, std::span<const BenchSection> sections) {
    BenchResult result;
    Progress progress;
    for (const BenchSection& section : sections) {
        if (!options.only.empty() && options.only != section.name) continue;
        progress.show(std::string(section.name) + ": " + std::string(section.summary));
        begin_part(result, std::string(section.name), std::string(section.summary));
        section.run(options, result);
    }
    return result;
}

}  // namespace glovebox::vr
