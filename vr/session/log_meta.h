// What a log's header says of the session that it was made in: which scene, and where the hands were put in it.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "recordings/recording.h"
#include "scenes/placement.h"

namespace glovebox::vr {

using LogMeta = std::map<std::string, std::string>;

/// Returns the scene's fingerprint as headers have it: 16 hexadecimal digits.
std::string hash_text(const scenes::Scene& scene);

/// Returns the header's lines for a placement; recorded_placement() reads them.
LogMeta meta_of(const scenes::HandPlacement& placement);

/// Returns the scene of a log as `--scene` takes it. Empty where the file is no log of a session.
std::string recorded_scene(const std::filesystem::path& path);

/// Of a recording's `meta`: where its hands stood in this scene. Empty: not known, or it was another scene.
std::optional<scenes::HandPlacement> recorded_placement(const LogMeta& meta, const scenes::Scene& scene);

/// A sentence if the scene is another than the log's; empty if it is the same or the log knows none.
std::string scene_difference(const recordings::Recording& recording, const scenes::Scene& scene);

/// Where a recording's hands go in a scene: where its log says they stood in that scene, else where the scene asks for
/// them.
scenes::HandPlacement placement_of(const recordings::Recording& recording, const scenes::Scene& scene);

}  // namespace glovebox::vr
