// Writes and reads session facts in a .glove log's header: the scene, and the placement of the hands in it.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "recordings/recording.h"
#include "scenes/placement.h"

namespace glovebox::vr {

using LogMeta = std::map<std::string, std::string>;

/// Returns the scene's hash as log headers store it: 16 hexadecimal digits.
std::string hash_text(const scenes::Scene& scene);

/// Returns the header entries that store a placement; recorded_placement() reads them.
LogMeta meta_of(const scenes::HandPlacement& placement);

/// Returns the scene of a log in the form that `--scene` takes; an empty string if the file is not a log or names no
/// scene.
std::string recorded_scene(const std::filesystem::path& path);

/// Returns the placement stored in a recording's `meta`. Returns an empty optional if there is none, or if the
/// placement was computed for another scene.
std::optional<scenes::HandPlacement> recorded_placement(const LogMeta& meta, const scenes::Scene& scene);

/// Returns a sentence if the scene differs from the log's scene, and an empty string if it is the same or the log names
/// none.
std::string scene_difference(const recordings::Recording& recording, const scenes::Scene& scene);

/// Returns the placement of a recording's hands in a scene: the placement in the log if it has one for that scene. If
/// not, a recording in a scene's coordinates stays as it is, and any other gets scenes::find_placement().
scenes::HandPlacement placement_of(const recordings::Recording& recording, const scenes::Scene& scene);

}  // namespace glovebox::vr
