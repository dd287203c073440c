// The grabs of a recording as grab poses of a scene file (docs/reference/scenes.md).
#pragma once

#include <string>
#include <vector>

#include "scenes/scene.h"

namespace glovebox::vr {

class Session;

/// One grab, as a pose of the hand on the object.
struct FoundGrab {
    int object = 0;
    scenes::GrabPose pose;
    double begin_s = 0.0, end_s = 0.0;
};

/// Runs a recording's session to its end and returns its grabs by one hand, by their ends; then those that have not
/// ended. Each has the pose in which it ended.
std::vector<FoundGrab> find_grabs(Session& session);

/// Formats the grabs as tables to be put below their objects; a comment names the object, the hand and the times.
std::string grab_poses_toml(const scenes::Scene& scene, const std::vector<FoundGrab>& grabs);

}  // namespace glovebox::vr
