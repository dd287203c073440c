// What every source of hands looks like: a recording, a headset, a glove, a glove whose wrist a headset tracks.
//
// A session asks for raw samples and gets them one at a time, each with its three times; what comes after that is the
// same for every source (vr/session/session.h). The table of all sources is vr/session/sources.h, the gloves' protocols
// are tracking/glove/protocol.h.
//
//   while (!source.ended()) {
//       source.wait(now_ns() + 10'000'000);
//       while (source.next(now_ns(), frame)) ...frame.raw, frame.dt_s...
//   }
//
// Nothing here throws once a source is open: what goes wrong is a state and a counter in status(). One thread makes all
// calls. next() allocates nothing once warm.
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
    HandPair raw;              ///< as the source had it; times on the session's clock, which starts with the source
    double dt_s = 0.0;         ///< since the sample before; 0 for the first
    std::int64_t number = 0;   ///< of this sample, from 0
    bool starts_over = false;  ///< a recording begins again: the scene goes back to its start before this sample
};

/// Where a source stands. `waiting`: nothing has come yet. `silent`: connected, and nothing comes. `gone`: unplugged or
/// taken away, and looked for again. `ended`: nothing will come any more.
enum class SourceState : std::uint8_t { waiting, live, paused, silent, gone, ended };
std::string_view name_of(SourceState state);

struct SourceCounter {
    std::string_view name;  ///< as in the report: "unreadable", "skipped_backlog"
    std::uint64_t count = 0;
};

/// Something that the person should know: "session lost", "silent".
struct SourceNotice {
    std::string what;
    bool is_trouble = true;
    std::string line = {};  ///< for a terminal; empty: for the event list only
};

struct SourceStatus {
    SourceState state = SourceState::waiting;
    std::int64_t since_ns = 0;            ///< when that state began, monotonic
    std::vector<SourceCounter> counters;  ///< all from the start, in a fixed order
    std::string failure;                  ///< why it ended, where that is an error: the session's exit code is 1
};

/// What is known of a source besides its samples.
struct SourceFacts {
    std::string kind;                  ///< entry of the table of sources: "file", "glove"
    std::string name;                  ///< for titles: "take", "/dev/ttyUSB0"
    std::string device;                ///< for a log's header: "opengloves /dev/ttyUSB0"
    std::string format;                ///< for the report: a recording's format, or "live OpenXR"
    bool is_live = true;               ///< its time is everybody's time
    bool can_wait = false;             ///< its samples may be held up: a recording, a file of packets
    PerSide<bool> has = {true, true};  ///< hands that it can give, by Side
    PerSide<HandProfile> profiles = {default_profile(), default_profile()};  ///< by Side
    PerSide<std::vector<SensorCalibration>> calibration;                     ///< of a glove's sensors, by Side
    double rate_hz = 0.0;                                                    ///< 0: not known
    std::vector<std::string> notes;
};

class HandSource {
  public:
    virtual ~HandSource() = default;

    /// Gives the next sample that is due at `now_ns` (monotonic). False: none is. Does not block.
    virtual bool next(std::int64_t now_ns, SourceFrame& out) = 0;
    /// Returns when a sample may be due, at the latest at `until_ns`. A headset waits as long as its runtime says.
    virtual void wait(std::int64_t until_ns) = 0;

    virtual const SourceFacts& facts() const = 0;
    virtual const SourceStatus& status() const = 0;
    /// What has happened since the last call; nearly always nothing.
    virtual std::vector<SourceNotice> take_notices() { return {}; }
    bool ended() const { return status().state == SourceState::ended; }

    /// Stops and continues the samples of a recording. Of live sources what comes meanwhile is dropped.
    virtual void set_paused(bool paused) = 0;
    /// Does the person's attention belong to us? Forces stop where it does not.
    virtual bool focused() const { return true; }
    /// The raw sensor values behind the sample that was given last; empty where there are none.
    virtual std::span<const float> sensors() const { return {}; }
    /// Moves a wrist that no tracker moves, metres and radians about +Y. Sources that know the wrist ignore it.
    virtual void move_wrist(const Eigen::Vector3f& /*by_m*/, float /*turn_rad*/) {}
    /// Where the session's time 0 lies on the monotonic clock; 0 before the first sample and for recordings.
    virtual std::int64_t start_ns() const { return 0; }
};

}  // namespace glovebox::tracking
