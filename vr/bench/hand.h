// Replays recorded hands among the objects of a scene, for the benches that follow table 5 of [Schmidl04].
#pragma once

#include <string>
#include <vector>

#include "recordings/recording.h"
#include "vr/bench/paper.h"

namespace glovebox::vr {

/// Poses of a hand and of the objects, per frame.
struct HandTake {
    std::vector<collision::BodyPose> poses;
    std::vector<std::vector<collision::Collider>> objects;  ///< per frame: the objects as they were tested
    std::vector<std::string> object_names;
    std::string source;
};

/// Replays the recording in the scene, repeatedly until there are enough frames. Each frame gives one pose for each
/// hand. Throws std::runtime_error if the recording has no hand.
HandTake record_take(recordings::Recording recording, const std::string& scene, const std::string& source, int frames);

/// Returns the frames as a workload. `take` must outlive the workload.
PaperWorkload workload_of(const HandTake& take);

/// Compares leaf boxes that are fitted to the bones of each frame with the leaf boxes of the first frame, moved along
/// with the bones.
void compare_leaf_boxes(BenchResult& result, const HandTake& take);

/// Compares three hierarchies of a hand, which differ in how the fingers are joined to the palm.
void compare_palms(const BenchOptions& options, BenchResult& result);

}  // namespace glovebox::vr
