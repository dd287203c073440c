// `glovebox scene new`: writes a scene file with units, axes, fingertips and thresholds for a recording and a mesh.
// `glovebox scene grabs`: prints the grabs of a recording as grab poses for a scene file.
#include <cstdio>
#include <fstream>
#include <memory>
#include <span>
#include <sstream>

#include "collision/mesh/hash.h"
#include "recordings/output.h"
#include "tracking/quoted.h"
#include "tracking/track_name.h"
#include "vr/cli/command.h"
#include "vr/cli/options.h"
#include "vr/cli/unit_option.h"
#include "vr/export/grab_poses.h"
#include "vr/export/scene_guess.h"
#include "vr/export/touch_table.h"
#include "vr/platform/platform.h"
#include "vr/platform/progress.h"
#include "vr/session/file_hash.h"
#include "vr/session/open_session.h"
#include "vr/session/report.h"
#include "vr/ui/window_view.h"

namespace glovebox::vr {
namespace {

struct NewScene {
    SceneOptions arguments;
    std::filesystem::path picture;
    bool no_picture = false, force = false;
};

// The last line of a scene file is a hash of the others. So a scene that its user edited is known, and stays.
std::string with_hash(const std::string& toml) {
    return toml + "# Written by glovebox scene new, which replaces it only as it is: " +
           hex(collision::hash_bytes(std::as_bytes(std::span(toml)))) + "\n";
}

void expect_unedited(const std::filesystem::path& path, bool force) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return;
    std::ostringstream read;
    read << std::ifstream(path, std::ios::binary).rdbuf();
    const std::string text = read.str();
    if (text.size() > 1 && with_hash(text.substr(0, text.rfind('\n', text.size() - 2) + 1)) == text) return;
    if (text.starts_with("# A scene made by glovebox scene new") && !force)
        throw recordings::ExportError(path.string() +
                                      ": was edited since glovebox wrote it; name another file, or give " +
                                      "--force to replace it");
    recordings::expect_replaceable(path, force);
}

int run_new_scene(NewScene scene) {
    SceneOptions& arguments = scene.arguments;
    if (arguments.unit_m) expect_file(arguments.recording, "--unit");
    if (arguments.axes) expect_file(arguments.recording, "--axes");
    if (scene.no_picture) scene.picture.clear();
    const std::vector<NamedFile> read = {
        {"LOG", arguments.recording}, {"MESH", arguments.mesh}, {"--track", arguments.track}};
    check_files(read, {{"--output", arguments.out}, {"--picture", scene.picture}});
    expect_unedited(arguments.out, scene.force);
    if (!scene.picture.empty()) recordings::expect_replaceable(scene.picture, scene.force);
    if (scene.picture.empty() && !scene.no_picture) {
        scene.picture = arguments.out;
        scene.picture.replace_extension(".png");
        // The user did not ask for this picture, so a file in its place does not end the command.
        try {
            check_files(read, {{"--picture", scene.picture}}, scene.force);
        } catch (const std::exception& error) {
            std::fprintf(stderr, "glovebox: no picture (--no-picture says so): %s\n",
                         tracking::printable(error.what()).c_str());
            scene.picture.clear();
        }
    }
    SceneGuess guess;
    {
        Progress progress;
        progress.show("looking at hand and mesh");
        guess = guess_scene(arguments);
    }
    write_whole(arguments.out, with_hash(guess.toml));
    for (const std::string& reason : guess.reasons) std::printf("- %s\n", tracking::printable(reason).c_str());
    std::printf("%s\n\n", arguments.out.string().c_str());

    // The result, read from the file itself.
    SessionSettings settings;
    settings.headless = true;
    settings.scene = arguments.out.string();
    settings.screenshot = scene.picture;
    RecordingSettings from;
    from.recording = arguments.recording;
    const auto session = open_recording_session(from, settings, now_ns);
    const TouchList touches = touches_of(*session, TouchBy::finger);
    constexpr std::size_t kLines = 5;
    std::fputs(touch_text(touches, kLines).c_str(), stdout);
    Outputs outputs;
    outputs.attempt([&] {
        if (!scene.picture.empty()) save_picture(*session, settings, -1.0);
    });
    return outputs.failed ? kExitCouldNotRun : kExitFine;
}

struct GrabsCommand {
    RecordingSettings from;
    SessionSettings session;
    std::filesystem::path out;
};

int run_grabs(GrabsCommand arguments) {
    refuse_options_of_files(arguments.from);
    check_files(
        {{"LOG", arguments.from.recording}, {"--scene", arguments.session.scene}, {"--wrist", arguments.from.wrist}},
        {{"--output", arguments.out}}, arguments.session.force);
    arguments.session.headless = true;
    const auto session = open_recording_session(arguments.from, arguments.session, now_ns);
    const std::vector<FoundGrab> grabs = find_grabs(*session);
    if (grabs.empty()) throw std::runtime_error("no hand grabs an object of the scene " + session->scene.name);
    const std::string toml = grab_poses_toml(session->scene, grabs);
    if (arguments.out.empty())
        std::fputs(toml.c_str(), stdout);
    else
        write_whole(arguments.out, toml);
    return kExitFine;
}

void declare_grabs(CLI::App& app, GrabsCommand& arguments) {
    CLI::App* grabs = app.add_subcommand("grabs", "the grabs of a recording, as grab poses for a scene file");
    grabs->add_option("LOG", arguments.from.recording, "recording of hands, or a bundled one by name")->required();
    grabs->add_option("--scene", arguments.session.scene,
                      "built-in scene (`glovebox scenes`), a scene file or a mesh; without it the recording's own");
    add_recording_options(*grabs, arguments.from);
    add_output(*grabs, "-o,--output", arguments.out, "file to write; standard output without it");
    grabs->add_flag("--force", arguments.session.force, "replace files that glovebox has not written itself");
    grabs->footer("Example:\n  glovebox scene grabs lift");
}

}  // namespace

std::function<int()> declare_scene(CLI::App& app) {
    const auto scene = std::make_shared<NewScene>();
    const auto grabs = std::make_shared<GrabsCommand>();
    SceneOptions& arguments = scene->arguments;
    CLI::App* made = app.add_subcommand("new", "a scene file for a recording and a mesh, each guess explained");
    made->add_option("LOG", arguments.recording, "recording of hands, or a bundled one by name")->required();
    made->add_option("MESH", arguments.mesh, "the object: OBJ, STL, PLY or glTF; or a folder of several")
        ->required()
        ->check(CLI::ExistingPath);
    add_output(*made, "-o,--output", arguments.out, "scene file to write, such as cup.toml")->required();
    made->add_option("--track", arguments.track,
                     "how the object moved: a BVH of one joint, HOT3D's table of objects (FILE#OBJECT), or any file of "
                     "a wrist")
        ->check([](const std::string& track) { return CLI::ExistingFile(tracking::TrackName(track).file.string()); });
    made->add_option_function<std::string>(
            "--unit", [scene](const std::string& unit) { scene->arguments.unit_m = unit_in_metres(unit); },
            "length of the recording's unit, where the guess is wrong: m, dm, cm, mm, in, or metres as a number")
        ->check(check_unit_or_auto);
    made->add_option_function<std::string>(
            "--mesh-unit", [scene](const std::string& unit) { scene->arguments.mesh_unit_m = unit_in_metres(unit); },
            "length of the mesh's unit, likewise")
        ->check(check_unit_or_auto);
    made->add_option_function<std::string>(
            "--axes",
            [scene](const std::string& axes) {
                if (axes == "auto") return;
                scene->arguments.axes = tracking::find_axes(axes);
                scene->arguments.axes_name = axes;
            },
            "which way the files' axes point, likewise: " + tracking::axes_names())
        ->check(check_axes);
    add_output(*made, "--picture", scene->picture, "picture of the frame that shows touching best (beside the scene)");
    made->add_flag("--no-picture", scene->no_picture, "without a picture");
    made->add_flag("--force", scene->force, "replace files that glovebox has not written itself");
    made->footer(
        "Example:\n"
        "  glovebox scene new hand.bvh cup.obj --track cup.bvh -o cup.toml\n"
        "  glovebox touches hand.bvh --scene cup.toml -o touches.csv --figure lanes.svg");
    declare_grabs(app, *grabs);
    app.require_subcommand(1);
    app.footer(
        "Examples:\n"
        "  glovebox scene new hand.bvh cup.obj --track cup.bvh -o cup.toml\n"
        "  glovebox scene grabs lift");
    return [scene, grabs, made] { return made->parsed() ? run_new_scene(*scene) : run_grabs(*grabs); };
}

}  // namespace glovebox::vr
