// The interface of all hand sources: recordings, headsets, gloves, and gloves whose wrist a headset tracks.
//
// A session gets raw samples one at a time, each with three timestamps (SampleTimes in hand_frame.h). The later stages
// do not depend on the source (vr/session/session.h). The table of all sources is in vr/session/sources.h; the glove
// protocols are in tracking/glove/protocol.h.
//
//   while (!source.ended()) {
//       source.wait(now_ns() + 10'000'000);
//       while (source.next(now_ns(), frame)) ...frame.raw, frame.dt_s...
//   }
//
// Once a source is open, nothing here throws; errors appear as a state and counters in status(). Not thread-safe: make
// all calls from one thread. After the first samples, next() does not allocate.
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
    HandPair raw;              ///< poses as received; times are on the session's clock, which starts with the source
    double dt_s = 0.0;         ///< time since the previous sample; 0 for the first
    std::int64_t number = 0;   ///< index of this sample, from 0
    bool starts_over = false;  ///< true if a looped recording restarts; reset the scene first
};

/// State of a source. `waiting`: there was no sample yet. `silent`: the device is connected but sends nothing. `gone`:
/// the device is disconnected, and the source tries to reconnect. `ended`: no more samples will come.
enum class SourceState : std::uint8_t { waiting, live, paused, silent, gone, ended };
std::string_view name_of(SourceState state);

/// A counter of events, such as one kind of error.
struct SourceCounter {
    std::string_view name;  ///< name in the report, such as "unreadable" or "skipped_backlog"
    std::uint64_t count = 0;
};

/// A message for the user: "session lost", "silent".
struct SourceNotice {
    std::string what;
    bool is_trouble = true;
    std::string line = {};  ///< text for a terminal; if empty, the notice is only in the event list
};

/// State and counters of a source.
struct SourceStatus {
    SourceState state = SourceState::waiting;
    std::int64_t since_ns = 0;            ///< when that state began, monotonic
    std::vector<SourceCounter> counters;  ///< all exist from the start, in a fixed order
    std::string failure;                  ///< the error that ended the source, if any; the exit code is then 1
};

/// Facts about a source besides its samples.
struct SourceFacts {
    std::string kind;                  ///< entry of the table of sources, such as "file" or "glove"
    std::string name;                  ///< name for titles, such as "take" or "/dev/ttyUSB0"
    std::string device;                ///< text for a log's header, such as "opengloves /dev/ttyUSB0"
    std::string format;                ///< text for the report: the format of a recording, or "live OpenXR"
    bool is_live = true;               ///< true if samples come in real time
    bool can_wait = false;             ///< true if late reading loses no samples, as with a recording
    PerSide<bool> has = {true, true};  ///< hands that it can provide, by Side
    PerSide<HandProfile> profiles = {default_profile(), default_profile()};  ///< by Side
    PerSide<std::vector<SensorCalibration>> calibration;                     ///< of a glove's sensors, by Side
    double rate_hz = 0.0;                                                    ///< 0: not known
    std::vector<std::string> notes;
};

/// A source of hands.
class HandSource {
  public:
    virtual ~HandSource() = default;

    /// Writes the next sample that is due at `now_ns` (monotonic) to `out`. Returns false if none is due. Does not
    /// block.
    virtual bool next(std::int64_t now_ns, SourceFrame& out) = 0;
    /// Sleeps until a sample may be due, at most until `until_ns`. The source of a headset may block longer, as long as
    /// its runtime requires.
    virtual void wait(std::int64_t until_ns) = 0;

    virtual const SourceFacts& facts() const = 0;
    virtual const SourceStatus& status() const = 0;
    /// Returns the messages since the previous call; usually there are none.
    virtual std::vector<SourceNotice> take_notices() { return {}; }
    bool ended() const { return status().state == SourceState::ended; }

    /// Pauses or resumes. Samples that a live source sends meanwhile are dropped.
    virtual void set_paused(bool paused) = 0;
    /// Returns true if the application has the user's focus. Forces stop while it has not.
    virtual bool focused() const { return true; }
    /// Returns the raw sensor values of the last sample; empty if there are none.
    virtual std::span<const float> sensors() const { return {}; }
    /// Moves the wrist of an untracked glove by `by_m` (world, metres) and turns it by `turn_rad` about its own +Y
    /// axis. Sources that track the wrist ignore it.
    virtual void move_wrist(const Eigen::Vector3f& /*by_m*/, float /*turn_rad*/) {}
    /// Returns the monotonic time at which session time is 0; 0 before the first sample and for recordings.
    virtual std::int64_t start_ns() const { return 0; }
};

}  // namespace glovebox::tracking
