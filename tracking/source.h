// The interface of every source of hands: a recording, a headset, a glove, a glove whose wrist a headset tracks.
//
// A session gets raw samples one at a time, each with three timestamps. Everything after that is the same for all
// sources (vr/session/session.h). The table of all sources is vr/session/sources.h, the gloves' protocols
// are tracking/glove/protocol.h.
//
//   while (!source.ended()) {
//       source.wait(now_ns() + 10'000'000);
//       while (source.next(now_ns(), frame)) ...frame.raw, frame.dt_s...
//   }
//
// Nothing here throws once a source is open; trouble is a state and a counter in status(). One thread makes all calls.
// next() does not allocate once warm.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tracking/glove/calibration.h"
#include "tracking/hand_frame.h"
#include "tracking/hand_profile.h"

namespace glovebox::tracking {

/// One raw sample of both hands.
struct SourceFrame {
    HandPair raw;              ///< unchanged; times are on the session's clock, which starts with the source
    double dt_s = 0.0;         ///< since the sample before; 0 for the first
    std::int64_t number = 0;   ///< of this sample, from 0
    bool starts_over = false;  ///< a recording begins again: reset the scene before this sample
};

/// State of a source. `waiting`: no sample yet. `silent`: connected, but sends nothing. `gone`: unplugged,
/// reconnecting. `ended`: no more samples.
enum class SourceState : std::uint8_t { waiting, live, paused, silent, gone, ended };
std::string_view name_of(SourceState state);

/// A count of one kind of trouble.
struct SourceCounter {
    std::string_view name;  ///< as in the report: "unreadable", "skipped_backlog"
    std::uint64_t count = 0;
};

/// A message for the user: "session lost", "silent".
struct SourceNotice {
    std::string what;
    bool is_trouble = true;
    std::string line = {};  ///< for a terminal; empty: for the event list only
};

/// State and counters of a source.
struct SourceStatus {
    SourceState state = SourceState::waiting;
    std::int64_t since_ns = 0;            ///< when that state began, monotonic
    std::vector<SourceCounter> counters;  ///< all from the start, in a fixed order
    std::string failure;                  ///< why it ended, if that is an error; the session's exit code is then 1
};

/// Facts about a source besides its samples.
struct SourceFacts {
    std::string kind;                  ///< entry of the table of sources: "file", "glove"
    std::string name;                  ///< for titles: "take", "/dev/ttyUSB0"
    std::string device;                ///< for a log's header: "opengloves /dev/ttyUSB0"
    std::string format;                ///< for the report: a recording's format, or "live OpenXR"
    bool is_live = true;               ///< runs in real time
    bool can_wait = false;             ///< its samples may be delayed: a recording, a file of packets
    PerSide<bool> has = {true, true};  ///< hands that it can give, by Side
    PerSide<HandProfile> profiles = {default_profile(), default_profile()};  ///< by Side
    PerSide<std::vector<SensorCalibration>> calibration;                     ///< of a glove's sensors, by Side
    double rate_hz = 0.0;                                                    ///< 0: not known
    std::vector<std::string> notes;
};

/// A source of hands.
class HandSource {
  public:
    virtual ~HandSource() = default;

    /// Writes the next sample that is due at `now_ns` (monotonic) to `out`. False if none is due. Does not block.
    virtual bool next(std::int64_t now_ns, SourceFrame& out) = 0;
    /// Sleeps until a sample may be due, at most until `until_ns`. A headset waits as its runtime says.
    virtual void wait(std::int64_t until_ns) = 0;

    virtual const SourceFacts& facts() const = 0;
    virtual const SourceStatus& status() const = 0;
    /// Returns messages since the last call, usually none.
    virtual std::vector<SourceNotice> take_notices() { return {}; }
    bool ended() const { return status().state == SourceState::ended; }

    /// Pauses or resumes. Samples that a live source sends meanwhile are dropped.
    virtual void set_paused(bool paused) = 0;
    /// True if the application has the user's focus. Forces stop without it.
    virtual bool focused() const { return true; }
    /// Returns the raw sensor values of the last sample; empty if there are none.
    virtual std::span<const float> sensors() const { return {}; }
    /// Moves a wrist without tracker, metres and radians about +Y. Sources that know the wrist ignore it.
    virtual void move_wrist(const Eigen::Vector3f& /*by_m*/, float /*turn_rad*/) {}
    /// Returns the session's time 0 on the monotonic clock; 0 before the first sample and for recordings.
    virtual std::int64_t start_ns() const { return 0; }
};

}  // namespace glovebox::tracking
