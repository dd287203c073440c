// Faults on purpose: what trackers do on bad days, put into a good recording.
//
// A fault is written NAME[=VALUE][@START][+LENGTH], for example drop=200ms@3s or jump=0.5m@1s+300ms. Times take ms, s
// or nothing (seconds), lengths mm, cm or m. Without @ a short fault begins in the middle of the recording.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
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

/// When a fault is at work: from its first bad moment to its end, seconds since the first sample.
struct FaultSpell {
    Fault fault;
    double from_s = 0.0, to_s = 0.0;
    std::size_t samples = 0;  ///< that it was at work in; 0: it has changed nothing
    bool at_work = false;     ///< in the sample that a stream took last, dropped or not
};

/// Faults put into one sample after the other, as a live source gives them. Times of faults count from the stream's
/// first sample. Every kind works without knowing the future; only the middle, where a short fault begins that names no
/// time, needs the whole duration.
///
/// Memory: a few samples a fault, and for `latency` those of so long. Nothing is allocated once that has been filled.
/// Deterministic: the same samples and faults give the same result.
class FaultStream {
  public:
    /// Without a duration a short fault needs its @START: throws std::runtime_error with one line where it lacks it.
    explicit FaultStream(std::span<const Fault> faults, std::optional<double> duration_s = {});

    /// Puts the faults in, one after the other. False: the sample is dropped. Samples come in time order.
    bool pass(tracking::HandPair& sample);

    /// One per fault, in order; `samples` and `at_work` are brought up to date by pass().
    std::span<const FaultSpell> spells() const { return spells_; }

  private:
    /// What a fault remembers of the samples before.
    struct Memory {
        std::mt19937 random;        ///< of jitter
        double next_ns = 0.0;       ///< of rate: no sample before
        tracking::HandPair frozen;  ///< of freeze: the last sample outside
        bool has_frozen = false;
        std::vector<tracking::HandPair> past;  ///< of latency: a ring of samples, oldest at `oldest`
        std::size_t oldest = 0, count = 0;
    };
    bool pass_one(const FaultSpell& spell, Memory& memory, tracking::HandPair& sample) const;

    std::vector<FaultSpell> spells_;
    std::vector<Memory> memories_;
    std::optional<std::int64_t> start_ns_;  ///< time of the first sample
};

/// A FaultStream over a whole recording. The spells end where the recording does.
std::vector<FaultSpell> inject(std::span<const Fault> faults, Recording& recording);

/// "jump=0.5m@1s+0.3s": parse_fault() backwards, in SI units.
std::string text_of(const Fault& fault);

}  // namespace glovebox::recordings
