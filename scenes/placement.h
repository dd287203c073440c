// Where a recording's hands go in a scene.
//
// Recordings come in the coordinates of a room, of a body or of the wrist itself; the scene has its objects at its own
// origin. Placing is a rigid motion found once from the whole recording, so relative motion stays as recorded.
#pragma once

#include <Eigen/Geometry>
#include <span>
#include <string>

#include "scenes/scene.h"
#include "tracking/hand_frame.h"

namespace glovebox::scenes {

struct HandPlacement {
    Placement kind = Placement::recorded;
    Eigen::Isometry3f scene_from_recording = Eigen::Isometry3f::Identity();
    Eigen::Isometry3f scene_from_wrist = Eigen::Isometry3f::Identity();  ///< Placement::wrist only
    tracking::Side side = tracking::Side::right;  ///< Placement::wrist only: whose wrist is held still
    std::string note;  ///< one sentence for the report: "moved by (...) m, turned by 12 degrees"
};

/// Finds the placement that the scene asks for. `samples` need valid fingertips somewhere; without any it is Identity.
HandPlacement find_placement(const Scene& scene, std::span<const tracking::HandPair> samples);

/// Moves both hands of a sample. No allocation.
void place(const HandPlacement& placement, tracking::HandPair& hands);

}  // namespace glovebox::scenes
