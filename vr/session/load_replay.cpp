#include "vr/session/load_replay.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <stdexcept>

#include "recordings/format.h"
#include "recordings/load.h"
#include "recordings/user_profile.h"
#include "scenes/mesh_scene.h"
#include "vr/cli/unit_option.h"
#include "vr/platform/mesh_process.h"
#include "vr/render/hand_mesh.h"

namespace glovebox::vr {
namespace {

std::array<bool, 2> hands_to_use(const std::string& hand) {
    return {hand != "right", hand != "left"};
}

// A hand that was not asked for is as if it had never been recorded: it says nothing of where the other goes.
void keep_only(tracking::Side side, recordings::Recording& recording) {
    const tracking::Side other = side == tracking::Side::left ? tracking::Side::right : tracking::Side::left;
    for (tracking::HandPair& sample : recording.samples) {
        sample[other] = {};
        sample[other].side = other;
    }
}

// The name of the format if the file is a recording, else empty.
std::string recording_format(const std::string& path) {
    try {
        return std::string(recordings::recognise_format(recordings::Input(path)).name);
    } catch (const std::exception&) {
        return {};
    }
}

// A fault that changes nothing would pass every assertion.
[[noreturn]] void refuse_fault(const std::string& spec, const recordings::FaultSpell& spell, double duration_s) {
    std::array<char, 80> text{};
    if (spell.from_s > duration_s)
        std::snprintf(text.data(), text.size(), "begins after the recording's end (%.1f s)", duration_s);
    else
        std::snprintf(text.data(), text.size(), "no sample lies in it (%.3f to %.3f s)", spell.from_s, spell.to_s);
    throw std::runtime_error("--inject " + spec + ": " + text.data());
}

}  // namespace

const recordings::SampleRow* find_bundled(const std::string& name) {
    if (!name.empty() && std::filesystem::exists(name)) return nullptr;
    for (const recordings::SampleRow& row : recordings::sample_table())
        if (name.empty() || row.name == name) return &row;
    return nullptr;
}

recordings::Recording open_recording(const std::string& name, const recordings::ImportOptions& options) {
    if (!name.empty() && std::filesystem::exists(name)) {
        if (std::filesystem::is_regular_file(name) && recording_format(name).empty() &&
            (scenes::is_mesh_file(name) || std::filesystem::path(name).extension() == ".toml"))
            throw std::runtime_error(name + ": a scene, not a recording: give it to `glovebox replay` with --scene");
        return recordings::load(name, options);
    }
    if (const recordings::SampleRow* row = find_bundled(name)) {
        recordings::Recording recording = row->make();
        recording.scene = row->scene;
        if (options.only) {
            if (!recording.has(*options.only))
                throw std::runtime_error(name + ": there is no " + std::string(name_of(*options.only)) + " hand in it");
            keep_only(*options.only, recording);
        }
        return recording;
    }

    std::string names;
    for (const recordings::SampleRow& row : recordings::sample_table())
        names += (names.empty() ? "" : ", ") + std::string(row.name);
    throw std::runtime_error(name + ": no such file, and no bundled recording of that name (" + names + ")");
}

NamedScene scene_of_replay(const std::string& asked, const std::string& recording) {
    if (!asked.empty()) {
        try {
            return {asked, scenes::load_scene(asked, load_mesh_apart)};
        } catch (const std::exception&) {
            const std::string format = recording_format(asked);
            if (format.empty()) throw;
            throw std::runtime_error(asked + ": a recording (" + format + "), not a scene: give it as LOG");
        }
    }
    if (const recordings::SampleRow* row = find_bundled(recording))
        return {std::string(row->scene), scenes::load_scene(std::string(row->scene))};
    const std::string recorded = recorded_scene(recording);
    const std::string name = recorded.empty() ? std::string(scenes::scene_table().front().name) : recorded;
    try {
        return {name, scenes::load_scene(name, load_mesh_apart)};
    } catch (const std::exception& error) {
        throw std::runtime_error(recording + ": was recorded in a scene that is not to be had (" + error.what() +
                                 "): name another with --scene");
    }
}

recordings::ImportOptions import_options(const scenes::Scene& scene, std::optional<float> unit_m) {
    recordings::ImportOptions options;
    options.unit_m = unit_m;
    if (!options.unit_m && scene.recording_unit_m > 0.0F) options.unit_m = scene.recording_unit_m;
    options.tip_length_m = scene.tip_length_m;
    options.axes = scene.recording_axes;
    return options;
}

void load_tracks(scenes::Scene& scene, const tracking::Axes& axes) {
    for (scenes::SceneObject& object : scene.objects) {
        if (object.track_path.empty()) continue;
        recordings::ImportOptions options;
        options.unit_m = object.track_unit_m;
        options.axes = axes;
        if (!axes.as_they_are()) object.shape = scenes::in_our_axes(axes, object.shape);
        object.track = recordings::load_track(object.track_path, options);
    }
}

std::unique_ptr<Replay> load_replay(const ReplaySettings& settings, Clock clock) {
    auto [scene_name, scene] = scene_of_replay(settings.scene, settings.recording);

    recordings::ImportOptions options = import_options(scene, unit_in_metres(settings.unit));
    if (settings.axes != "auto") options.axes = tracking::find_axes(settings.axes).value();
    options.wrist_path = settings.wrist;
    if (!settings.profile.empty())
        options.user = std::make_shared<tracking::UserProfile>(recordings::load_user_profile(settings.profile));
    recordings::Recording recording = open_recording(settings.recording, options);
    if (recording.samples.empty()) throw std::runtime_error(recording.path + ": holds no samples");

    for (const tracking::Side side : {tracking::Side::left, tracking::Side::right}) {
        if (settings.hand != tracking::name_of(side)) continue;
        if (!recording.has(side))
            throw std::runtime_error(recording.path + ": there is no " + settings.hand + " hand in it");
        keep_only(side, recording);
    }

    if (recording.in_scene) scene.placement = scenes::Placement::recorded;
    load_tracks(scene, options.axes);

    std::vector<recordings::Fault> faults;
    for (const std::string& spec : settings.inject) faults.push_back(recordings::parse_fault(spec));
    std::unique_ptr<FaultWatch> watch;
    if (!faults.empty()) {
        FaultLimits limits;
        if (settings.stop_within_ms > 0.0) limits.stop_within_s = 1e-3 * settings.stop_within_ms;
        recordings::Recording undisturbed = recording;
        auto spells = recordings::inject(faults, recording);
        for (std::size_t i = 0; i < spells.size(); ++i)
            if (spells[i].samples == 0) refuse_fault(settings.inject[i], spells[i], undisturbed.duration_s());
        if (recording.samples.empty()) throw std::runtime_error(recording.path + ": the faults leave no sample");
        watch = std::make_unique<FaultWatch>(std::move(spells), std::move(undisturbed), limits);
    }

    ReplayOptions replay_options;
    replay_options.use_hand = hands_to_use(settings.hand);
    replay_options.method = collision::find_refit_method(settings.method);
    auto replay = std::make_unique<Replay>(std::move(scene), std::move(recording), replay_options, clock);
    replay->hand_meshes = load_hand_meshes(settings.hand_mesh);
    if (!settings.record.empty())
        replay->log = std::make_unique<SessionLog>(
            settings.record, replay->pipeline,
            SessionFacts{"replay of " + replay->recording.path, lasting_scene_name(scene_name), true});
    if (const OutputRow* output = find_output(settings.haptics)) {
        // As fast as possible there is no real time for a thread to keep.
        const bool paced =
            settings.headless ? !settings.rate.empty() && settings.rate != "max" : settings.rate != "max";
        auto device = output->open(OutputOptions{.file = settings.haptics_log});
        if (replay->log) {
            if (paced) replay->log->set_command_clock(clock());
            device = recorded_output(std::move(device), *replay->log);
        }
        // The watch knows the recording's time only, so the force loop runs in it.
        const bool watched = watch && settings.headless;
        if (watched) device = watch->listen_to(std::move(device));
        replay->haptics = std::make_unique<HapticSession>(
            *output, std::move(device), paced && !watched ? HapticMode::threaded : HapticMode::simulated);
    }
    replay->faults = std::move(watch);
    return replay;
}

}  // namespace glovebox::vr
