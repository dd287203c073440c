// Estimates the clock offset between two recordings of the same session, from the times at which their hands move.
#pragma once

#include <optional>

#include "recordings/recording.h"

namespace glovebox::recordings {

struct ClockOffset {
    double offset_s = 0.0;     ///< time to add to the second recording, both counted from their starts
    double correlation = 0.0;  ///< correlation of both hands' speeds at that offset
    double next_best = 0.0;    ///< best correlation at offsets at least half a second away
    /// Returns true if the offset is unambiguous. It usually is if the hands clap or lift an object together. It is not
    /// if they move in a steady beat, because the motion then matches at every beat.
    bool is_sure() const { return correlation >= 0.6 && next_best <= correlation - 0.15; }
};

/// Returns the offset with the highest correlation of the hands' speeds in the first ten minutes; offsets up to half a
/// minute are tried. Returns nullopt if a recording is shorter than two seconds, or if no offset has a positive
/// correlation, as when a hand does not move. Takes about 10 ms for a minute of recording.
std::optional<ClockOffset> correlate_clocks(const Recording& a, tracking::Side side_a, const Recording& b,
                                            tracking::Side side_b);

}  // namespace glovebox::recordings
