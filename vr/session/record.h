// A session as it happens, kept in a .glove log: the raw samples, and beside each what was made of it.
//
// Raw samples are what is kept; contacts, events, haptic commands, stage times and the state hash of each frame are
// derived and come along for whoever looks. A replay of the log makes them again and compares the hashes, so the header
// carries everything else that a frame depends on: the scene with its fingerprint, the hands' profiles, where the hands
// were put in the scene, and the sides in use.
//
// The frame thread and the haptic thread only copy into rings (recordings/log/log_writer.h): no lock, no allocation, no
// system call. When the disk is full or the file is taken away, the session goes on and trouble() says so.
#pragma once

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <limits>
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

/// What a log says of its session besides what the pipeline knows.
struct SessionFacts {
    std::string device;             ///< "openxr Monado, Valve Index", "replay of hand.csv"
    std::string scene;              ///< as `--scene` takes it: a built-in scene's name, or an absolute path
    bool placed_for_scene = false;  ///< the placement was found for this scene; false: it holds in every scene
    tracking::PerSide<std::vector<tracking::SensorCalibration>> calibration = {};  ///< of a glove, by Side
};

class SessionLog {
  public:
    /// Creates the file at once. Throws recordings::ExportError.
    SessionLog(const std::filesystem::path& path, const Pipeline& pipeline, const SessionFacts& facts);

    /// Frame thread, after each frame. `raw` as it went into the pipeline, its times from the session's start on.
    /// `sensors`: the glove's raw values behind the sample; empty: it has none.
    void frame(const tracking::HandPair& raw, const Pipeline& pipeline, std::span<const float> sensors = {});
    std::int64_t frames() const { return frames_; }
    /// For replays, which can wait: returns when the disk has caught up, at once if it keeps pace.
    void wait_for_room();

    /// Haptic thread. Commands are stamped on another clock: `start_ns` of it is the session's start. Before there is
    /// one (kNotBegun) nothing can have been felt, and nothing is kept.
    void command(const HapticCommand& command);
    /// Frame thread: what the headset was told of it, on the same clock.
    void told(std::int64_t time_ns, const openxr::ReportedHand& hand);
    static constexpr std::int64_t kNotBegun = std::numeric_limits<std::int64_t>::max();
    void set_command_clock(std::int64_t start_ns) { command_start_ns_ = start_ns; }

    /// A sentence, once, when recording has stopped by itself; empty otherwise. Cheap.
    std::string trouble();
    void annotate(std::int64_t time_ns, std::string text) { log_.annotate(time_ns, std::move(text)); }

    /// Writes what is left.
    struct Outcome {
        bool complete = false;
        std::string sentence;  ///< how much is in the log; not complete: nothing, trouble() says it
    };
    Outcome finish();

  private:
    std::filesystem::path path_;
    recordings::LogWriter log_;
    std::int64_t frames_ = 0;
    std::atomic<std::int64_t> command_start_ns_ = 0;
    bool told_ = false;
};

/// Ends a log and says on `told` what is in it, or on standard error why it is not whole. False: it is not.
/// A null log is fine. The force loop must have been stopped before.
bool finish_log(SessionLog* log, std::FILE* told = stdout);

/// An output that keeps what it passes on.
std::unique_ptr<HapticOutput> recorded_output(std::unique_ptr<HapticOutput> inner, SessionLog& log);

/// The name under which a scene can be found again from any folder.
std::string lasting_scene_name(const std::string& name_or_path);

/// A replay's frames against those that the log was recorded with.
struct RecordedHashes {
    std::uint64_t compared = 0, different = 0;
    std::int64_t first_different = -1;

    /// Only frames in order from the first one count: after a jump the state is another one, rightly.
    void compare(std::int64_t frame, std::uint64_t state_hash, const std::vector<std::uint64_t>& hashes);
};

}  // namespace glovebox::vr
