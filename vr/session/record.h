// Records a running session in a .glove log: the raw samples, and the results computed from each sample.
//
// A replay of the log uses only the raw samples: it recomputes the results and compares the state hashes. Contacts,
// events, haptic commands, stage times and state hashes are stored for programs that read the log. The header stores
// all other inputs of a frame: the scene with its hash, the hands' profiles, the placement of the hands in the scene,
// and the sides in use.
//
// The frame thread and the haptic thread only copy into ring buffers (recordings/log/log_writer.h), without locks,
// allocation or system calls. If the disk is full or the file disappears, the session continues, and trouble() says so.
#pragma once

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "recordings/log/log_writer.h"
#include "vr/haptics/output.h"
#include "vr/session/pipeline.h"

namespace glovebox::vr::openxr {
struct ReportedHand;
}

namespace glovebox::vr {

/// Facts for a log's header that the pipeline does not know.
struct SessionFacts {
    std::string device;             ///< "openxr Monado, Valve Index", "replay of hand.csv"
    std::string scene;              ///< a built-in scene's name, or an absolute path, as for `--scene`
    bool placed_for_scene = false;  ///< the placement was computed for this scene; false: it is valid in every scene
    /// Calibration of the sensors of a glove, by side.
    tracking::PerSide<std::vector<tracking::SensorCalibration>> calibration = {};
};

/// Writes the log of one session. Call the methods from the frame thread, except where a method's comment names
/// another.
class SessionLog {
  public:
    /// Creates the file at once. Throws recordings::ExportError if it cannot.
    SessionLog(const std::filesystem::path& path, const Pipeline& pipeline, const SessionFacts& facts);

    /// Records a frame; call after each one. `raw` is the pipeline's input, with times since the session's start.
    /// `sensors` are the glove's raw sensor values from which the sample was computed; empty if there are none.
    void frame(const tracking::HandPair& raw, const Pipeline& pipeline, std::span<const float> sensors = {});
    std::int64_t frames() const { return frames_; }
    /// Waits until the ring buffers have room. For replays, which may run faster than the disk. Also returns if writing
    /// fails or the user ends the program.
    void wait_for_room();

    /// Records a haptic command; call it from the haptic thread. The command's time is on the force loop's clock, and
    /// set_command_clock() sets the log's start on that clock. A paced replay sets it in each frame, because it may run
    /// at any speed. While the start is SampleClock::kNotBegun, as at first, nothing is recorded.
    void command(const HapticCommand& command);
    /// Records the call that sent a command to the headset's runtime. `time_ns` is on the force loop's clock, too.
    void sent(std::int64_t time_ns, const openxr::ReportedHand& hand);
    void set_command_clock(std::int64_t start_ns) { command_start_ns_ = start_ns; }

    /// Returns an error message once if recording has stopped unexpectedly, otherwise an empty string. May be called
    /// every frame.
    std::string trouble();
    void annotate(std::int64_t time_ns, std::string text) { log_.annotate(time_ns, std::move(text)); }

    /// Result of finish().
    struct Outcome {
        bool complete = false;
        std::string sentence;  ///< how much is in the log; empty if the log is incomplete (see trouble())
    };
    /// Writes the remaining records and closes the file.
    Outcome finish();

  private:
    std::filesystem::path path_;
    recordings::LogWriter log_;
    std::int64_t frames_ = 0;
    std::int64_t samples_ = 0;  // frames whose sample is in the log
    std::atomic<std::int64_t> command_start_ns_ = SampleClock::kNotBegun;
    bool failure_reported_ = false;
};

/// Finishes a log and prints its size to `out`; if the log is incomplete, prints the reason to standard error. Returns
/// whether the log is complete, and true for a null log. Stop the force loop before this call.
bool finish_log(SessionLog* log, std::FILE* out = stdout);

/// Returns an output that records each command in `log`, which must outlive it, and passes it on to `inner`.
std::unique_ptr<HapticOutput> recorded_output(std::unique_ptr<HapticOutput> inner, SessionLog& log);

/// Returns a name for the scene that is valid in any folder: a built-in scene's name, or an absolute path.
std::string lasting_scene_name(const std::string& name_or_path);

/// Comparison of a replay's state hashes with those in the log.
struct RecordedHashes {
    std::uint64_t compared = 0, different = 0;
    std::int64_t first_different = -1;
    std::int64_t next = 0;  ///< the frame to compare next

    /// Compares the next frame's hash. Only frames that run in order from the first one are compared, because the state
    /// after a seek may be different.
    void compare(std::int64_t frame, std::uint64_t state_hash, const std::vector<std::uint64_t>& hashes);
};

}  // namespace glovebox::vr
