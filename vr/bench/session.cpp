// Overhead of the session over the bare step, and how many packets per second of a glove it can process.
//
// The same frames go through the bare functions and through the session in turn, frame by frame, so that both have the
// same caches and the same drift of the machine.
#include <algorithm>
#include <cmath>
#include <vector>

#include "recordings/load.h"
#include "scenes/placement.h"
#include "tracking/formatted.h"
#include "tracking/glove/glove_source.h"
#include "vr/bench/bench.h"
#include "vr/bench/measure.h"
#include "vr/platform/platform.h"
#include "vr/session/session.h"

namespace glovebox::vr {
namespace {

constexpr double kMaxOverhead_percent = 5.0;
constexpr double kGloveRate_hz = 1000.0, kMinHeadroom = 10.0;

scenes::Scene scene_of(const recordings::SampleRow& row) {
    scenes::Scene scene = scenes::load_scene(std::string(row.scene));
    scene.placement = scenes::Placement::recorded;
    return scene;
}

// The code of a program without a session: guard, radii, placement and step.
class BareStep {
  public:
    BareStep(const scenes::Scene& scene, const recordings::Recording& recording)
        : scene_(scene), world_(scene), recording_(recording), placement_(placement_of(recording, scene)) {}

    std::int64_t frame_ns(int frame, double dt_s) {
        const tracking::HandPair& raw = recording_.samples[static_cast<std::size_t>(frame)];
        const std::int64_t start_ns = now_ns();
        hands_.time_ns = raw.time_ns;
        for (const tracking::Side side : tracking::kSides) {
            if (!recording_.has(side)) continue;
            hands_[side].discontinuous = guards_[side].pass(raw[side], hands_[side]).discontinuous;
            tracking::fill_radii(recording_.profiles[side], hands_[side]);
        }
        scenes::place(placement_, hands_);
        const scenes::StepReport report = scenes::step(scene_, world_, hands_, dt_s);
        hash = report.state_hash;
        return now_ns() - start_ns;
    }
    void restart() {
        world_ = scenes::World(scene_);
        guards_ = {};
    }
    std::uint64_t hash = 0;

  private:
    const scenes::Scene& scene_;
    scenes::World world_;
    const recordings::Recording& recording_;
    scenes::HandPlacement placement_;
    tracking::HandPair hands_;
    tracking::PerSide<tracking::Guard> guards_;
};

Measured add_overhead(const recordings::SampleRow& row, int passes, BenchResult& result) {
    const scenes::Scene scene = scene_of(row);
    const recordings::Recording recording = row.make();
    BareStep bare(scene, recording);
    Session session(scene, recording, {}, now_ns);
    std::vector<double> bare_us, session_us, of_passes;
    bool same = true;
    for (int pass = 0; pass < passes; ++pass) {
        bare.restart();
        session.restart();
        std::vector<double> bare_pass_us, session_pass_us;
        for (int frame = 0; frame < session.frame_count(); ++frame) {
            const double dt_s = frame == 0 ? 0.0 : session.time_of(frame) - session.time_of(frame - 1);
            // The second one finds the objects in the cache, so they take turns in being first.
            double first = 0.0, second = 0.0;
            const auto run_session = [&] {
                const std::int64_t start_ns = now_ns();
                session.next();
                second = 1e-3 * static_cast<double>(now_ns() - start_ns);
            };
            if (frame % 2 == 1) run_session();
            first = 1e-3 * static_cast<double>(bare.frame_ns(frame, dt_s));
            if (frame % 2 == 0) run_session();
            same = same && bare.hash == session.pipeline.report.state_hash;
            if (pass == 0) continue;  // warms up
            bare_pass_us.push_back(first);
            session_pass_us.push_back(second);
        }
        if (pass == 0) continue;
        of_passes.push_back(100.0 * (median(session_pass_us) / median(bare_pass_us) - 1.0));
        bare_us.insert(bare_us.end(), bare_pass_us.begin(), bare_pass_us.end());
        session_us.insert(session_us.end(), session_pass_us.begin(), session_pass_us.end());
    }
    const double bare_p50 = median(bare_us), session_p50 = median(session_us);
    result.check_failed = result.check_failed || !same;
    result.rows.push_back({{"recording", row.name},
                           {"scene", row.scene},
                           {"bare_p50_us", bare_p50},
                           {"session_p50_us", session_p50},
                           {"overhead_us", session_p50 - bare_p50},
                           {"overhead", session_p50 / bare_p50 - 1.0},
                           {"same_hashes", same}});
    return median_of(of_passes, std::string(row.name));
}

// Sends a glove's packets through a pseudo-terminal, decodes, guards and steps them: CPU time of this thread.
void add_glove(int packets, BenchResult& result) {
    tracking::ByteStream glove = tracking::ByteStream::make_pty();
    tracking::GloveSettings settings;
    settings.device = glove.name();
    settings.world_from_wrist = Eigen::Translation3f(0.0F, 0.09F, 0.16F);
    auto source = std::make_unique<tracking::GloveSource>(settings);
    source->open();
    SessionOptions options;
    options.placement.emplace();
    Session session(scenes::load_scene("held-ball"), std::move(source), options, now_ns);
    std::vector<double> cost_us;
    std::uint64_t touching = 0;
    for (int i = 0; i < packets; ++i) {
        const int curl = 2048 + static_cast<int>(1800.0 * std::sin(0.01 * i));
        glove.write(tracking::formatted("A%dB%dC%dD%dE%d\n", curl, curl, curl, curl, curl));
        const std::int64_t start_ns = thread_cpu_ns();
        while (!session.next()) session.source->wait(now_ns() + 1'000'000);
        cost_us.push_back(1e-3 * static_cast<double>(thread_cpu_ns() - start_ns));
        touching += session.pipeline.report.counts.touching > 0 ? 1U : 0U;
    }
    const double p50_us = median(cost_us);
    const double headroom = 1e6 / kGloveRate_hz / p50_us;
    result.rows.push_back({{"glove_packets", packets},
                           {"touching", touching},
                           {"p50_us", p50_us},
                           {"packets_per_s", 1e6 / p50_us},
                           {"headroom_at_1_khz", headroom}});
    // The spread is over tenths of the run.
    std::vector<double> of_tenths;
    const std::size_t tenth = std::max<std::size_t>(1, cost_us.size() / 10);
    for (std::size_t first = 0; first + tenth <= cost_us.size(); first += tenth)
        of_tenths.push_back(1e6 / kGloveRate_hz /
                            median({cost_us.begin() + static_cast<std::ptrdiff_t>(first),
                                    cost_us.begin() + static_cast<std::ptrdiff_t>(first + tenth)}));
    result.claims.push_back(judge({"a glove at 1 kHz leaves a core ten times as much as it takes",
                                   "this project's own aim", at_least(kMinHeadroom, "x")},
                                  median_of(of_tenths),
                                  text("%.1f us a packet, touching in %.0f %% of them", p50_us,
                                       100.0 * static_cast<double>(touching) / packets)));
}

}  // namespace

BenchResult bench_session(const BenchOptions& options) {
    BenchResult result;
    std::vector<Measured> overhead;
    for (const recordings::SampleRow& row : recordings::sample_table()) {
        if (options.quick && row.name != "flick" && row.name != "grasp") continue;
        overhead.push_back(add_overhead(row, options.quick ? 4 : 6, result));
    }
    result.claims.push_back(
        judge({"the session costs at most 5 % more than guard, placement and step alone, in the median",
               "this project's own aim", at_most(kMaxOverhead_percent, " %")},
              overhead));
    add_glove(options.quick ? 500 : 10'000, result);
    return result;
}

}  // namespace glovebox::vr
