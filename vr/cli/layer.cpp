// `glovebox layer`: the OpenXR API layer, which records, replays and supplies hands in any application.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "recordings/log/application_log.h"
#include "recordings/output.h"
#include "scenes/scene.h"
#include "tracking/quoted.h"
#include "vr/cli/command.h"
#include "vr/cli/files.h"
#include "vr/cli/options.h"
#include "vr/layer/layer_options.h"
#include "vr/layer/manifest.h"
#include "vr/layer/run_report.h"
#include "vr/platform/temporary_folder.h"
#include "vr/platform/tool.h"
#include "vr/session/open_recording.h"
#include "vr/session/report.h"

namespace glovebox::vr {
namespace {

using layer::Manifest;
using layer::ManifestKind;
using tracking::Side;

struct Run {
    std::filesystem::path record;
    std::string replay;
    bool loop = false;
    std::vector<std::string> glove;
    GloveOptions glove_options;
    std::string see;
    std::filesystem::path see_picture;
    std::filesystem::path report;
    std::vector<std::string> fail_if;
    bool force = false;
    std::vector<std::string> application;

    bool is_judged() const { return !report.empty() || !fail_if.empty(); }
};

struct Layer {
    bool is_explicit = false, force = false;
    Run run;
    ManifestKind kind() const { return is_explicit ? ManifestKind::explicit_layer : ManifestKind::implicit_layer; }
};

std::string shown(const std::filesystem::path& path) {
    return tracking::printable(path.string());
}

int run_install(const Layer& arguments) {
    const bool is_new = layer::install(arguments.kind(), arguments.force);
    std::printf("%s %s\n", shown(layer::manifest_of_user(arguments.kind()).file).c_str(),
                is_new ? "written" : "is there already");
    if (arguments.is_explicit)
        std::printf("on where XR_ENABLE_API_LAYERS has %s in it\n", layer::kLayerName);
    else
        std::printf("on where %s=1 is set, off again where %s is\n", layer::kEnable, layer::kDisable);
    return kExitFine;
}

int run_uninstall(const Layer& arguments) {
    const std::filesystem::path file = layer::manifest_of_user(arguments.kind()).file;
    const bool was_there = layer::uninstall(arguments.kind(), arguments.force);
    std::printf("%s %s\n", shown(file).c_str(), was_there ? "removed" : "is not there");
    return kExitFine;
}

void print_manifest(const char* name, const Manifest& manifest) {
    const char* state = !manifest.is_there                           ? "not installed"
                        : !manifest.is_ours                          ? "another layer's manifest"
                        : !std::filesystem::exists(manifest.library) ? "installed, and its library is gone"
                                                                     : "installed";
    std::printf("%-9s %s: %s\n", name, shown(manifest.file).c_str(), state);
    if (!manifest.library.empty()) std::printf("          library %s\n", shown(manifest.library).c_str());
}

void print_variable(const char* name) {
    const char* value = std::getenv(name);
    if (value != nullptr) std::printf("          %s=%s\n", name, tracking::printable(value).c_str());
}

int run_status() {
    const Manifest own = layer::manifest_of_program();
    print_manifest("program", own);
    print_manifest("implicit", layer::manifest_of_user(ManifestKind::implicit_layer));
    print_manifest("explicit", layer::manifest_of_user(ManifestKind::explicit_layer));
    std::printf("set here\n");
    for (const char* name : {layer::kEnable, layer::kDisable, "XR_ENABLE_API_LAYERS", layer::kRecord, layer::kTemporary,
                             layer::kReplay, layer::kLoop, layer::kGlove[0], layer::kGlove[1], layer::kGloveBaud,
                             layer::kGloveMaxAnalog, layer::kProfile, layer::kSee, layer::kSeePicture})
        print_variable(name);
    return kExitFine;
}

// Prepends to a variable, and keeps its old value.
void put_first(const char* variable, const std::string& value, const std::string& otherwise) {
    const char* there = std::getenv(variable);
    const std::string rest = there != nullptr && *there != '\0' ? there : otherwise;
    setenv(variable, (rest.empty() ? value : value + ":" + rest).c_str(), 1);
}

void set_or_unset(const char* variable, const std::string& value) {
    if (value.empty())
        unsetenv(variable);
    else
        setenv(variable, value.c_str(), 1);
}

// Checks options now, because the layer could only print errors among the application's output.
void check_recordings(const Run& run) {
    if (!run.record.empty()) {
        const std::filesystem::path file = recordings::file_at(run.record);
        if (std::filesystem::exists(file) && std::filesystem::file_size(file) > 0)
            throw std::runtime_error(file.string() + ": exists, and a recording replaces no file; name another file");
    }
    if (run.replay.empty() || find_bundled(run.replay) != nullptr) return;
    if (recording_format(run.replay).empty()) open_recording(run.replay);  // throws with the reason
}

// Reports a missing scene before the start. The layer reports errors inside a scene file.
void check_scene(const std::string& scene) {
    if (!scene.empty() && !std::filesystem::is_regular_file(scene)) scenes::load_scene(scene);
}

std::string absolute_text(const std::filesystem::path& path) {
    return path.empty() ? std::string() : std::filesystem::absolute(path).string();
}
// For a file, or a name.
std::string absolute_or_name(const std::string& text) {
    return std::filesystem::exists(text) ? absolute_text(text) : text;
}

// Runs the application and summarizes the layer's log of it.
int run_and_judge(const Run& run, const std::filesystem::path& log) {
    layer::RunFacts facts;
    facts.application = run.application;
    facts.exit_code = run_and_wait(run.application);
    Outputs outputs;
    if (std::filesystem::exists(log)) outputs.attempt([&] { facts.log = recordings::read_application_log(log); });
    facts.replay = run.replay;
    if (!run.replay.empty() && std::filesystem::exists(run.replay)) {
        recordings::ApplicationLog recorded = recordings::read_application_log(run.replay);
        if (!recorded.is_empty()) facts.recorded = std::move(recorded);
    }
    const nlohmann::ordered_json report = layer::report_of(facts);
    std::fputs(layer::text_of_run(facts).c_str(), stderr);
    if (!run.report.empty()) outputs.attempt([&] { write_json(run.report, report); });
    const FailIfOutcome conditions = evaluate(run.fail_if, report);
    if (facts.exit_code != 0) return facts.exit_code;
    if (conditions.any_holds) return kExitCheckFailed;
    return outputs.failed || conditions.any_unknown ? kExitCouldNotRun : kExitFine;
}

int run_application(const Run& run) {
    if (run.glove.size() > 2) throw UsageError("--glove: there are two hands");
    if (!run.replay.empty() && !run.glove.empty())
        throw UsageError("--replay and --glove: hands come from one or the other");
    if (run.loop && run.replay.empty()) throw UsageError("--loop needs --replay");
    check_files({{"--replay", run.replay}, {"--see", run.see}},
                {{"--record", run.record}, {"--report", run.report}, {"--see-picture", run.see_picture}});
    check_files({}, {{"--report", run.report}, {"--see-picture", run.see_picture}}, run.force);
    check_recordings(run);
    check_scene(run.see);
    glove_settings(run.glove_options);  // throws if the profile is invalid
    const Manifest own = layer::manifest_of_program();

    // Enable the layer by name and not through the user's manifest, so that it is active once, installed or not.
    put_first("XDG_DATA_DIRS", layer::data_folder_of_program().string(), "/usr/local/share:/usr/share");
    // If this variable is set, the loader looks for layers in its folders only.
    if (const char* path = std::getenv("XR_API_LAYER_PATH"); path != nullptr && *path != '\0')
        put_first("XR_API_LAYER_PATH", own.file.parent_path().string(), {});
    const char* others = std::getenv("XR_ENABLE_API_LAYERS");
    if (others == nullptr || std::string(others).find(layer::kLayerName) == std::string::npos)
        put_first("XR_ENABLE_API_LAYERS", layer::kLayerName, {});
    setenv(layer::kDisable, "1", 1);
    std::optional<TemporaryFolder> temporary;  // for a log that only the report needs
    if (run.is_judged() && run.record.empty()) temporary.emplace();
    const std::filesystem::path log = temporary ? temporary->path / "run.glove" : run.record;
    set_or_unset(layer::kRecord, absolute_text(log));
    set_or_unset(layer::kTemporary, temporary ? "1" : "");
    set_or_unset(layer::kReplay, absolute_or_name(run.replay));
    set_or_unset(layer::kLoop, run.loop ? "1" : "");
    const tracking::GloveSettings& glove = run.glove_options.settings;
    const Side other = glove.side == Side::left ? Side::right : Side::left;
    set_or_unset(layer::kGlove[glove.side], run.glove.empty() ? "" : run.glove[0]);
    set_or_unset(layer::kGlove[other], run.glove.size() < 2 ? "" : run.glove[1]);
    set_or_unset(layer::kGloveBaud, run.glove.empty() ? "" : std::to_string(glove.baud));
    set_or_unset(layer::kGloveMaxAnalog, run.glove.empty() ? "" : std::to_string(glove.max_analog));
    set_or_unset(layer::kProfile, absolute_text(run.glove_options.profile));
    set_or_unset(layer::kSee, absolute_or_name(run.see));
    set_or_unset(layer::kSeePicture, absolute_text(run.see_picture));
    if (run.is_judged()) return run_and_judge(run, recordings::file_at(log));
    become(run.application);
}

}  // namespace

std::function<int()> declare_layer(CLI::App& app) {
    const auto arguments = std::make_shared<Layer>();
    Run& run = arguments->run;
    CLI::App* install = app.add_subcommand("install", "for this user, no rights needed: on by an environment variable");
    CLI::App* uninstall = app.add_subcommand("uninstall", "remove the manifest");
    for (CLI::App* each : {install, uninstall}) {
        each->add_flag("--explicit", arguments->is_explicit, "as a layer that is asked for by name");
        each->add_flag("--force", arguments->force, "also where the manifest is not of this program's layer");
    }
    install->footer("Examples:\n  glovebox layer install\n  glovebox layer install --explicit");
    uninstall->footer("Example:\n  glovebox layer uninstall");
    CLI::App* status = app.add_subcommand("status", "what is installed, and what this shell's variables ask for");
    status->footer("Example:\n  glovebox layer status");
    CLI::App* application = app.add_subcommand("run", "an application under the layer, installed or not");
    add_output(*application, "--record", run.record, "log (.glove) of hands, controllers, head and frame times");
    application->add_option("--replay", run.replay,
                            "recording, or the name of a bundled one, in place of the device's hands");
    application->add_flag("--loop", run.loop, "the replay begins again at its end");
    application
        ->add_option("--glove", run.glove, "a glove (as in `glovebox live`) in the hand; a second one in the other")
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    add_glove_options(*application, run.glove_options, "--glove-hand");
    application->get_option("--glove-hand")->description("which hand wears the first glove");
    for (const char* option : {"--glove-hand", "--baud", "--max-analog", "--profile"})
        application->get_option(option)->needs("--glove");
    application->add_option("--see", run.see,
                            "a scene (`glovebox scenes`, or a file): a panel over the application shows what its hands "
                            "touch there, and frame times");
    add_output(*application, "--see-picture", run.see_picture, "PNG of that panel as it was last");
    application->get_option("--see-picture")->needs("--see");
    add_output(*application, "--report", run.report, "JSON: exit code, frame times, haptic commands");
    application
        ->add_option("--fail-if", run.fail_if,
                     "exit 3 if this condition on the report is true, such as \"haptics.missing>0\" or "
                     "\"frames.work_ms.p99>11\"")
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->check(check_condition);
    application->add_flag("--force", run.force, kForceHelp);
    application->add_option("APPLICATION", run.application, "the application and its arguments, after --")->required();
    application->footer(
        "Examples:\n"
        "  glovebox layer run --record take.glove -- ./application\n"
        "  glovebox layer run --replay take.glove -- ./application\n"
        "  glovebox layer run --replay take.glove --fail-if \"haptics.missing>0\" --report run.json -- ./application\n"
        "  glovebox layer run --glove /dev/ttyUSB0 --glove-hand left -- ./application\n"
        "  glovebox layer run --see held-ball -- ./application");
    app.require_subcommand(1);
    app.footer(
        "Examples:\n"
        "  glovebox layer run --record take.glove -- ./application\n"
        "  glovebox layer run --replay take.glove -- ./application\n"
        "  glovebox layer install");
    return [arguments, install, uninstall, status] {
        if (install->parsed()) return run_install(*arguments);
        if (uninstall->parsed()) return run_uninstall(*arguments);
        if (status->parsed()) return run_status();
        return run_application(arguments->run);
    };
}

}  // namespace glovebox::vr
