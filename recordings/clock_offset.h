// Estimates the clock offset between two recordings of the same session, from the times at which both hands move.
#pragma once

#include <optional>

#include "recordings/recording.h"

namespace glovebox::recordings {

struct ClockOffset {
    double offset_s = 0.0;     ///< time to add to the second recording, both counted from their starts
    double correlation = 0.0;  ///< correlation of both hands' speeds at that offset
    double next_best = 0.0;    ///< best correlation at offsets at least half a second away
    /// Returns true if the offset is unambiguous. Clapping or lifting an object together is; a steady beat is not,
    /// because it fits at every beat.
    bool is_sure() const { return correlation >= 0.6 && next_best <= correlation - 0.15; }
};

/// Returns the offset of at most half a minute with the highest correlation of the hands' speeds, over the first ten
/// minutes. Nothing if a hand does not move, or the recordings last less than two seconds. About 10 ms for a minute.
std::optional<ClockOffset> correlate_clocks(const Recording& a, tracking::Side side_a, const Recording& b,
                                            tracking::Side side_b);

}  // namespace glovebox::recordings
