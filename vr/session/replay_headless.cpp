#include "vr/session/replay_headless.h"

#include <chrono>
#include <cstdio>
#include <limits>
#include <thread>

#include "tracking/quoted.h"
#include "vr/cli/command.h"
#include "vr/platform/end_on_signal.h"
#include "vr/platform/platform.h"
#include "vr/session/contacts_csv.h"
#include "vr/session/report.h"
#include "vr/session/trace.h"

namespace glovebox::vr {
namespace {

constexpr int kMostComplaints = 10;
constexpr std::int64_t kUntilStopped = std::numeric_limits<std::int64_t>::max();

// Waits for the recording's own time, stretched by --rate; "max" never waits.
class Pace {
  public:
    explicit Pace(const std::string& rate)
        : speed_(rate.empty() || rate == "max" ? 0.0
                 : rate == "recorded"          ? 1.0
                                               : std::stod(rate)) {}

    void wait_for(double time_s) const {
        if (speed_ <= 0.0) return;
        const auto due_ns = start_ns_ + static_cast<std::int64_t>(1e9 * time_s / speed_);
        // In short sleeps: a gap may last for minutes, and whoever waits may have had enough.
        for (std::int64_t left_ns; (left_ns = due_ns - now_ns()) > 0 && !asked_to_end();)
            std::this_thread::sleep_for(std::chrono::nanoseconds(std::min<std::int64_t>(left_ns, 50'000'000)));
    }

  private:
    double speed_;
    std::int64_t start_ns_ = now_ns();
};

// Progress on a terminal for whoever waits more than a moment.
class Progress {
  public:
    explicit Progress(std::int64_t total) : total_(total), shown_(stdout_is_terminal()) {}
    ~Progress() {
        if (printed_) std::fprintf(stderr, "\r%30s\r", "");
    }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void at(std::int64_t done) {
        if (!shown_ || now_ns() - last_ns_ < 200'000'000) return;
        last_ns_ = now_ns();
        std::fprintf(stderr, "\rframe %lld", static_cast<long long>(done));
        if (total_ < kUntilStopped) std::fprintf(stderr, " of %lld", static_cast<long long>(total_));
        printed_ = true;
    }

  private:
    std::int64_t total_;
    bool shown_, printed_ = false;
    std::int64_t last_ns_ = now_ns();
};

void add_to(Trace& trace, const Replay& replay) {
    trace.add(replay.pipeline);
    if (replay.haptics) trace.add(replay.haptics->ledger());
}

std::string pairs_text(std::span<const collision::Candidate> pairs, const Replay& replay) {
    std::string text;
    for (const collision::Candidate& pair : pairs) {
        scenes::Event named;
        named.bone = pair.bone;
        named.object = pair.object;
        text += (text.empty() ? "" : ", ") + bone_text(named) + " on " + object_text(replay.scene, named);
    }
    return text.empty() ? "none" : text;
}

// Every method must find the same touching pairs as every other; brute force is what they are held against.
class MethodCheck {
  public:
    void compare(const Replay& replay) {
        const collision::RefitMethod& reference = *collision::find_refit_method("brute");
        for (const tracking::Side side : {tracking::Side::left, tracking::Side::right}) {
            const auto expected = touching_pairs(reference, replay, side);
            pairs_ += static_cast<std::int64_t>(expected.size());
            for (const collision::RefitMethod& method : collision::refit_methods()) {
                const auto found = touching_pairs(method, replay, side);
                const auto same = [](const auto& a, const auto& b) { return a.bone == b.bone && a.object == b.object; };
                if (std::equal(found.begin(), found.end(), expected.begin(), expected.end(), same)) continue;
                if (++disagreements_ <= kMostComplaints)
                    std::fprintf(stderr, "check: frame %d, %s hand: %s finds %s; brute finds %s\n", replay.frame(),
                                 std::string(tracking::name_of(side)).c_str(), std::string(method.name).c_str(),
                                 tracking::printable(pairs_text(found, replay)).c_str(),
                                 tracking::printable(pairs_text(expected, replay)).c_str());
            }
        }
    }

    bool passed() const { return disagreements_ == 0; }
    std::string summary(std::uint64_t frames) const {
        return "check: " + std::to_string(collision::refit_methods().size()) + " methods, " + std::to_string(frames) +
               " frames, " + std::to_string(pairs_) +
               " touching pairs: " + (passed() ? "all agree" : std::to_string(disagreements_) + " disagreements");
    }

  private:
    std::int64_t pairs_ = 0, disagreements_ = 0;
};

}  // namespace

int run_headless(Replay& replay, const ReplaySettings& settings) {
    const Pace pace(settings.rate);
    MethodCheck check;
    Outputs outputs;
    std::optional<ContactsCsv> contacts;
    if (!settings.contacts.empty()) contacts.emplace(settings.contacts);
    replay.pipeline.settings.rest_points = contacts.has_value();
    replay.pipeline.settings.keep_colliders = settings.check;
    std::optional<Trace> trace;
    if (!settings.trace.empty()) trace.emplace(settings.trace);

    const std::int64_t one_pass = replay.frame_count();
    const std::int64_t wanted = settings.frames > 0 ? settings.frames : one_pass;
    const std::int64_t total =
        settings.loop ? (settings.frames > 0 ? wanted : kUntilStopped) : std::min(wanted, one_pass);
    Progress progress(total);
    double passes_s = 0.0;
    const EndOnSignal end_on_signal;
    std::int64_t done = 0;
    for (; done < total && !asked_to_end(); ++done) {
        if (!replay.next()) {
            passes_s += replay.recording.duration_s();
            replay.restart();
            replay.next();
        }
        pace.wait_for(passes_s + replay.time_s());
        if (replay.faults) replay.faults->look_at(replay);
        if (settings.check) check.compare(replay);
        if (contacts && !outputs.attempt([&] { contacts->add(replay); })) contacts.reset();
        if (trace && !outputs.attempt([&] { add_to(*trace, replay); })) trace.reset();
        progress.at(done);
    }
    const bool cut_short = done < total;
    if (cut_short) std::fprintf(stderr, "glovebox: stopped after %lld frames\n", static_cast<long long>(done));
    const bool felt = !replay.haptics || replay.haptics->stop();
    outputs.attempt([&] {
        if (trace && replay.haptics) trace->add(replay.haptics->ledger());
        if (trace) trace->finish();
    });
    outputs.attempt([&] {
        if (replay.haptics && !settings.deadlines.empty()) draw_ledger(replay, settings.deadlines);
    });
    outputs.attempt([&] {
        if (contacts) contacts->finish();
    });

    const bool kept = finish_log(replay.log.get());
    auto report = report_json(replay);
    if (settings.check)
        report["check"] = {{"passed", check.passed()}, {"summary", check.summary(replay.totals.frames)}};
    if (replay.faults) report["faults"] = replay.faults->report();
    std::fputs(report_text(report).c_str(), stdout);
    if (replay.faults) std::fputs(fault_text(report["faults"]).c_str(), stdout);
    outputs.attempt([&] {
        if (!settings.report.empty()) write_json(settings.report, report);
    });

    // What runs until it is stopped was not cut short; anything else said nothing of what it did not see.
    int exit_code =
        kept && felt && !outputs.failed && (!cut_short || total == kUntilStopped) ? kExitFine : kExitCouldNotRun;
    if (settings.check) {
        std::printf("%s\n", check.summary(replay.totals.frames).c_str());
        if (!check.passed()) exit_code = kExitCheckFailed;
    }
    const FailIfOutcome conditions = look_at(settings.fail_if, report);
    if (conditions.any_unknown && exit_code == kExitFine) exit_code = kExitCouldNotRun;
    if (conditions.any_holds) exit_code = kExitCheckFailed;
    if (replay.faults && !replay.faults->holds()) exit_code = kExitCheckFailed;
    return exit_code;
}

}  // namespace glovebox::vr
