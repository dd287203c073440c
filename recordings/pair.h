// Joins two recordings of the same session, with one hand each, into one recording.
#pragma once

#include <limits>
#include <optional>
#include <stdexcept>

#include "recordings/recording.h"

namespace glovebox::recordings {

/// Requests the offset that is estimated from the hands' motion (clock_offset.h).
inline constexpr double kOffsetByMotion = std::numeric_limits<double>::infinity();

/// Adds the hand of `b` to the samples of `a`, or the reverse if `b` has more samples. Each sample gets the other
/// file's nearest sample in time, unchanged; or none if that is further away than the other file's median step. Clocks:
/// `offset_s` is added to the times of `b`, both counted from their starts. Without it, device times are used if they
/// overlap; otherwise both begin together, which is noted. Linear in the samples. Throws std::runtime_error with one
/// line in three cases: the files are not one left and one right hand, they do not overlap in time, or kOffsetByMotion
/// finds no unambiguous offset.
Recording joined(const Recording& a, const Recording& b, std::optional<double> offset_s = {});

}  // namespace glovebox::recordings
