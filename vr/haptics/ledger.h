// What each haptic command was based on and how late it was: the deadline ledger.
//
// Two questions, two histograms: did the force loop keep its own millisecond (due -> sent), and how old was what the
// device was told (the chain from the hand's sample to the first command that knew of it). Both are counted against the
// periods that matter: 1 ms and the displays' frames.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "scenes/haptics.h"
#include "vr/session/stage_stats.h"

namespace glovebox::vr {

/// Links of the chain, each from the one before it.
enum class Link : std::uint8_t { arrival, refit, test, exact, command };
inline constexpr int kLinkCount = 5;
std::string_view name_of(Link link);

struct Deadline {
    std::string_view name;
    std::int64_t limit_ns;
};
inline constexpr std::array<Deadline, 5> kDeadlines = {{{"1 ms", 1'000'000},
                                                        {"1/120 s", 8'333'333},
                                                        {"1/90 s", 11'111'111},
                                                        {"1/72 s", 13'888'889},
                                                        {"1/30 s", 33'333'333}}};

/// One chain, station by station; monotonic clock.
struct ChainEntry {
    std::uint64_t number = 0;  ///< counts up from 1; 0: no entry
    scenes::FrameStamps stamps;
    std::int64_t command_ns = 0;
};

struct DeadlineLedger {
    static constexpr std::size_t kChainsKept = 64;  ///< half a second of frames, for whoever draws each of them
    DurationHistogram tick;                         ///< due -> done, of every tick
    DurationHistogram work;                         ///< start -> done: what the tick itself cost
    DurationHistogram lateness;                     ///< due -> start: what the operating system cost
    DurationHistogram response;                     ///< arrival -> first command that knew of the sample
    DurationHistogram age;                          ///< sample -> first command with the pads where the sample has them
    std::array<DurationHistogram, kLinkCount> links;
    std::array<std::uint64_t, kDeadlines.size()> late_ticks{}, late_responses{};  ///< longer than the deadline
    std::uint64_t own_misses = 0;  ///< ticks that took more than a millisecond of the processor: ours, not the system's
    std::uint64_t skipped_ticks = 0;  ///< not run at all because the one before took over their time
    std::uint64_t commands = 0, stops = 0;
    std::int64_t last_tick_ns = 0, last_response_ns = 0, last_age_ns = 0;
    std::array<ChainEntry, kChainsKept> chains;  ///< the newest, by number modulo their count
    std::uint64_t chain_count = 0;
    std::uint64_t not_finite = 0;  ///< forces that were not numbers; always 0 unless something is broken

    void add_tick(std::int64_t due_ns, std::int64_t start_ns, std::int64_t done_ns);
    /// Once per frame that reached the force loop.
    void add_chain(const scenes::FrameStamps& stamps, std::int64_t command_ns);
    /// Once per frame, when the pads have gone the way to where it has them, or are sent on by the next one.
    void add_arrival(const scenes::FrameStamps& stamps, std::int64_t command_ns);
    const ChainEntry& chain(std::uint64_t number) const { return chains[number % kChainsKept]; }
};

}  // namespace glovebox::vr
