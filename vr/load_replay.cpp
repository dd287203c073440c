#include "vr/load_replay.h"

#include <algorithm>
#include <stdexcept>

#include "recordings/load.h"

namespace glovebox::vr {
namespace {

std::optional<float> unit_in_metres(const std::string& unit) {
    if (unit == "m") return 1.0F;
    if (unit == "dm") return 0.1F;
    if (unit == "cm") return 0.01F;
    if (unit == "mm") return 0.001F;
    return {};
}

std::array<bool, 2> hands_to_use(const std::string& hand) {
    return {hand != "right", hand != "left"};
}

}  // namespace

recordings::Recording open_recording(const std::string& name, const recordings::ImportOptions& options) {
    const auto samples = recordings::sample_table();
    if (name.empty()) return samples.front().make();
    if (std::filesystem::exists(name)) return recordings::load(name, options);
    for (const recordings::SampleRow& row : samples)
        if (row.name == name) return row.make();

    std::string names;
    for (const recordings::SampleRow& row : samples) names += (names.empty() ? "" : ", ") + std::string(row.name);
    throw std::runtime_error(name + ": no such file, and no bundled recording of that name (" + names + ")");
}

std::unique_ptr<Replay> load_replay(const ReplaySettings& settings, Clock clock) {
    scenes::Scene scene =
        scenes::load_scene(settings.scene.empty() ? std::string(scenes::scene_table().front().name) : settings.scene);

    recordings::ImportOptions options;
    options.unit_m = unit_in_metres(settings.unit);
    if (!options.unit_m && scene.recording_unit_m > 0.0F) options.unit_m = scene.recording_unit_m;
    options.tip_length_m = scene.tip_length_m;
    options.axes = settings.axes == "auto" ? scene.recording_axes : tracking::find_axes(settings.axes).value();
    recordings::Recording recording = open_recording(settings.recording, options);
    if (recording.samples.empty()) throw std::runtime_error(recording.path + ": holds no samples");

    if (recording.in_scene) scene.placement = scenes::Placement::recorded;
    for (scenes::SceneObject& object : scene.objects) {
        if (object.track_path.empty()) continue;
        recordings::ImportOptions track_options;
        track_options.unit_m = object.track_unit_m;
        track_options.axes = options.axes;
        if (!options.axes.as_they_are()) object.shape = scenes::in_our_axes(options.axes, object.shape);
        object.track = recordings::load_track(object.track_path, track_options);
    }

    ReplayOptions replay_options;
    replay_options.use_hand = hands_to_use(settings.hand);
    replay_options.method = collision::find_refit_method(settings.method);
    auto replay = std::make_unique<Replay>(std::move(scene), std::move(recording), replay_options, clock);
    if (const OutputRow* output = find_output(settings.haptics)) {
        // As fast as possible there is no real time for a thread to keep.
        const bool paced =
            settings.headless ? !settings.rate.empty() && settings.rate != "max" : settings.rate != "max";
        replay->haptics = std::make_unique<HapticSession>(*output, OutputOptions{settings.haptics_log},
                                                          paced ? HapticMode::threaded : HapticMode::simulated);
    }
    return replay;
}

}  // namespace glovebox::vr
