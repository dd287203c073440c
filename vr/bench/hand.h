// Recorded hands among the objects of a scene, frame by frame, for the benches that follow [Schmidl04, table 5].
#pragma once

#include <string>
#include <vector>

#include "recordings/recording.h"
#include "vr/bench/paper.h"

namespace glovebox::vr {

/// Poses of a hand and of the objects, per frame.
struct HandTake {
    std::vector<collision::BodyPose> poses;
    std::vector<std::vector<collision::Collider>> objects;  ///< per frame, as it tested them
    std::vector<std::string> object_names;
    std::string source;
};

/// Replays the recording in the scene, repeatedly until there are enough frames; one pose per hand and frame. Throws
/// std::runtime_error if the recording has no hand.
HandTake record_take(recordings::Recording recording, const std::string& scene, const std::string& source, int frames);

/// Returns the frames as a workload. The take must outlive it.
PaperWorkload workload_of(const HandTake& take);

/// Compares leaf boxes fitted to each frame's bones with those of the first frame, transformed.
void compare_leaf_boxes(BenchResult& result, const HandTake& take);

/// Compares three hierarchies of a hand, which differ in how the fingers are joined to the palm.
void compare_palms(const BenchOptions& options, BenchResult& result);

}  // namespace glovebox::vr
