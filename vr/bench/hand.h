// A recorded hand among the objects of a scene, frame by frame, for the benches that follow [Schmidl04, table 5].
#pragma once

#include <string>
#include <vector>

#include "recordings/recording.h"
#include "vr/bench/paper.h"

namespace glovebox::vr {

struct HandTake {
    std::vector<collision::BodyPose> poses;
    std::vector<std::vector<collision::Collider>> objects;  ///< as each frame found them
    std::vector<std::string> object_names;
    std::string source;
};

/// The recording in the scene, from its start again until there are frames enough; one pose a hand and frame. Throws
/// std::runtime_error where there is no hand in it.
HandTake record_take(recordings::Recording recording, const std::string& scene, const std::string& source, int frames);

/// The take must outlive the workload.
PaperWorkload workload_of(const HandTake& take);

/// Leaf boxes fitted to each frame's bones, and those of the first frame transformed.
void compare_leaf_boxes(BenchResult& result, const HandTake& take);

/// Three hierarchies over one hand, which differ in how the fingers meet the palm.
void compare_palms(const BenchOptions& options, BenchResult& result);

}  // namespace glovebox::vr
