#include "vr/cli/options.h"

#include <algorithm>

#include "recordings/user_profile.h"
#include "tracking/names.h"
#include "vr/cli/command.h"
#include "vr/cli/number_option.h"
#include "vr/cli/picture_option.h"
#include "vr/cli/unit_option.h"
#include "vr/haptics/output.h"
#include "vr/session/report.h"

namespace glovebox::vr {
namespace {

using tracking::listed;
using tracking::names_of;

// Returns a parser's error message for the text, or empty. For CLI::Option::check.
template <class Parser>
auto check_by(Parser parse) {
    return [parse](const std::string& text) {
        try {
            parse(text);
            return std::string();
        } catch (const std::exception& error) {
            return std::string(error.what());
        }
    };
}

}  // namespace

CLI::Option* add_side(CLI::App& app, const std::string& name, tracking::Side& side, const std::string& help) {
    return app
        .add_option_function<std::string>(
            name,
            [&side](const std::string& text) { side = text == "left" ? tracking::Side::left : tracking::Side::right; },
            help)
        ->check(CLI::IsMember({"left", "right"}));
}

void add_session_options(CLI::App& app, SessionSettings& s) {
    app.add_option("--scene", s.scene, "built-in scene (`glovebox scenes`), a scene file or a mesh");
    app.add_option_function<std::string>(
           "--method", [&s](const std::string& name) { s.method = collision::find_refit_method(name); },
           "refit method (`glovebox methods`)")
        ->check(CLI::IsMember(names_of(collision::refit_methods())));
    app.add_flag("--headless", s.headless, "no window: print a table");
    app.add_option("--frames", s.frames, "stop after this many frames")->check(whole_number_from(1, 1'000'000'000));
    app.add_option("--seconds", s.seconds, "stop after this long; 0: not")->check(number_from(0.0, 1e9));
    app.add_flag("--check", s.check, "every frame through every method; exit 3 if two disagree");
    app.add_flag("--hand-touches", s.hand_touches, "report fingers that touch each other, and hands that do");
    app.add_flag("--race", s.race,
                 "measure the other methods too, outside of the frames' time, and recommend the fastest");
    auto* verbose = app.add_flag("-v,--verbose", s.verbose, "print every stage and the paper's counts, too");
    auto* quiet = app.add_flag("-q,--quiet", s.quiet, "print only errors");
    app.add_flag("--json", s.json, "print the report as JSON in place of the table")
        ->excludes(verbose)
        ->excludes(quiet);
    verbose->excludes(quiet);
    add_output(app, "--report", s.report, "write the report as JSON; - is standard output");
    add_output(app, "--contacts", s.contacts, "write every contact of every frame as CSV");
    add_output(app, "--trace", s.trace, "write stage times for ui.perfetto.dev");
    add_output(app, "--record", s.record, "keep samples, contacts, events, forces and state hashes in a .glove log");
    add_output(app, "--screenshot", s.screenshot, "draw a frame as PNG")->check(check_picture_path);
    app.add_option_function<std::string>(
           "--size", [&s](const std::string& text) { s.size = picture_size(text); },
           "of the window or the screenshot, such as 1280x720 or 3840x2160")
        ->check(check_picture_size);
    app.add_option("--hand-mesh", s.hand_mesh,
                   "draw this rigged glTF hand (25 WebXR joint names) on both sides; twice: one file for each side")
        ->allow_extra_args(false);
    app.add_option(
           "--haptics", s.haptics,
           "render forces at 1 kHz and send them to outputs, several with commas: " + listed(names_of(output_table())))
        ->delimiter(',')
        ->check(CLI::IsMember(names_of(output_table())));
    add_output(app, "--haptics-log", s.haptics_log, "where the log outputs write (haptics.csv)");
    app.add_option("--haptics-port", s.haptics_port, "port of the OpenGloves glove that the opengloves output drives");
    app.add_option("--haptics-baud", s.haptics_baud, "its speed");
    add_side(app, "--haptics-hand", s.haptics_side, "the hand that wears it");
    add_output(app, "--deadlines", s.deadlines, "draw the force loop's deadline histograms as SVG");
    app.add_option_function<std::vector<std::string>>(
           "--inject",
           [&s](const std::vector<std::string>& specs) {
               for (const std::string& spec : specs) s.faults.push_back(recordings::parse_fault(spec));
           },
           "a fault to put in, NAME[=VALUE][@START][+LENGTH], such as drop=200ms@3s; without a unit seconds and "
           "metres: " +
               listed(names_of(recordings::fault_table())) +
               "; headless: exit 3 unless no NaN came out, haptics stopped in time and no contact is a phantom")
        ->check(check_fault);
    app.add_option_function<double>(
           "--stop-within", [&s](double ms) { s.stop_within_s = 1e-3 * ms; },
           "with --inject: ms after which forces must be off (150)")
        ->check(number_above(0.0, 1e6))
        ->needs(app.get_option("--inject"));
    app.add_option_function<std::string>(
           "--filter", [&s](const std::string& text) { s.filter = tracking::parse_filter(text); },
           "smooth the hands before they touch: one-euro, one-euro:MINCUTOFF_HZ,BETA, or off")
        ->check(check_by(tracking::parse_filter));
    app.add_option_function<std::string>(
           "--predict", [&s](const std::string& text) { s.prediction = tracking::parse_prediction(text); },
           "draw the hands where they will be so much later, such as 20ms; contacts stay where they were tracked")
        ->check(check_by(tracking::parse_prediction));
    app.add_flag("--force", s.force, kForceHelp);
    app.add_option("--fail-if", s.fail_if,
                   "exit 3 if this condition on the report is true, such as \"total.p99_us>2000\"")
        ->check(check_condition);
}

void add_recording_options(CLI::App& app, RecordingSettings& from) {
    app.add_option_function<std::string>(
           "--hand",
           [&from](const std::string& hand) {
               from.only.reset();
               if (hand != "both") from.only = hand == "left" ? tracking::Side::left : tracking::Side::right;
           },
           "which hand")
        ->check(CLI::IsMember({"left", "right", "both"}));
    app.add_option_function<std::string>(
           "--unit", [&from](const std::string& unit) { from.unit_m = unit_in_metres(unit); },
           "length of the file's unit: m, dm, cm, mm, in, metres as a number, or auto")
        ->check(check_unit_or_auto);
    app.add_option_function<std::string>(
           "--axes",
           [&from](const std::string& axes) {
               from.axes.reset();
               if (axes != "auto") from.axes = tracking::find_axes(axes);
           },
           "which way the file's axes point, its objects' too: " + tracking::axes_names())
        ->check(check_axes);
    app.add_option("--wrist", from.wrist, kWristHelp);
    app.add_option("--profile", from.profile, "the user's profile (`glovebox calibrate`), or a CyberGlove calibration");
}

void refuse_options_of_files(const RecordingSettings& from) {
    if (!from.wrist.empty()) expect_file(from.recording, "--wrist");
    if (from.unit_m) expect_file(from.recording, "--unit");
    if (from.axes) expect_file(from.recording, "--axes");
}

CLI::Option* add_output(CLI::App& app, const std::string& name, std::filesystem::path& path, const std::string& help) {
    return app.add_option_function<std::string>(
        name, [&path](const std::string& text) { path = text == "-" ? "/dev/stdout" : text; }, help);
}

void add_glove_options(CLI::App& app, GloveOptions& options, const char* side_option) {
    add_side(app, side_option, options.settings.side, "which hand wears it");
    app.add_option("--baud", options.settings.baud, "speed of a serial port");
    app.add_option("--max-analog", options.settings.max_analog, "sensor value of a closed finger")
        ->check(number_above(0.0, 1e6));
    app.add_option("--profile", options.profile, "the wearer's profile (`glovebox calibrate`)");
}

tracking::GloveSettings glove_settings(const GloveOptions& options) {
    tracking::GloveSettings settings = options.settings;
    settings.wrist = options.wrist;
    if (!options.profile.empty()) settings.user = recordings::load_user_profile(options.profile);
    return settings;
}

void check_session_options(const CLI::App& app, SessionSettings& settings) {
    const auto count_of = [&](std::string_view name) {
        return std::count(settings.haptics.begin(), settings.haptics.end(), name);
    };
    const auto logs = count_of("log") + count_of("log-radio");
    if (logs > 1) throw UsageError("--haptics takes one of log and log-radio, once: they write the same file");
    if (logs == 0 && !settings.haptics_log.empty())
        throw UsageError("--haptics-log is where the log outputs write, and there is none: add --haptics log");
    if (count_of("opengloves") > 1) throw UsageError("--haptics takes opengloves once: there is one --haptics-port");
    for (const char* option : {"--haptics-port", "--haptics-baud", "--haptics-hand"})
        if (count_of("opengloves") == 0 && app.count(option) > 0)
            throw UsageError(std::string(option) + " is of the output opengloves: add --haptics opengloves");
    if (logs == 1 && settings.haptics_log.empty()) settings.haptics_log = "haptics.csv";
    // A condition on the force loop, its figure, and faults that must not leave a force on all need the force loop.
    const bool reads_haptics =
        !settings.deadlines.empty() || !settings.faults.empty() ||
        std::ranges::any_of(settings.fail_if, [](const auto& each) { return each.starts_with("haptic"); });
    if (settings.haptics.empty() && reads_haptics) settings.haptics = {"null"};
}

std::vector<NamedFile> outputs_of(const SessionSettings& settings) {
    return {{"--report", settings.report},         {"--contacts", settings.contacts},
            {"--trace", settings.trace},           {"--record", settings.record},
            {"--screenshot", settings.screenshot}, {"--haptics-log", settings.haptics_log},
            {"--deadlines", settings.deadlines}};
}

}  // namespace glovebox::vr
