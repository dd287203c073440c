// Faults on purpose: what trackers do on bad days, put into a good recording.
//
// A fault is written NAME[=VALUE][@START][+LENGTH], for example drop=200ms@3s or jump=0.5m@1s+300ms. Times take ms, s
// or nothing (seconds), lengths mm, cm or m. Without @ a short fault begins in the middle of the recording.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "recordings/recording.h"

namespace glovebox::recordings {

enum class FaultKind : std::uint8_t { drop, nan, zero_pose, freeze, jump, rate, latency, jitter, scale, swap_hands };

struct FaultRow {
    FaultKind kind;
    std::string_view name, value, summary;
};
std::span<const FaultRow> fault_table();

struct Fault {
    FaultKind kind = FaultKind::drop;
    double value = 0.0;      ///< seconds, metres, hertz or a factor, by the kind
    double start_s = -1.0;   ///< -1: the middle for short faults, the beginning for lasting ones
    double length_s = -1.0;  ///< -1: the kind's own
};

/// Throws std::runtime_error with a line that says what is wrong and what is possible.
Fault parse_fault(std::string_view spec);

/// When a fault was at work: from its first bad moment to its end, seconds since the first sample.
struct FaultSpell {
    Fault fault;
    double from_s = 0.0, to_s = 0.0;
    std::size_t samples = 0;  ///< that it was at work in; 0: it has changed nothing
};

/// Puts the faults in, one after the other, and says when each is at work.
/// Deterministic: the same recording and faults give the same result.
std::vector<FaultSpell> inject(std::span<const Fault> faults, Recording& recording);

/// "jump=0.5m@1s+0.3s": parse_fault() backwards, in SI units.
std::string text_of(const Fault& fault);

}  // namespace glovebox::recordings
