// Guesses a scene for a recording and a mesh: units, axes, fingertips and thresholds from the two files, with reasons.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tracking/axes.h"

namespace glovebox::vr {

/// Input of guess_scene().
struct SceneOptions {
    std::string recording;  ///< a file
    /// `mesh` may be a folder with the meshes of several objects, named as in `track`, or as in its instance.json.
    /// `track`: the mesh's motion; empty: from dynamic_objects.csv beside the recording, or else none.
    std::filesystem::path mesh, track;
    std::filesystem::path out;                 ///< the future scene file; its paths are relative to its folder
    std::optional<float> unit_m, mesh_unit_m;  ///< empty: guessed
    std::optional<tracking::Axes> axes;
    std::string axes_name;
};

/// A scene file's text, with the reasons.
struct SceneGuess {
    std::string toml;
    std::vector<std::string> reasons;  ///< a sentence for each guess
};

/// Builds a scene from the two files. Throws std::runtime_error if one of them cannot be read.
SceneGuess guess_scene(const SceneOptions& asked);

}  // namespace glovebox::vr
