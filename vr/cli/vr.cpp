// `glovebox vr`: live hands from a headset.
#include <algorithm>
#include <memory>

#include "collision/body/refit.h"
#include "vr/cli/command.h"
#include "vr/cli/files.h"
#include "vr/cli/number_option.h"
#include "vr/cli/picture_option.h"
#include "vr/haptics/output.h"
#include "vr/openxr/live.h"
#include "vr/session/report.h"

namespace glovebox::vr {
namespace {

// Options of outputs that nobody asked for would do nothing, and one file does not hold two logs.
void check_outputs(const CLI::App& app, const LiveSettings& settings) {
    const auto count_of = [&](std::string_view name) {
        return std::count(settings.haptics.begin(), settings.haptics.end(), name);
    };
    const auto logs = count_of("log") + count_of("log-radio");
    if (logs > 1) throw UsageError("--haptics takes one of log and log-radio, once: they write the same file");
    if (logs == 0 && app.count("--haptics-log") > 0)
        throw UsageError("--haptics-log is where the log outputs write, and there is none: add --haptics log");
    const auto gloves = count_of("opengloves");
    if (gloves > 1) throw UsageError("--haptics takes opengloves once: there is one --haptics-port");
    if (gloves == 1 && settings.haptics_port.empty())
        throw UsageError("--haptics opengloves needs the glove's port: --haptics-port /dev/ttyUSB0");
    for (const char* option : {"--haptics-port", "--haptics-baud", "--haptics-hand"})
        if (gloves == 0 && app.count(option) > 0)
            throw UsageError(std::string(option) + " is of the output opengloves: add --haptics opengloves");
}

}  // namespace

std::function<int()> declare_vr(CLI::App& app) {
    const auto settings = std::make_shared<LiveSettings>();
    LiveSettings& s = *settings;
    std::vector<std::string> methods;
    for (const collision::RefitMethod& method : collision::refit_methods()) methods.emplace_back(method.name);
    app.add_option("--scene", s.scene, "built-in scene (`glovebox scenes`), a scene file or a mesh");
    app.add_option("--method", s.method, "refit method (`glovebox methods`)")->check(CLI::IsMember(methods));
    app.add_flag("--headless", s.headless, "hands and haptics only, no pictures: beside another application");
    app.add_option("--frames", s.frames, "stop after this many frames")->check(whole_number_from(1, 1'000'000'000));
    app.add_option("--rate", s.rate_hz, "headless: frames a second (default: the display's, or 90)")
        ->check(number_from(1.0, 1000.0));
    app.add_option("--wait", s.wait_s, "seconds to wait for a headset at the start")->check(number_from(0.0, 1e6));
    app.add_option("--report", s.report, "write the report as JSON");
    app.add_option("--size", s.size, "of the window that mirrors the headset, such as 1280x720 or 3840x2160")
        ->check(check_picture_size);
    app.add_option("--hand-mesh", s.hand_mesh,
                   "draw this rigged glTF hand (25 WebXR joint names) on both sides; twice: one file for each side")
        ->allow_extra_args(false);
    app.add_option("--record", s.record, "keep samples, contacts, events, forces and state hashes in a .glove log");
    app.add_option("--haptics", s.haptics, "outputs, several with commas: " + output_names())
        ->delimiter(',')
        ->check(CLI::IsMember(output_list()));
    app.add_option("--haptics-log", s.haptics_log, "where the log outputs write (haptics.csv)");
    app.add_option("--haptics-port", s.haptics_port, "port of the OpenGloves glove that the opengloves output drives");
    app.add_option("--haptics-baud", s.haptics_baud, "its speed");
    app.add_option("--haptics-hand", s.haptics_hand, "the hand that wears it")->check(CLI::IsMember({"left", "right"}));
    app.add_option("--fail-if", s.fail_if, "exit 3 if this holds of the report, such as \"headset.frames_missed>0\"")
        ->check(check_condition);
    app.footer(
        "Examples:\n"
        "  glovebox vr\n"
        "  glovebox vr --scene held-ball --record session.glove --report session.json\n"
        "  glovebox vr --haptics controller,opengloves --haptics-port /dev/ttyUSB0 --haptics-hand left\n"
        "  glovebox vr --headless --frames 900 --fail-if \"headset.frames_missed>0\"");
    return [settings, &app] {
        check_outputs(app, *settings);
        const bool logs = std::any_of(settings->haptics.begin(), settings->haptics.end(),
                                      [](const std::string& name) { return name.starts_with("log"); });
        if (logs && settings->haptics_log.empty()) settings->haptics_log = "haptics.csv";
        check_files(
            {{"--scene", settings->scene}},
            {{"--report", settings->report}, {"--record", settings->record}, {"--haptics-log", settings->haptics_log}});
        return run_live(*settings);
    };
}

}  // namespace glovebox::vr
