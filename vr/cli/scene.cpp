// `glovebox scene new`: writes a scene file with units, axes, fingertips and thresholds for a recording and a mesh.
#include <cstdio>
#include <memory>

#include "tracking/quoted.h"
#include "tracking/track_name.h"
#include "vr/cli/command.h"
#include "vr/cli/options.h"
#include "vr/cli/unit_option.h"
#include "vr/export/scene_guess.h"
#include "vr/export/touch_table.h"
#include "vr/platform/platform.h"
#include "vr/platform/progress.h"
#include "vr/session/open_session.h"
#include "vr/session/report.h"
#include "vr/ui/window_view.h"

namespace glovebox::vr {
namespace {

struct NewScene {
    SceneOptions asked;
    std::filesystem::path picture;
    bool no_picture = false, force = false;
};

int run_new_scene(NewScene scene) {
    SceneOptions& asked = scene.asked;
    expect_file(asked.recording, "scene new");
    if (scene.picture.empty() && !scene.no_picture) {
        scene.picture = asked.out;
        scene.picture.replace_extension(".png");
    }
    if (scene.no_picture) scene.picture.clear();
    const std::vector<NamedFile> written = {{"--output", asked.out}, {"--picture", scene.picture}};
    check_files({{"LOG", asked.recording}, {"MESH", asked.mesh}, {"--track", asked.track}}, written, scene.force);
    SceneGuess guess;
    {
        Progress progress;
        progress.tell("looking at hand and mesh");
        guess = guess_scene(asked);
    }
    write_whole(asked.out, guess.toml);
    for (const std::string& reason : guess.reasons) std::printf("- %s\n", tracking::printable(reason).c_str());
    std::printf("%s\n\n", asked.out.string().c_str());

    // The result, read from the file itself.
    SessionSettings settings;
    settings.headless = true;
    settings.scene = asked.out.string();
    settings.screenshot = scene.picture;
    RecordingSettings from;
    from.recording = asked.recording;
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

}  // namespace

std::function<int()> declare_scene(CLI::App& app) {
    const auto scene = std::make_shared<NewScene>();
    SceneOptions& asked = scene->asked;
    CLI::App* made = app.add_subcommand("new", "a scene file for a recording and a mesh, each guess explained");
    made->add_option("LOG", asked.recording, "recording of hands")->required()->check(CLI::ExistingFile);
    made->add_option("MESH", asked.mesh, "the object: OBJ, STL, PLY or glTF; or a folder of several")
        ->required()
        ->check(CLI::ExistingPath);
    add_output(*made, "-o,--output", asked.out, "scene file to write, such as cup.toml")->required();
    made->add_option("--track", asked.track,
                     "how the object moved: a BVH of one joint, HOT3D's table of objects (FILE#OBJECT), or any file of "
                     "a wrist")
        ->check([](const std::string& track) { return CLI::ExistingFile(tracking::TrackName(track).file.string()); });
    made->add_option_function<std::string>(
            "--unit", [scene](const std::string& unit) { scene->asked.unit_m = unit_in_metres(unit); },
            "length of the recording's unit, where the guess is wrong: m, dm, cm, mm, in, or metres as a number")
        ->check(check_unit_or_auto);
    made->add_option_function<std::string>(
            "--mesh-unit", [scene](const std::string& unit) { scene->asked.mesh_unit_m = unit_in_metres(unit); },
            "length of the mesh's unit, likewise")
        ->check(check_unit_or_auto);
    made->add_option_function<std::string>(
            "--axes",
            [scene](const std::string& axes) {
                if (axes == "auto") return;
                scene->asked.axes = tracking::find_axes(axes);
                scene->asked.axes_name = axes;
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
    app.require_subcommand(1);
    app.footer("Example:\n  glovebox scene new hand.bvh cup.obj --track cup.bvh -o cup.toml");
    return [scene] { return run_new_scene(*scene); };
}

}  // namespace glovebox::vr
