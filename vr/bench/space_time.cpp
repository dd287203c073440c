#include "vr/bench/space_time.h"

#include "collision/survey/space_time/wandering_bodies.h"
#include "vr/bench/measure.h"
#include "vr/bench/plot.h"

namespace glovebox::vr {

using namespace collision;

void race_space_time(const BenchOptions& options, BenchResult& result) {
    constexpr double kFrame_s = 1.0 / 90.0, kDense_s = 1.0 / 20000.0, kHorizon_s = 0.1, kNear_m = 1e-4;
    constexpr int kRounds = 3;
    Plot figure = plot_of("space-time-looks", "Space-time bounds: looks at pairs against the limit of acceleration",
                          "limit of acceleration, m/s^2", "looks / looks in every frame", true);
    std::vector<Measured> missed, tests_over_frames, time_over_frames, missed_by_frames;
    for (const double acceleration : options.quick ? std::vector{20.0, 80.0} : std::vector{5.0, 20.0, 80.0, 320.0}) {
        const WanderingBodies world({.max_acceleration_m_s2 = acceleration, .duration_s = options.quick ? 2.0 : 10.0},
                                    11);
        const double duration_s = world.settings().duration_s;
        const std::string limit = text("%g m/s^2", acceleration);
        const auto add_row = [&](std::string_view name, std::int64_t looks, std::int64_t misses, std::size_t contacts,
                                 double cpu_s) {
            result.rows.push_back({{"space-time bound", name},
                                   {"limit_m_s2", acceleration},
                                   {"looks_a_second", static_cast<double>(looks) / duration_s},
                                   {"contacts", contacts},
                                   {"missed", misses},
                                   {"us_a_second", 1e6 * cpu_s / duration_s}});
        };
        std::int64_t dense_tests = 0, frame_tests = 0;
        std::vector<TouchSpan> truth, frames;
        const double dense_s = thread_seconds([&] { truth = sample_touches(world, kDense_s, dense_tests); });
        std::vector<double> frame_s;
        for (int round = 0; round < kRounds; ++round) {
            frame_tests = 0;
            frame_s.push_back(thread_seconds([&] { frames = sample_touches(world, kFrame_s, frame_tests); }));
        }
        add_row("none, 20,000 looks a second", dense_tests, 0, truth.size(), dense_s);
        const std::int64_t lost = count_missed(truth, frames);
        add_row("none, 90 looks a second", frame_tests, lost, truth.size(), median(frame_s));
        missed_by_frames.push_back(exact(100.0 * static_cast<double>(lost) / static_cast<double>(truth.size()), limit));
        for (const SpaceTimeBound& bound : space_time_bounds()) {
            std::int64_t looks = 0;
            std::vector<TouchSpan> found;
            std::vector<double> bound_s;
            for (int round = 0; round < kRounds; ++round) {
                looks = 0;
                bound_s.push_back(thread_seconds(
                    [&] { found = follow_touches(world, bound, kFrame_s, kHorizon_s, kNear_m, looks); }));
            }
            const std::int64_t misses = count_missed(truth, found);
            add_row(bound.name, looks, misses, truth.size(), median(bound_s));
            const double over = static_cast<double>(looks) / static_cast<double>(frame_tests);
            const std::string name = std::string(bound.name) + ", " + limit;
            missed.push_back(exact(static_cast<double>(misses), name));
            tests_over_frames.push_back(exact(over, name));
            time_over_frames.push_back(ratio_of(bound_s, frame_s, name));
            add_point(figure, bound.name, acceleration, over);
            result.check_failed = result.check_failed || misses > 0;
        }
    }
    result.claims.push_back(judge({"space-time bounds are conservative: contacts of dense sampling that they miss",
                                   "none (Hubbard 1995)", exactly(0)},
                                  missed));
    result.claims.push_back(judge({"one look a frame misses contacts that begin and end between two frames",
                                   "the fixed-timestep weakness (Hubbard 1995)", at_least(1, " %")},
                                  missed_by_frames));
    result.claims.push_back(judge({"space-time bounds look at pairs less often than every frame does: looks over looks",
                                   "adaptive time steps (Hubbard 1995)", less_than(0.5, "x")},
                                  tests_over_frames));
    result.claims.push_back(
        judge({"and take less time, where a look is one distance of two balls: time over time", "-", less_than(1, "x")},
              time_over_frames));
    draw_if_requested(result, options, figure);
}

}  // namespace glovebox::vr
