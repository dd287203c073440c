// How far apart the clocks of two recordings of one take are, told by when both hands move.
#pragma once

#include <optional>

#include "recordings/recording.h"

namespace glovebox::recordings {

struct ClockOffset {
    double offset_s = 0.0;     ///< the second recording is so much later than its file says, from its start on
    double correlation = 0.0;  ///< of both hands' speeds with that offset
    double next_best = 0.0;    ///< of any other offset, half a second away or more
    /// Does the motion tell? Hands that clap, or lift one thing together, do; a steady beat fits at every beat.
    bool is_sure() const { return correlation >= 0.6 && next_best <= correlation - 0.15; }
};

/// The offset of highest correlation of the hands' speeds, within half a minute, over the first ten minutes. Nothing if
/// the two do not move, or last less than two seconds. Some ten milliseconds for a minute.
std::optional<ClockOffset> correlate_clocks(const Recording& a, tracking::Side side_a, const Recording& b,
                                            tracking::Side side_b);

}  // namespace glovebox::recordings
