// Fault injection: adds typical tracker faults to a good recording.
//
// A fault is written NAME[=VALUE][@START][+LENGTH], for example drop=200ms@3s or jump=0.5m@1s+300ms. Times are in ms or
// s (the default), distances in mm, cm or m. A short fault without @START begins in the middle of the recording.
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

/// The kinds of faults; fault_table() describes them.
enum class FaultKind : std::uint8_t { drop, nan, zero_pose, freeze, jump, rate, latency, jitter, scale, swap_hands };

/// An entry of the table of faults.
struct FaultRow {
    FaultKind kind;
    std::string_view name, value, summary;  ///< `value`: its quantity, such as "time"; empty: the fault takes no value
};
/// Returns all kinds of faults.
std::span<const FaultRow> fault_table();

/// One fault, as parse_fault() reads it.
struct Fault {
    FaultKind kind = FaultKind::drop;
    double value = 0.0;      ///< seconds, metres, hertz or a factor, depending on the kind
    double start_s = -1.0;   ///< -1: the middle for short faults, the beginning for others
    double length_s = -1.0;  ///< -1: the kind's default
};

/// Parses a fault. Throws std::runtime_error with a line that describes the error and the possible values.
Fault parse_fault(std::string_view spec);

/// The active interval of a fault, in seconds since the first sample.
struct FaultSpell {
    Fault fault;
    double from_s = 0.0, to_s = 0.0;
    std::size_t samples = 0;  ///< number of samples in which it was active; 0: it changed nothing
    bool is_active = false;   ///< active in the last sample of the stream, dropped or not
};

/// Injects faults into a sequence of samples, such as those of a live source. Times of faults count from the stream's
/// first sample. No kind of fault needs future samples. A short fault without a start time begins in the middle of the
/// stream; only such a fault needs the duration.
///
/// A fault takes the memory of a few samples, and a `latency` fault that of all samples within the latency. Once this
/// memory is filled, nothing is allocated. The same samples and faults give the same result.
class FaultStream {
  public:
    /// Throws std::runtime_error with one line if a short fault has no @START and no duration is given.
    explicit FaultStream(std::span<const Fault> faults, std::optional<double> duration_s = {});

    /// Applies all faults to a sample, in their order. Returns false if the sample is dropped. Pass samples in time
    /// order.
    bool pass(tracking::HandPair& sample);

    /// Returns one entry per fault, in order; pass() updates `samples` and `is_active`.
    std::span<const FaultSpell> spells() const { return spells_; }

  private:
    /// The state of a fault between samples.
    struct Memory {
        std::mt19937 random;        ///< for `jitter`
        double next_ns = 0.0;       ///< for `rate`: time of the next sample that passes
        tracking::HandPair frozen;  ///< for `freeze`: last sample before the fault
        bool has_frozen = false;
        std::vector<tracking::HandPair> past;  ///< for `latency`: a ring of samples, oldest at `oldest`
        std::size_t oldest = 0, count = 0;
    };
    bool pass_one(const FaultSpell& spell, Memory& memory, tracking::HandPair& sample) const;

    std::vector<FaultSpell> spells_;
    std::vector<Memory> memories_;
    std::optional<std::int64_t> start_ns_;  ///< time of the first sample
};

/// Injects faults into a whole recording. The intervals end at the recording's end.
std::vector<FaultSpell> inject(std::span<const Fault> faults, Recording& recording);

/// Returns the text of a fault in SI units, such as "jump=0.5m@1s+0.3s", which parse_fault() reads.
std::string text_of(const Fault& fault);

}  // namespace glovebox::recordings
