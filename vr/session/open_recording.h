// Opens recordings by file or bundled name, with the import options that a scene specifies.
#pragma once

#include <optional>
#include <string>

#include "recordings/load.h"
#include "scenes/scene.h"
#include "vr/session/pipeline.h"

namespace glovebox::vr {

/// Opens a recording file, or a bundled recording by its name; an empty name is the first bundled one. Throws
/// std::runtime_error if there is no such recording or it cannot be read.
recordings::Recording open_recording(const std::string& name_or_path, const recordings::ImportOptions& options = {});

/// Returns the bundled recording of this name, or the first one if the name is empty. Returns null if there is a file
/// of this name, or no bundled recording has it.
const recordings::SampleRow* find_bundled(const std::string& name_or_path);

/// Removes the other hand from every sample, as if it had never been recorded. The other hand then does not influence
/// the placement either.
void keep_only(tracking::Side side, recordings::Recording& recording);

/// Returns the name of the format if the file is a recording, otherwise an empty string. Does not throw.
std::string recording_format(const std::string& path);

/// Loads a scene with scenes::load_scene(). If the file is a recording, the message says so, and ends with `instead`.
scenes::Scene load_scene(const std::string& name_or_path, scenes::MeshLoader read_mesh = scenes::load_mesh,
                         const std::string& instead = {});

/// Returns the options for reading a recording into a scene: the scene's unit (unless `unit_m` is given), axes and
/// fingertip length.
recordings::ImportOptions import_options(const scenes::Scene& scene, std::optional<float> unit_m);

/// Returns the settings with which a recording is replayed in a scene: the hands that it has, with the sizes that were
/// fitted to them or recorded, their placement (unless one is given), and the filter that its log names.
PipelineSettings replay_settings(const recordings::Recording& recording, const scenes::Scene& scene,
                                 const std::optional<scenes::HandPlacement>& placement = {});

/// Reads the files of a scene's recorded object motions. Converts the motions, and the shapes that they move, from
/// `axes` to the scene's axes (+Y up). Throws std::runtime_error if a file cannot be read.
void load_tracks(scenes::Scene& scene, const tracking::Axes& axes);

}  // namespace glovebox::vr
