// Whole frames per second of a headless replay on one thread: the number that a user of `--rate max` sees.
#include <algorithm>
#include <vector>

#include "recordings/load.h"
#include "vr/bench/bench.h"
#include "vr/bench/measure.h"
#include "vr/platform/platform.h"
#include "vr/session/session.h"

namespace glovebox::vr {
BenchResult bench_replay(const BenchOptions& options) {
    // One replay per method, run in turn in every round, so that drift of the machine affects all alike.
    struct Entry {
        std::string_view name;
        std::unique_ptr<Session> replay;
        std::vector<double> frames_per_s;
    };
    std::vector<Entry> entries;
    for (const collision::RefitMethod& method : collision::refit_methods()) {
        SessionOptions replay_options;
        replay_options.method = &method;
        recordings::Recording recording =
            options.files.empty() ? recordings::sample_table().front().make() : recordings::load(options.files.front());
        entries.push_back(
            {method.name,
             std::make_unique<Session>(scenes::load_scene(std::string(scenes::scene_table().front().name)),
                                       std::move(recording), replay_options, now_ns),
             {}});
    }
    const int rounds = options.quick ? 2 : 15;
    for (int round = 0; round <= rounds; ++round) {
        for (Entry& entry : entries) {
            entry.replay->restart();
            const std::int64_t start_ns = now_ns();
            int frames = 0;
            while (entry.replay->next()) ++frames;
            if (round > 0)  // the first warms up
                entry.frames_per_s.push_back(1e9 * frames / static_cast<double>(now_ns() - start_ns));
        }
    }

    BenchResult result;
    for (const Entry& entry : entries) {
        const auto [low, high] = std::minmax_element(entry.frames_per_s.begin(), entry.frames_per_s.end());
        result.rows.push_back(
            {{"method", entry.name},
             {"frames_per_s", median(entry.frames_per_s)},
             {"min", *low},
             {"max", *high},
             {"total_p50_us", entry.replay->pipeline.stats[scenes::Stage::total].percentile_us(0.5)},
             {"total_p99_us", entry.replay->pipeline.stats[scenes::Stage::total].percentile_us(0.99)}});
    }
    result.claims.push_back(
        judge({"a headless replay of table-and-ball with cab does 20,000 frames a second on one thread",
               "this project's own aim", at_least(20000, " frames/s")},
              median_of(entries.front().frames_per_s)));
    return result;
}

}  // namespace glovebox::vr
