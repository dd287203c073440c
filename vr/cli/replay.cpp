// `glovebox replay`: replays a recording in a scene, in a window or headless.
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "recordings/load.h"
#include "recordings/log/application_facts.h"
#include "tracking/names.h"
#include "tracking/quoted.h"
#include "vr/cli/command.h"
#include "vr/cli/number_option.h"
#include "vr/cli/offset_option.h"
#include "vr/cli/options.h"
#include "vr/platform/end_on_signal.h"
#include "vr/platform/platform.h"
#include "vr/session/open_session.h"
#include "vr/session/report.h"
#include "vr/session/run.h"
#include "vr/ui/window_view.h"

namespace glovebox::vr {
namespace {

struct Replay {
    SessionSettings session;
    RecordingSettings from;
};

void check_files_of(const Replay& replay) {
    std::vector<NamedFile> read = {
        {"LOG", replay.from.recording}, {"OTHER", replay.from.other_hand},          {"--scene", replay.session.scene},
        {"--wrist", replay.from.wrist}, {"--other-wrist", replay.from.other_wrist}, {"--profile", replay.from.profile}};
    for (const auto& mesh : replay.session.hand_mesh) read.push_back({"--hand-mesh", mesh});
    check_files(read, outputs_of(replay.session), replay.session.force);
}

// Returns whether an output concerns the whole recording, and so needs all its frames, not only those watched.
bool covers_all(const SessionSettings& session) {
    return session.check || !session.contacts.empty() || !session.trace.empty() || !session.screenshot.empty();
}

// A new recording is read with its own format's options, and in its own scene if none is given; a new scene keeps the
// recording.
void switch_to(const WindowView::Next& next, RecordingSettings& from, std::string& scene) {
    scene = next.scene;
    if (next.recording.empty()) return;
    RecordingSettings other;
    other.recording = next.recording;
    other.other_hand = next.other_hand;
    other.rate = from.rate;
    other.loop = from.loop;
    from = std::move(other);
}

std::string name_of(const RecordingSettings& from) {
    return from.recording.empty() ? "flick" : from.recording;
}

// Ends the program after the user has closed the window before the recording was read.
[[noreturn]] void leave_while_opening(const Replay& replay) {
    const SessionSettings& session = replay.session;
    const bool wanted =
        session.json || !session.fail_if.empty() ||
        std::ranges::any_of(outputs_of(session), [](const NamedFile& out) { return !out.path.empty(); });
    if (wanted)
        std::fprintf(stderr, "glovebox: closed before %s was read: nothing is written\n",
                     tracking::printable(name_of(replay.from)).c_str());
    end_program(wanted ? kExitCouldNotRun : kExitFine);
}

int run_in_window(Replay& replay) {
    if (!replay.from.rate) replay.from.rate = recordings::ReplayRate{1.0};
    replay.from.loop = true;
    // Later sessions are only for viewing: the outputs belong to the first one. All this outlives the window, because
    // a session may still be opening when the user leaves.
    SessionSettings looked_at = replay.session;
    looked_at.report = looked_at.record = looked_at.deadlines = looked_at.haptics_log = std::filesystem::path();
    looked_at.haptics.clear();
    looked_at.fail_if.clear();
    looked_at.faults.clear();
    looked_at.frames = 0;
    RecordingSettings shown = replay.from;  // with `scene`, changed only if the new session opens
    std::string scene = looked_at.scene, word;
    std::unique_ptr<Session> session;
    const auto view = WindowView::open_while(
        name_of(replay.from), replay.session,
        [&replay] { return open_recording_session(replay.from, replay.session, now_ns); }, session);
    view->let_switch([&](const WindowView::Next& next) {
        RecordingSettings from = shown;
        SessionSettings settings = looked_at;
        settings.scene = scene;
        switch_to(next, from, settings.scene);
        OpenedSession opened = open_both_or_first(from, settings, now_ns);
        word = std::move(opened.word);
        if (next.not_opened > 0)
            word = "Only " +
                   std::filesystem::path(next.recording.empty() ? next.scene : next.recording).filename().string() +
                   " is open: drop one recording, or the files of its two hands.";
        shown = std::move(from);
        scene = settings.scene;
        return std::move(opened.session);
    });
    if (!session) leave_while_opening(replay);
    int exit_code = run(*session, view.get(), replay.session);
    while (auto next = view->take_next()) {
        view->forget(name_of(shown));
        if (!word.empty()) view->say(word);
        session = std::move(next);
        exit_code = std::max(exit_code, run(*session, view.get(), looked_at));
    }
    if (view->is_opening()) end_program(exit_code);
    return exit_code;
}

int run_headless(const Replay& replay) {
    const auto session = open_recording_session(replay.from, replay.session, now_ns);
    const int exit_code = run(*session, nullptr, replay.session);
    // Only the hands are replayed here; other contents of the log are listed.
    if (session->recording().format == "glove" && !replay.session.quiet && !replay.session.json)
        std::fputs(recordings::info_text(recordings::read_application_log(session->recording().path)).c_str(), stdout);
    if (replay.session.screenshot.empty()) return exit_code;
    if (const double duration_s = session->recording().duration_s(); replay.from.screenshot_at_s > duration_s)
        std::fprintf(stderr, "glovebox: --at %g: the recording ends at %.3f s; this is its last frame\n",
                     replay.from.screenshot_at_s, duration_s);
    Outputs picture;
    // Times are displayed to the millisecond: the frame displayed as 2.678 may be slightly later.
    constexpr double kShown_s = 0.0005;
    const double at_s = replay.from.screenshot_at_s;
    picture.attempt([&] { save_picture(*session, replay.session, at_s < 0.0 ? at_s : at_s + kShown_s); });
    return picture.failed && exit_code == kExitFine ? kExitCouldNotRun : exit_code;
}

int run_replay(const CLI::App& app, Replay replay) {
    SessionSettings& session = replay.session;
    refuse_options_of_files(replay.from);
    check_session_options(app, session);
    session.race = true;
    if (covers_all(session)) session.headless = true;
    if (session.headless && session.screenshot.empty() && session.size)
        throw UsageError("--size is that of a window or a --screenshot, and there is neither");
    if (!session.headless && !has_display()) {
        if (replay.from.recording.empty() && session.screenshot.empty()) {
            session.screenshot = "glovebox.png";
            if (session.report.empty()) session.report = "glovebox.json";
            std::fprintf(stderr, "glovebox: no display here: headless, writing glovebox.png and glovebox.json\n");
        }
        session.headless = true;
    }
    check_files_of(replay);
    return session.headless ? run_headless(replay) : run_in_window(replay);
}

}  // namespace

std::string check_rate(const std::string& rate) {
    try {
        recordings::parse_rate(rate);
        return {};
    } catch (const std::exception&) {
        return rate + " is not 'recorded', 'max' or a number above 0 and up to 1000, such as 0.25 or 4x";
    }
}

std::string check_fault(const std::string& spec) {
    try {
        recordings::parse_fault(spec);
        return {};
    } catch (const std::exception& error) {
        return error.what();
    }
}

std::function<int()> declare_replay(CLI::App& app) {
    const auto replay = std::make_shared<Replay>();
    RecordingSettings& from = replay->from;
    app.add_option("LOG", from.recording,
                   "recording of hands (any of `glovebox formats`), or a bundled one: " +
                       tracking::listed(tracking::names_of(recordings::sample_table())) + "; - is standard input")
        ->transform(dash_is_standard_input());
    app.add_option("OTHER", from.other_hand, "file of the other hand, where each hand has a file of its own");
    add_offset(app, from.offset_s,
               "seconds by which OTHER is later, or auto: as both hands move; without it by the clocks of both files")
        ->needs(app.get_option("OTHER"));
    app.add_option("--other-wrist", from.other_wrist, kOtherWristHelp)->needs(app.get_option("OTHER"));
    add_session_options(app, replay->session);
    app.get_option("--scene")->description(
        "built-in scene (`glovebox scenes`), a scene file or a mesh; without it the recording's own, or " +
        std::string(scenes::scene_table().front().name));
    app.get_option("--screenshot")->description("draw the frame that shows touching best as PNG");
    add_recording_options(app, from);
    app.add_option_function<std::string>(
           "--rate", [&from](const std::string& rate) { from.rate = recordings::parse_rate(rate); },
           "recorded, max, or a factor such as 0.25 (the clock changes, never the data)")
        ->check(check_rate);
    auto* loop = app.add_flag("--loop", from.loop, "start over at the end");
    app.get_option("--inject")->excludes(loop);
    app.add_option("--at", from.screenshot_at_s, "seconds into the recording: the screenshot's moment instead")
        ->check(number_from(0.0))
        ->needs(app.get_option("--screenshot"));
    app.footer(
        "Examples:\n"
        "  glovebox replay                                         the bundled flick\n"
        "  glovebox replay hand.csv --scene held-ball\n"
        "  glovebox replay take_L.csv take_R.csv                   a file for each hand\n"
        "  glovebox replay take.bvh --unit dm --scene cup.toml --headless --check\n"
        "  glovebox replay unity.bvh --axes unity                  a left-handed engine's export\n"
        "  glovebox replay hand.csv --headless --report r.json --fail-if \"total.p99_us>1000\"");
    return [replay, &app] { return run_replay(app, *replay); };
}

}  // namespace glovebox::vr
