// Soak test: two hands over a room scan and twenty loose objects, with the force loop at 1 kHz and injected faults.
//
// Checks whether the force loop misses deadlines for other reasons than the operating system. For comparison, an empty
// loop runs beside it, woken in the same way and with the same priority.
#include <algorithm>
#include <cmath>
#include <memory>
#include <thread>

#include "vr/bench/bench.h"
#include "vr/bench/soak_scene.h"
#include "vr/haptics/ledger_figure.h"
#include "vr/haptics/loop.h"
#include "vr/haptics/session.h"
#include "vr/platform/platform.h"
#include "vr/session/finite.h"
#include "vr/session/open_session.h"
#include "vr/session/pipeline.h"
#include "vr/session/report.h"

namespace glovebox::vr {
namespace {

constexpr int kSoak_s = 600, kQuickSoak_s = 4;

// Wakes every millisecond and does nothing: its missed deadlines are the operating system's.
class EmptyLoop {
  public:
    EmptyLoop() : thread_([this] { run(); }) {}
    void stop() {
        stop_ = true;
        thread_.join();
    }
    const DeadlineLedger& ledger() const { return ledger_; }  ///< after stop()

  private:
    void run() {
        make_thread_real_time();
        for (std::int64_t due_ns = now_ns() + kTick_ns; !stop_; due_ns += kTick_ns) {
            sleep_until_ns(due_ns);
            const std::int64_t start_ns = now_ns();
            ledger_.add_tick(due_ns, start_ns, now_ns());
            if (const std::int64_t late_ns = now_ns() - due_ns; late_ns > kTick_ns) {
                ledger_.skipped_ticks += static_cast<std::uint64_t>(late_ns / kTick_ns - 1);
                due_ns += (late_ns / kTick_ns - 1) * kTick_ns;
            }
        }
    }

    DeadlineLedger ledger_;
    std::atomic<bool> stop_ = false;
    std::thread thread_;
};

nlohmann::ordered_json row_of(std::string_view name, const DeadlineLedger& ledger) {
    return {{"loop", name},
            {"ticks", ledger.tick.count()},
            {"skipped", ledger.skipped_ticks},
            {"over_1ms", ledger.late_ticks[0]},
            {"tick_p50_us", ledger.tick.percentile_us(0.5)},
            {"tick_p99_us", ledger.tick.percentile_us(0.99)},
            {"tick_p999_us", ledger.tick.percentile_us(0.999)},
            {"tick_max_us", ledger.tick.max_us()},
            {"work_p99_us", ledger.work.percentile_us(0.99)},
            {"work_max_us", ledger.work.max_us()}};
}

std::uint64_t missed(const DeadlineLedger& ledger) {
    return ledger.late_ticks[0] + ledger.skipped_ticks;
}

// State and results of a run.
struct Soak {
    std::unique_ptr<HapticSession> haptics;
    std::unique_ptr<EmptyLoop> empty;
    StageStats stats;
    std::uint64_t frames = 0, touching_frames = 0, late_frames = 0, events = 0, not_finite = 0;
    std::array<std::uint64_t, tracking::kQuarantineCount> quarantined{};
};

Soak run_soak(std::int64_t frames) {
    const scenes::Scene scene = soak_scene();
    PipelineSettings settings;
    settings.profiles.fill(tracking::default_profile());
    Pipeline pipeline(scene, settings, now_ns);
    const SoakHands hands;

    Soak soak;
    soak.haptics = std::make_unique<HapticSession>(*find_output("null"), OutputOptions{}, HapticMode::threaded);
    soak.empty = std::make_unique<EmptyLoop>();
    const std::int64_t start_ns = now_ns();
    for (std::int64_t frame = 0; frame < frames; ++frame) {
        sleep_until_ns(start_ns + static_cast<std::int64_t>(1e9 * kSoakFrame_s * static_cast<double>(frame)));
        const scenes::StepReport& report = pipeline.frame(hands.at(frame), frame == 0 ? 0.0 : kSoakFrame_s);
        soak.haptics->frame(scene, pipeline.world, pipeline.hands, pipeline.stamps, kSoakFrame_s);
        pipeline.close_frame();
        soak.touching_frames += report.counts.touching > 0 ? 1 : 0;
        soak.events += report.events.size();
        const std::int64_t total_ns = pipeline.last_ns[static_cast<std::size_t>(scenes::Stage::total)];
        soak.late_frames += total_ns > static_cast<std::int64_t>(1e9 * kSoakFrame_s) ? 1 : 0;
        soak.not_finite += not_finite_in(pipeline).empty() ? 0 : 1;
    }
    soak.haptics->stop();
    soak.empty->stop();
    soak.stats = pipeline.stats;
    soak.frames = pipeline.frames;
    soak.not_finite += soak.haptics->ledger().not_finite;
    for (std::size_t i = 0; i < soak.quarantined.size(); ++i)
        soak.quarantined[i] = pipeline.guards[0].counts[i] + pipeline.guards[1].counts[i];
    return soak;
}

// Replays a recording in real time with the force loop, for the same statistics over real hands.
std::unique_ptr<Session> run_recording(const std::string& file) {
    SessionSettings settings;
    settings.haptics = {"null"};
    settings.headless = true;
    RecordingSettings from;
    from.recording = file;
    from.rate = recordings::ReplayRate{1.0};
    auto session = open_recording_session(from, settings, now_ns);
    while (!session->source->ended())
        if (!session->next()) session->source->wait(now_ns() + 10'000'000);
    session->haptics->stop();
    return session;
}

// Two equal loops differ by chance too: the spread is three standard deviations of that difference.
Claim misses_claim(const DeadlineLedger& force, const DeadlineLedger& nothing) {
    const auto ours = static_cast<double>(missed(force)), beside = static_cast<double>(missed(nothing));
    const double spread = 3.0 * std::sqrt(ours + beside);
    return judge({"the force loop misses no deadline beyond what the operating system alone costs",
                  "this project's own aim", at_most(0, " more than the empty loop")},
                 Measured{{}, ours - beside, ours - beside - spread, ours - beside + spread},
                 std::to_string(missed(force)) + " of " + std::to_string(force.tick.count()) + " missed beside " +
                     std::to_string(missed(nothing)) + " of " + std::to_string(nothing.tick.count()) +
                     " of the empty loop");
}

}  // namespace

BenchResult bench_soak(const BenchOptions& options) {
    const int seconds = options.quick ? kQuickSoak_s : kSoak_s;
    const std::int64_t frames = options.frames > 0 ? options.frames : static_cast<std::int64_t>(seconds / kSoakFrame_s);
    const Soak soak = run_soak(frames);
    const DeadlineLedger &ledger = soak.haptics->ledger(), &nothing = soak.empty->ledger();

    BenchResult result;
    result.rows = {row_of("force loop", ledger), row_of("empty loop", nothing)};
    for (int i = 0; i < scenes::kStageCount; ++i) {
        const auto stage = static_cast<scenes::Stage>(i);
        if (stage == scenes::Stage::haptics) continue;
        const DurationHistogram& histogram = soak.stats[stage];
        result.rows.push_back({{"stage", scenes::name_of(stage)},
                               {"p50_us", histogram.percentile_us(0.5)},
                               {"p99_us", histogram.percentile_us(0.99)},
                               {"max_us", histogram.max_us()}});
    }
    result.claims.push_back(misses_claim(ledger, nothing));
    const auto own = static_cast<double>(ledger.own_misses);
    const double spread = 3.0 * std::sqrt(own);
    result.claims.push_back(judge(
        {"ticks of the force loop that cost a millisecond of the processor", "this project's own aim", exactly(0)},
        Measured{{}, own, std::max(0.0, own - spread), own + spread}, "of " + std::to_string(ledger.tick.count())));
    result.claims.push_back(judge(
        {"frames with a hand, contact, event or object that is not finite, and such forces, whatever was injected",
         "this project's own aim", exactly(0)},
        exact(static_cast<double>(soak.not_finite))));
    const double expected_ticks = 1e3 * kSoakFrame_s * static_cast<double>(frames);
    result.check_failed = soak.not_finite > 0 || static_cast<double>(ledger.tick.count()) < 0.5 * expected_ticks;

    const std::string length = std::to_string(static_cast<int>(std::lround(expected_ticks * 1e-3)));
    std::string faults;
    for (std::size_t i = 0; i < soak.quarantined.size(); ++i)
        faults += (i == 0 ? "" : ", ") + std::to_string(soak.quarantined[i]) + " " +
                  std::string(tracking::name_of(static_cast<tracking::Quarantine>(i)));
    result.notes = {length + " s, " + std::to_string(soak.frames) + " frames, " + std::to_string(soak.touching_frames) +
                        " with touch, " + std::to_string(soak.events) + " events, " + std::to_string(soak.late_frames) +
                        " frames over their 11 ms; " + soak.haptics->scheduling(),
                    "quarantined: " + faults};

    if (options.figures.empty()) return result;
    std::vector<LedgerBlock> blocks;
    std::vector<std::unique_ptr<Session>> replays;
    for (const std::string& file : options.files) {
        replays.push_back(run_recording(file));
        const Session& replay = *replays.back();
        blocks.push_back({"A recording: " + std::filesystem::path(file).filename().string() + ", " +
                              std::to_string(std::lround(replay.recording().duration_s())) + " s in " +
                              replay.scene.name,
                          replay.haptics->scheduling(), &replay.haptics->ledger(), nullptr});
    }
    blocks.push_back({"The soak: two hands, 60,000 triangles, twenty loose objects, faults, " + length + " s",
                      soak.haptics->scheduling(), &ledger, &nothing});
    draw_ledgers(blocks, options.figures / "deadlines.svg");
    result.figures.push_back({"deadlines.svg", "Deadlines of the force loop and of a loop that does nothing"});
    return result;
}

}  // namespace glovebox::vr
