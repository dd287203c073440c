#include "vr/session/open_recording.h"

#include <stdexcept>
#include <string>
#include <vector>

#include "recordings/format.h"
#include "recordings/input.h"
#include "recordings/user_profile.h"
#include "scenes/mesh_scene.h"
#include "tracking/names.h"
#include "vr/session/log_meta.h"

namespace glovebox::vr {

void keep_only(tracking::Side side, recordings::Recording& recording) {
    const tracking::Side other = side == tracking::Side::left ? tracking::Side::right : tracking::Side::left;
    for (tracking::HandPair& sample : recording.samples) {
        sample[other] = {};
        sample[other].side = other;
    }
}

std::string recording_format(const std::string& path) {
    try {
        recordings::refuse_pipe(path);
        return std::string(recordings::recognise_format(recordings::Input(path)).name);
    } catch (const std::exception&) {
        return {};
    }
}

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
        if (options.user) recordings::use_bones(*options.user, recording);
        if (options.only) {
            if (!recording.has(*options.only))
                throw std::runtime_error(name + ": there is no " + std::string(name_of(*options.only)) + " hand in it");
            keep_only(*options.only, recording);
        }
        return recording;
    }

    const std::vector<std::string> names = tracking::names_of(recordings::sample_table());
    const std::string nearest = tracking::nearest_name(name, names);
    throw std::runtime_error(name + ": no such file, and no bundled recording of that name (" +
                             tracking::listed(names) + ")" +
                             (nearest.empty() ? "" : ": did you mean '" + nearest + "'?"));
}

namespace {

// Formats of recordings that are also those of meshes: the content decides.
bool has_hands(const std::string& name, const std::string& format) {
    if (format != "glb" && format != "fbx") return true;
    try {
        return !recordings::load(name).samples.empty();
    } catch (const std::exception&) {
        return false;
    }
}

}  // namespace

scenes::Scene load_scene(const std::string& name, scenes::MeshLoader read_mesh, const std::string& instead) {
    try {
        return scenes::load_scene(name, read_mesh);
    } catch (const std::exception&) {
        if (name.ends_with(".toml")) throw;  // "[hand]" at its begin looks like JSON
        const std::string format = recording_format(name);
        if (format.empty() || !has_hands(name, format)) throw;
        throw std::runtime_error(name + ": a recording (" + format + "), not a scene" + instead);
    }
}

recordings::ImportOptions import_options(const scenes::Scene& scene, std::optional<float> unit_m) {
    recordings::ImportOptions options;
    options.unit_m = unit_m;
    if (scene.recording_unit_m > 0.0F) options.scene_unit_m = scene.recording_unit_m;
    options.tip_length_m = scene.tip_length_m;
    options.axes = scene.recording_axes;
    return options;
}

PipelineSettings replay_settings(const recordings::Recording& recording, const scenes::Scene& scene,
                                 const std::optional<scenes::HandPlacement>& placement) {
    PipelineSettings settings;
    for (const tracking::Side side : tracking::kSides) settings.use_hand[side] = recording.has(side);
    settings.profiles = recording.profiles;
    settings.placement = placement ? *placement : placement_of(recording, scene);
    if (const auto filter = recording.meta.find("filter"); filter != recording.meta.end())
        settings.filter = tracking::parse_filter(filter->second);
    return settings;
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

}  // namespace glovebox::vr
