// The bones against a wearer's skin; takes of HOT3D are not part of the project, so they have to be named.
#pragma once

#include "vr/bench/bench.h"

namespace glovebox::vr {

/// BenchOptions::files: takes (umetrack_hand_pose_trajectory.jsonl), and last the folder of the objects' meshes.
BenchResult bench_skin(const BenchOptions& options);

}  // namespace glovebox::vr
