// Joins two recordings of the same session, with one hand each, into one recording.
#pragma once

#include <limits>
#include <optional>
#include <stdexcept>

#include "recordings/recording.h"

namespace glovebox::recordings {

/// Requests the offset that is estimated from the hands' motion (clock_offset.h).
inline constexpr double kOffsetByMotion = std::numeric_limits<double>::infinity();

/// Adds the hand of `b` to the samples of `a`, or the hand of `a` to those of `b` if `b` has more samples. Each sample
/// gets the hand of the other recording's sample nearest in time, unchanged. It gets no hand if that sample is further
/// away than the other recording's median step.
///
/// Times count from the start of each recording, and `offset_s` is added to those of `b`. Without `offset_s`, device
/// times are used if they overlap. Otherwise both recordings are assumed to begin at the same time. A note says which
/// clock was used and how long both recordings last together. If the clocks are no evidence of one take, because they
/// begin near zero and the recordings do not end together, or because they overlap little, the note says so.
///
/// Takes time linear in the number of samples. Throws std::runtime_error with one line in three cases: the recordings
/// do not have one left and one right hand, they do not overlap in time (of two Unix clocks, never assumed to begin
/// together), or kOffsetByMotion finds no unambiguous offset.
Recording joined(const Recording& a, const Recording& b, std::optional<double> offset_s = {});

}  // namespace glovebox::recordings
