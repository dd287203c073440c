// Builds motion clips of recorded hands for `glovebox bench clips`. The functions m(t) and r(t) are computed from the
// joints of a skeleton as in [Sung05, sec. 3].
#pragma once

#include <string>
#include <vector>

#include "collision/survey/clips/clip.h"
#include "tracking/hand_frame.h"
#include "vr/bench/bench.h"

namespace glovebox::vr {

/// Returns the smallest disc on the floor (x and z) that is centred at the wrist and contains every joint with its
/// radius. Its radius is r(t), the distance from the root to the farthest projected point of a limb. Joints without a
/// valid position are ignored.
collision::clips::ClipSample disc_of_hand(const tracking::HandFrame& hand);

struct RecordedClip {
    std::string take;  ///< name of the file or bundled recording, and side
    collision::clips::Clip clip;
};
/// Time step of every recorded clip, because all clips of a query must have the same step.
constexpr double kRecordedStep_s = 1.0 / 60.0;

/// Returns a clip for each hand in the bundled recordings (only in two of them if `quick`) and in the recordings that
/// the user names. Frames pass the guard, as in a session; a lost hand keeps its last disc. Throws what
/// recordings::load() throws.
std::vector<RecordedClip> recorded_clips(const BenchOptions& options);

/// Cuts a clip into pieces of at most `samples` samples. Drops a remainder that is shorter than half a piece.
std::vector<collision::clips::Clip> cut_into(const collision::clips::Clip& clip, std::size_t samples);

}  // namespace glovebox::vr
