// Builds motion clips of recorded hands for `glovebox bench clips`: m(t) and r(t) from a skeleton's joints [Sung05,
// sec. 3].
#pragma once

#include <string>
#include <vector>

#include "collision/survey/clips/clip.h"
#include "tracking/hand_frame.h"
#include "vr/bench/bench.h"

namespace glovebox::vr {

/// Returns the smallest disc on the floor (x and z) centred at the wrist that contains every joint with its radius:
/// r(t) is the farthest projected point of a limb from the root. Joints without a valid position are ignored.
collision::clips::ClipSample disc_of_hand(const tracking::HandFrame& hand);

struct RecordedClip {
    std::string take;  ///< file or bundled recording, and side
    collision::clips::Clip clip;
};
constexpr double kRecordedStep_s = 1.0 / 60.0;  ///< of every recorded clip: all clips of a query need one step

/// Returns a clip for each hand of the bundled recordings (only two if `quick`) and of those that the user names.
/// Frames pass the guard, as in a session; a lost hand keeps its last disc. Throws as recordings::load() does.
std::vector<RecordedClip> recorded_clips(const BenchOptions& options);

/// Cuts a clip into pieces of at most that many samples, and drops a remainder shorter than half of that.
std::vector<collision::clips::Clip> cut_into(const collision::clips::Clip& clip, std::size_t samples);

}  // namespace glovebox::vr
