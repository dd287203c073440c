// The deadline ledger: statistics of the latency of haptic commands and of the samples on which they are based.
//
// It measures whether the force loop keeps its period of 1 ms (due -> sent). It also measures the age of the loop's
// input, as the chain from the hand's sample to the first command based on that sample. It counts how often either
// exceeds common deadlines, which are 1 ms and the frame periods of displays.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "scenes/haptics.h"
#include "vr/session/stage_stats.h"

namespace glovebox::vr {

/// Links of the chain. A link's time runs from the end of the link before it; that of the first link runs from the
/// sample.
enum class Link : std::uint8_t { arrival, refit, test, exact, command };
inline constexpr int kLinkCount = 5;
std::string_view name_of(Link link);

/// A period with which latencies are compared.
struct Deadline {
    std::string_view name;
    std::int64_t limit_ns;
};
inline constexpr std::array<Deadline, 5> kDeadlines = {{{"1 ms", 1'000'000},
                                                        {"1/120 s", 8'333'333},
                                                        {"1/90 s", 11'111'111},
                                                        {"1/72 s", 13'888'889},
                                                        {"1/30 s", 33'333'333}}};

/// Times of one chain, on the monotonic clock.
struct ChainEntry {
    std::uint64_t number = 0;  ///< counts up from 1; 0: no entry
    scenes::FrameStamps stamps;
    std::int64_t command_ns = 0;
};

/// Histograms and counters of a force loop.
struct DeadlineLedger {
    static constexpr std::size_t kChainsKept = 64;  ///< about half a second of frames, for drawing
    DurationHistogram tick;                         ///< due -> done, of every tick
    DurationHistogram work;                         ///< start -> done: cost of the tick itself
    DurationHistogram lateness;                     ///< due -> start: delay caused by the operating system
    DurationHistogram call;                         ///< duration of HapticOutput::send(), of every command
    DurationHistogram response;                     ///< arrival -> first command based on the sample
    /// Sample -> first command for which the finger pads have reached the sample's pose.
    DurationHistogram age;
    std::array<DurationHistogram, kLinkCount> links;
    /// Number of latencies that exceeded each deadline.
    std::array<std::uint64_t, kDeadlines.size()> late_ticks{}, late_responses{};
    std::uint64_t own_misses = 0;     ///< ticks that used more than 1 ms of CPU time; the system did not cause these
    std::uint64_t skipped_ticks = 0;  ///< ticks not run because an earlier tick took too long
    std::uint64_t commands = 0, stops = 0;
    std::int64_t last_tick_ns = 0, last_response_ns = 0, last_age_ns = 0;
    std::array<ChainEntry, kChainsKept> chains;  ///< the newest ones; index: number modulo kChainsKept
    std::uint64_t chain_count = 0;
    std::uint64_t not_finite = 0;  ///< forces that were not finite; 0 unless there is a bug

    void add_tick(std::int64_t due_ns, std::int64_t start_ns, std::int64_t done_ns);
    /// Adds the chain of a frame; called once per frame that reaches the force loop.
    void add_chain(const scenes::FrameStamps& stamps, std::int64_t command_ns);
    /// Adds the age of a frame. Called once per frame, when the finger pads have reached the frame's pose or the next
    /// frame replaces it.
    void add_arrival(const scenes::FrameStamps& stamps, std::int64_t command_ns);
    const ChainEntry& chain(std::uint64_t number) const { return chains[number % kChainsKept]; }
};

}  // namespace glovebox::vr
