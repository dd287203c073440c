// Compares the bones with a wearer's skin. Recordings of HOT3D are not part of the project, so the user must name them.
#pragma once

#include "vr/bench/bench.h"

namespace glovebox::vr {

/// Runs the bench. BenchOptions::files must name recordings (umetrack_hand_pose_trajectory.jsonl) and, last, the folder
/// of the objects' meshes.
BenchResult bench_skin(const BenchOptions& options);

}  // namespace glovebox::vr
