#include "vr/session/run.h"

#include <cstdio>

#include "collision/body/refit.h"
#include "recordings/output.h"
#include "recordings/parse.h"
#include "tracking/quoted.h"
#include "vr/platform/end_on_signal.h"
#include "vr/platform/platform.h"
#include "vr/platform/progress.h"
#include "vr/session/exit_codes.h"
#include "vr/session/hands_between_frames.h"
#include "vr/session/report.h"

namespace glovebox::vr {
namespace {

// Maximum time of computing frames before the view is drawn again, if there are more frames than it can draw.
constexpr std::int64_t kPicture_ns = 25'000'000;
constexpr std::int64_t kPoll_ns = 50'000'000;     // between checks for signals, without a view
constexpr std::int64_t kLivePoll_ns = 4'000'000;  // between polls of a live source, within one picture
constexpr std::int64_t kSecond_ns = 1'000'000'000;

// "index distal on ball, thumb distal on ball"
std::string touching_text(const Session& session) {
    std::string text;
    for (const scenes::HandState& hand : session.pipeline.world.hands)
        for (const collision::Contact& contact : hand.contacts) {
            if (!hand.present || contact.distance_m > session.scene.thresholds.touch_enter_m) continue;
            text += (text.empty() ? "" : ", ") + pair_text(session.scene, contact.bone, contact.object);
        }
    return text.empty() ? "touches nothing" : text;
}

// Prints a line per second for a live session without a view.
class StatusLine {
  public:
    explicit StatusLine(bool shown) : shown_(shown) {}
    void at(const Session& session, std::int64_t now_ns) {
        if (!shown_ || now_ns - last_ns_ < kSecond_ns) return;
        last_ns_ = now_ns;
        std::printf("%5lld s  %s  %s  %s\n", static_cast<long long>((now_ns - start_ns_) / kSecond_ns),
                    recordings::counted(session.totals.frames, "frame").c_str(),
                    std::string(tracking::name_of(session.source->status().state)).c_str(),
                    tracking::printable(touching_text(session)).c_str());
        std::fflush(stdout);
    }

  private:
    bool shown_;
    std::int64_t start_ns_ = now_ns(), last_ns_ = start_ns_;
};

void obey(const ViewCommands& commands, Session& session) {
    recordings::FileSource* file = session.file;
    if (commands.toggle_play) {
        const bool at_end = file != nullptr && session.frame() + 1 >= session.frame_count();
        if (at_end && (session.paused() || session.source->ended())) session.restart();
        session.set_paused(at_end ? false : !session.paused());
        if (file == nullptr) session.add_message("session", session.paused() ? "paused" : "continued", false);
    }
    session.keep_box_tests(commands.keep_box_tests);
    if (!commands.method.empty() && commands.method != session.pipeline.world.method->name) {
        if (session.between) session.between->pause();  // until the next frame: it reads the method
        session.pipeline.set_method(collision::find_refit_method(commands.method));
        session.pipeline.stats = {};  // percentiles of two methods together describe neither
    }
    if (!commands.move_wrist_m.isZero() || commands.turn_wrist_rad != 0.0F)
        session.source->move_wrist(commands.move_wrist_m, commands.turn_wrist_rad);
    if (file == nullptr) return;
    if (commands.toggle_loop) file->transport.loop = !file->transport.loop;
    if (commands.speed > 0.0) file->transport.speed = commands.speed;
    if (commands.step_frames != 0) {
        session.set_paused(true);
        session.seek(session.frame() + commands.step_frames);
    }
    if (commands.seek_s >= 0.0) session.seek(file->frame_at(commands.seek_s));
}

// Returns the exit code from conditions, checks and whether the outputs are complete.
int exit_code_of(const Session& session, const SessionSettings& settings, const nlohmann::ordered_json& report,
                 bool whole) {
    const FailIfOutcome conditions = evaluate(settings.fail_if, report);
    for (const auto& sink : session.sinks)
        if (sink && !sink->passed()) return kExitCheckFailed;
    if (conditions.any_holds) return kExitCheckFailed;
    return whole && !conditions.any_unknown ? kExitFine : kExitCouldNotRun;
}

}  // namespace

int run(Session& session, View* view, const SessionSettings& settings, bool begin) {
    const EndOnSignal end_on_signal;
    const recordings::FileSource* file = session.file;
    const bool endless = file == nullptr || (file->transport.loop && settings.frames == 0) || view != nullptr;
    const std::int64_t wanted = settings.frames > 0 ? settings.frames : file != nullptr ? file->frame_count() : 0;
    const std::int64_t start_ns = now_ns();
    const auto enough = [&] {
        const std::uint64_t frames = view != nullptr ? view->frames(session) : session.totals.frames;
        return (settings.frames > 0 && frames >= static_cast<std::uint64_t>(settings.frames)) ||
               (settings.seconds > 0.0 && 1e-9 * static_cast<double>(now_ns() - start_ns) >= settings.seconds);
    };
    {
        Progress progress("frame", file != nullptr && view == nullptr && !endless ? wanted : 0, !settings.quiet);
        StatusLine status(file == nullptr && view == nullptr && !settings.quiet && !settings.json);
        while (begin && !end_requested() && !enough()) {
            const std::int64_t poll_ns = view == nullptr ? kPoll_ns : file == nullptr ? kLivePoll_ns : 0;
            session.source->wait(now_ns() + poll_ns);
            const std::int64_t picture_due_ns = now_ns() + (view == nullptr ? kPoll_ns : kPicture_ns);
            while (!enough() && !end_requested() && session.next()) {
                if (view != nullptr) view->frame_done(session);
                if (view == nullptr && file != nullptr) progress.at(static_cast<std::int64_t>(session.totals.frames));
                if (now_ns() > picture_due_ns) break;
            }
            session.print_notices();
            if (session.haptics) {
                session.haptics->set_unfocused(!session.source->focused());
                session.haptics->service();
            }
            if (session.source->ended() && (view == nullptr || view->ends_with_source())) break;
            if (view != nullptr) {
                const ViewCommands commands = view->show(session);
                if (commands.quit || !view->open()) break;
                obey(commands, session);
            } else {
                status.at(session, now_ns());
            }
        }
    }
    const bool cut_short = !endless && static_cast<std::int64_t>(session.totals.frames) < wanted && end_requested();
    if (cut_short)
        std::fprintf(stderr, "glovebox: stopped after %s\n",
                     recordings::counted(session.totals.frames, "frame").c_str());

    const std::string& failure = session.source->status().failure;
    if (!failure.empty()) std::fprintf(stderr, "glovebox: %s\n", tracking::printable(failure).c_str());

    // If a report or JSON goes to standard output, text for people goes to standard error.
    std::FILE* const out =
        settings.json || settings.quiet || recordings::is_standard_output(settings.report) ? stderr : stdout;
    Outputs outputs;
    session.between.reset();
    const bool haptics_stopped = !session.haptics || session.haptics->stop();
    if (session.haptics) session.haptics->service();
    auto report = report_json(session);
    const bool log_complete = finish_log(session.log.get(), out);
    const bool sinks_whole = session.finish(report);
    if (view != nullptr) view->finish(session, report);
    outputs.attempt([&] {
        if (session.haptics && !settings.deadlines.empty()) draw_ledger(session, settings.deadlines);
    });
    if (settings.json) std::fprintf(stdout, "%s\n", text_of(report, 2).c_str());
    if (!settings.quiet && !settings.json) {
        std::string text = report_text(report, settings.verbose);
        for (const auto& sink : session.sinks)
            if (sink) text += tracking::printable_lines(sink->text());
        if (view != nullptr) text += tracking::printable_lines(view->text());
        std::fputs(text.c_str(), out);
    }
    outputs.attempt([&] {
        if (!settings.report.empty()) write_json(settings.report, report);
    });
    return exit_code_of(
        session, settings, report,
        log_complete && haptics_stopped && sinks_whole && !outputs.failed && !cut_short && failure.empty());
}

}  // namespace glovebox::vr
