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

const recordings::SampleRow* find_sample(const std::string& name) {
    for (const recordings::SampleRow& row : recordings::sample_table())
        if (name.empty() || row.name == name) return &row;
    return nullptr;
}

// A bundled recording brings its scene along.
std::string scene_for(const ReplaySettings& settings) {
    if (!settings.scene.empty()) return settings.scene;
    if (const recordings::SampleRow* row = find_sample(settings.recording);
        row != nullptr && !std::filesystem::exists(settings.recording))
        return std::string(row->scene);
    return std::string(scenes::scene_table().front().name);
}

}  // namespace

recordings::Recording open_recording(const std::string& name, const recordings::ImportOptions& options) {
    if (!name.empty() && std::filesystem::exists(name)) return recordings::load(name, options);
    if (const recordings::SampleRow* row = find_sample(name)) {
        recordings::Recording recording = row->make();
        recording.scene = row->scene;
        return recording;
    }

    std::string names;
    for (const recordings::SampleRow& row : recordings::sample_table())
        names += (names.empty() ? "" : ", ") + std::string(row.name);
    throw std::runtime_error(name + ": no such file, and no bundled recording of that name (" + names + ")");
}

std::unique_ptr<Replay> load_replay(const ReplaySettings& settings, Clock clock) {
    scenes::Scene scene = scenes::load_scene(scene_for(settings));

    recordings::ImportOptions options;
    options.unit_m = unit_in_metres(settings.unit);
    if (!options.unit_m && scene.recording_unit_m > 0.0F) options.unit_m = scene.recording_unit_m;
    options.tip_length_m = scene.tip_length_m;
    recordings::Recording recording = open_recording(settings.recording, options);
    if (recording.samples.empty()) throw std::runtime_error(recording.path + ": holds no samples");

    if (recording.in_scene) scene.placement = scenes::Placement::recorded;
    for (scenes::SceneObject& object : scene.objects) {
        if (object.track_path.empty()) continue;
        recordings::ImportOptions track_options;
        track_options.unit_m = object.track_unit_m;
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
