// Clips of recorded hands, for `glovebox bench clips`: m(t) and r(t) from a skeleton's joints [Sung05, sec. 3].
#pragma once

#include <string>
#include <vector>

#include "collision/survey/clips/clip.h"
#include "tracking/hand_frame.h"
#include "vr/bench/bench.h"

namespace glovebox::vr {

/// Returns the disc on the floor (x and z) round the wrist that holds every joint with its radius: r(t) is the farthest
/// projected point of a limb from the root. Joints without a valid position are left out.
collision::clips::ClipSample disc_of_hand(const tracking::HandFrame& hand);

struct RecordedClip {
    std::string take;  ///< file or bundled recording, and side
    collision::clips::Clip clip;
};
constexpr double kRecordedStep_s = 1.0 / 60.0;  ///< of every recorded clip: clips of one query have one step

/// Returns a clip for each hand of the bundled recordings (with `quick` of two) and of those that the user names. The
/// guard's frames, as a session has them; a lost hand holds its last disc. Throws as recordings::load().
std::vector<RecordedClip> recorded_clips(const BenchOptions& options);

/// Returns a clip cut into pieces of at most that many samples, without a remainder shorter than half of it.
std::vector<collision::clips::Clip> cut_into(const collision::clips::Clip& clip, std::size_t samples);

}  // namespace glovebox::vr
