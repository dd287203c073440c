// A scene for a recording and a mesh: units, axes, fingertips and thresholds found from the two files, each with its
// reason.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tracking/axes.h"

namespace glovebox::vr {

struct SceneAsked {
    std::string recording;  ///< a file
    /// `mesh` may be a folder of several objects' meshes, named as `track` names them, or as instance.json in it does.
    /// `track`: the mesh's motion; empty: it lies still, or moves as dynamic_objects.csv beside the recording says.
    std::filesystem::path mesh, track;
    std::filesystem::path out;                 ///< where the scene file will be: paths in it are relative to that
    std::optional<float> unit_m, mesh_unit_m;  ///< given, not guessed
    std::optional<tracking::Axes> axes;
    std::string axes_name;
};

struct SceneGuess {
    std::string toml;
    std::vector<std::string> reasons;  ///< a sentence for each guess
};

/// Throws std::runtime_error where one of the files cannot be read.
SceneGuess guess_scene(const SceneAsked& asked);

}  // namespace glovebox::vr
