// Two recordings of one take, a hand in each, as one recording.
#pragma once

#include <limits>
#include <optional>
#include <stdexcept>

#include "recordings/recording.h"

namespace glovebox::recordings {

/// Stands for the offset that the hands' motion tells (clock_offset.h).
inline constexpr double kOffsetByMotion = std::numeric_limits<double>::infinity();

/// Puts the hand of `b` into the samples of `a`, or the other way round where `b` has more samples: to each sample the
/// other file's nearest in time is taken as it is, and none if that is further away than the other file's median step.
/// Clocks: `b` is `offset_s` later than its file says, from its start on; without an offset device times are compared
/// if they overlap, else both begin together, which is noted. Throws std::runtime_error, in one line, unless one of
/// them has only a left hand and the other only a right one, and where kOffsetByMotion finds no offset for sure. Linear
/// in the samples.
Recording joined(const Recording& a, const Recording& b, std::optional<double> offset_s = {});

}  // namespace glovebox::recordings
