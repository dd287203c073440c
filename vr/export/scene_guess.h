// Guesses a scene for a recording and a mesh: derives units, axes, fingertips and thresholds from the two files, and
// gives reasons.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tracking/axes.h"

namespace glovebox::vr {

/// Input of guess_scene().
struct SceneOptions {
    std::string recording;  ///< a file, or the name of a bundled recording
    /// `mesh` is a file, or a folder with the meshes of several objects, named as in `track` or as in the folder's
    /// instance.json. `track` is a file with the motion of the mesh; if empty, dynamic_objects.csv beside the recording
    /// is used if it exists.
    std::filesystem::path mesh, track;
    std::filesystem::path out;  ///< path of the scene file to be written; paths in it are relative to its folder
    std::optional<float> unit_m, mesh_unit_m;  ///< empty: guessed
    std::optional<tracking::Axes> axes;
    std::string axes_name;
};

/// The text of a scene file, with the reasons for its values.
struct SceneGuess {
    std::string toml;
    std::vector<std::string> reasons;  ///< a sentence for each guess
};

/// Builds a scene from recording and mesh. Throws std::runtime_error if one of them cannot be read.
SceneGuess guess_scene(const SceneOptions& options);

}  // namespace glovebox::vr
