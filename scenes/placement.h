// Places the hands of a recording in a scene.
//
// The coordinates of a recording are relative to a room, a body or the wrist; the scene has its own origin. The
// placement is one rigid motion for the whole recording, so relative motion stays as recorded.
#pragma once

#include <Eigen/Geometry>
#include <span>
#include <string>

#include "scenes/scene.h"
#include "tracking/hand_frame.h"

namespace glovebox::scenes {

/// A placement, computed once for a recording.
struct HandPlacement {
    Placement kind = Placement::recorded;
    Eigen::Isometry3f scene_from_recording = Eigen::Isometry3f::Identity();
    Eigen::Isometry3f scene_from_wrist = Eigen::Isometry3f::Identity();  ///< Placement::wrist only
    tracking::Side side = tracking::Side::right;      ///< Placement::wrist only: the hand whose wrist is held still
    std::string note = "hand positions as recorded";  ///< for the report; or "moved so that ... is at (...) m ..."
};

/// Finds the placement that the scene requests. Returns the identity if no fingertip is valid in `samples`.
HandPlacement find_placement(const Scene& scene, std::span<const tracking::HandPair> samples);

/// Moves both hands of a sample. No allocation.
void place(const HandPlacement& placement, tracking::HandPair& hands);

}  // namespace glovebox::scenes
