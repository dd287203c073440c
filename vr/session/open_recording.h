// From names to recordings: files and bundled ones, read as a scene wants them.
#pragma once

#include <optional>
#include <string>

#include "recordings/load.h"
#include "scenes/scene.h"

namespace glovebox::vr {

/// A file, or a bundled recording by its name; the first one for an empty name. Throws std::runtime_error.
recordings::Recording open_recording(const std::string& name_or_path, const recordings::ImportOptions& options = {});

/// The bundled recording of this name, the first one for an empty name; null for a file and for what there is not.
const recordings::SampleRow* find_bundled(const std::string& name_or_path);

/// Leaves one hand in a recording: the other is as if it had never been recorded, and says nothing of where this one
/// goes.
void keep_only(tracking::Side side, recordings::Recording& recording);

/// The name of the format if the file is a recording, else empty.
std::string recording_format(const std::string& path);

/// How a recording is read for a scene: the unit, unless one is given, the axes, and how long fingertips are.
recordings::ImportOptions import_options(const scenes::Scene& scene, std::optional<float> unit_m);

/// Reads the files of a scene's recorded motions, and turns them and the shapes that they move out of the file's axes.
/// Throws std::runtime_error.
void load_tracks(scenes::Scene& scene, const tracking::Axes& axes = {});

}  // namespace glovebox::vr
