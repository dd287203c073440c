// `glovebox replay`: a recording against a scene, in a window or headless.
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "collision/body/refit.h"
#include "recordings/inject.h"
#include "recordings/load.h"
#include "vr/cli/command.h"
#include "vr/cli/files.h"
#include "vr/cli/number_option.h"
#include "vr/cli/picture_option.h"
#include "vr/cli/unit_option.h"
#include "vr/haptics/output.h"
#include "vr/platform/platform.h"
#include "vr/session/load_replay.h"
#include "vr/session/replay_headless.h"
#include "vr/session/replay_window.h"
#include "vr/session/report.h"

namespace glovebox::vr {
namespace {

std::vector<std::string> method_names() {
    std::vector<std::string> names;
    for (const collision::RefitMethod& method : collision::refit_methods()) names.emplace_back(method.name);
    return names;
}

std::string fault_names() {
    std::string names;
    for (const recordings::FaultRow& row : recordings::fault_table())
        names.append(names.empty() ? "" : ", ").append(row.name);
    return names;
}

std::string sample_names() {
    std::string names;
    for (const recordings::SampleRow& row : recordings::sample_table())
        names += (names.empty() ? "" : ", ") + std::string(row.name);
    return names;
}

void check_files_of(const ReplaySettings& settings) {
    std::vector<NamedFile> read = {{"LOG", settings.recording},
                                   {"--scene", settings.scene},
                                   {"--wrist", settings.wrist},
                                   {"--profile", settings.profile}};
    for (const auto& mesh : settings.hand_mesh) read.push_back({"--hand-mesh", mesh});
    check_files(read, {{"--report", settings.report},
                       {"--contacts", settings.contacts},
                       {"--trace", settings.trace},
                       {"--record", settings.record},
                       {"--screenshot", settings.screenshot},
                       {"--haptics-log", settings.haptics.starts_with("log") && settings.haptics_log.empty()
                                             ? "haptics.csv"
                                             : settings.haptics_log},
                       {"--deadlines", settings.deadlines}});
}

void refuse_options_of_files(const ReplaySettings& settings) {
    if (!settings.wrist.empty()) expect_file(settings.recording, "--wrist");
    if (settings.unit != "auto") expect_file(settings.recording, "--unit");
    if (settings.axes != "auto") expect_file(settings.recording, "--axes");
}

int run(ReplaySettings settings) {
    refuse_options_of_files(settings);
    if (!settings.haptics_log.empty() && !settings.haptics.starts_with("log"))
        throw UsageError("--haptics-log is where the log outputs write: give --haptics log with it");
    // A condition on the force loop asks for the force loop.
    for (const std::string& condition : settings.fail_if)
        if (settings.haptics.empty() && condition.starts_with("haptic")) settings.haptics = "null";
    // What speaks of the whole recording is made from all of it, not from what somebody happened to watch.
    if (settings.check || !settings.contacts.empty() || !settings.trace.empty() || !settings.screenshot.empty())
        settings.headless = true;
    if (settings.headless && settings.screenshot.empty() && !settings.size.empty())
        throw UsageError("--size is that of a window or a --screenshot, and there is neither");
    // What faults must not do to the force loop can only be seen with one.
    if (settings.haptics.empty() && !settings.inject.empty()) settings.haptics = "null";
    if (settings.haptics.empty() && !settings.deadlines.empty()) settings.haptics = "null";
    if (!settings.headless && !has_display()) {
        if (settings.recording.empty() && settings.screenshot.empty()) {
            settings.screenshot = "glovebox.png";
            if (settings.report.empty()) settings.report = "glovebox.json";
            std::fprintf(stderr, "glovebox: no display here: headless, writing glovebox.png and glovebox.json\n");
        }
        settings.headless = true;
    }
    check_files_of(settings);
    if (!settings.headless) return run_in_window(settings);
    const auto replay = load_replay(settings, now_ns);
    const int exit_code = run_headless(*replay, settings);
    if (const double duration_s = replay->recording.duration_s();
        !settings.screenshot.empty() && settings.screenshot_at_s > duration_s)
        std::fprintf(stderr, "glovebox: --at %g: the recording ends at %.3f s; this is its last frame\n",
                     settings.screenshot_at_s, duration_s);
    Outputs picture;
    if (!settings.screenshot.empty()) picture.attempt([&] { save_picture(*replay, settings); });
    return picture.failed && exit_code == kExitFine ? kExitCouldNotRun : exit_code;
}

}  // namespace

std::string check_rate(const std::string& rate) {
    if (rate == "recorded" || rate == "max") return {};
    try {
        std::size_t read = 0;
        const double speed = std::stod(rate, &read);
        const std::string unit = rate.substr(read);
        if ((unit.empty() || unit == "x") && speed > 0.0 && speed <= 1000.0) return {};
    } catch (const std::exception&) {
    }
    return rate + " is not 'recorded', 'max' or a number above 0 and up to 1000, such as 0.25 or 4x";
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
    const auto settings = std::make_shared<ReplaySettings>();
    ReplaySettings& s = *settings;
    app.add_option("LOG", s.recording,
                   "recording of hands (any of `glovebox formats`), or a bundled one: " + sample_names());
    app.add_option("--scene", s.scene,
                   "built-in scene (`glovebox scenes`), a scene file or a mesh; without it the recording's own, or " +
                       std::string(scenes::scene_table().front().name));
    app.add_option("--hand", s.hand, "which hand")->check(CLI::IsMember({"left", "right", "both"}));
    app.add_option("--method", s.method, "refit method (`glovebox methods`)")->check(CLI::IsMember(method_names()));
    app.add_flag("--headless", s.headless, "no window: print a table");
    app.add_option("--rate", s.rate, "recorded, max, or a factor such as 0.25 (the clock changes, never the data)")
        ->check(check_rate);
    app.add_option("--frames", s.frames, "stop after this many frames")->check(whole_number_from(1, 1'000'000'000));
    auto* loop = app.add_flag("--loop", s.loop, "start over at the end");
    app.add_option("--unit", s.unit, "length of the file's unit: m, dm, cm, mm, metres as a number, or auto")
        ->check(check_unit_or_auto);
    app.add_option("--axes", s.axes, "which way the file's axes point, its objects' too: " + tracking::axes_names())
        ->check(check_axes);
    app.add_option("--wrist", s.wrist, "file with the motion of the wrist, for recordings relative to it");
    app.add_option("--profile", s.profile, "the user's profile (`glovebox calibrate`), or a CyberGlove calibration");
    app.add_flag("--check", s.check, "every frame through every method; exit 3 if two disagree");
    app.add_option("--report", s.report, "write the report as JSON");
    app.add_option("--contacts", s.contacts, "write every contact of every frame as CSV");
    app.add_option("--trace", s.trace, "write stage times for ui.perfetto.dev");
    app.add_option("--hand-mesh", s.hand_mesh,
                   "draw this rigged glTF hand (25 WebXR joint names) on both sides; twice: one file for each side")
        ->allow_extra_args(false);
    app.add_option("--record", s.record, "keep samples, contacts, events, forces and state hashes in a .glove log");
    app.add_option("--screenshot", s.screenshot, "draw the frame that shows touching best as PNG")
        ->check(check_picture_path);
    app.add_option("--at", s.screenshot_at_s, "seconds into the recording: the screenshot's moment instead")
        ->check(number_from(0.0));
    app.add_option("--size", s.size, "of the window or the screenshot, such as 1280x720 or 3840x2160")
        ->check(check_picture_size);
    app.add_option("--haptics", s.haptics, "render forces at 1 kHz and send them to an output: " + output_names())
        ->check(CLI::IsMember(output_list()));
    app.add_option("--haptics-log", s.haptics_log, "where the log outputs write (haptics.csv)");
    app.add_option("--inject", s.inject,
                   "a fault to put in, NAME[=VALUE][@START][+LENGTH], such as drop=200ms@3s; without a unit seconds "
                   "and metres: " +
                       fault_names() +
                       "; headless: exit 3 unless no NaN came out, haptics stopped in time and no contact is a phantom")
        ->check(check_fault)
        ->excludes(loop);
    app.add_option("--stop-within", s.stop_within_ms, "with --inject: ms after which forces must be off (150)")
        ->check(number_above(0.0, 1e6));
    app.add_option("--deadlines", s.deadlines, "draw the force loop's deadline ledger as SVG");
    app.add_option("--fail-if", s.fail_if, "exit 3 if this holds of the report, such as \"total.p99_us>2000\"")
        ->check(check_condition);
    app.get_option("--at")->needs(app.get_option("--screenshot"));
    app.get_option("--stop-within")->needs(app.get_option("--inject"));
    app.get_option("--haptics-log")->needs(app.get_option("--haptics"));
    app.footer(
        "Examples:\n"
        "  glovebox replay                                         the bundled flick\n"
        "  glovebox replay hand.csv --scene held-ball\n"
        "  glovebox replay take.bvh --unit dm --scene cup.toml --headless --check\n"
        "  glovebox replay unity.bvh --axes unity                  a left-handed engine's export\n"
        "  glovebox replay hand.csv --headless --report r.json --fail-if \"total.p99_us>1000\"");
    return [settings] { return run(*settings); };
}

}  // namespace glovebox::vr
