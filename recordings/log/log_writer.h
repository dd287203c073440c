// The recorder: takes samples and what was made of them, and keeps them in a .glove log.
//
// The threads that produce are never held up: each put is one copy into a ring (no lock, no allocation, no system
// call). A thread of the log's own empties the rings ten times a second in one transaction each (SQLite, WAL), so that
// a process killed at any instant loses the last 100 ms or so and nothing older. When the disk is full or the file is
// taken away, recording stops, status() says why, and the session goes on.
//
// The file appears with its first sample or sensor word: a device that stays silent leaves none. It replaces no file.
// If another program has taken the name by then, the log goes to a numbered one beside it, and status() tells it.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "recordings/load.h"
#include "recordings/log/application_log.h"
#include "tracking/glove/calibration.h"
#include "tracking/hand_parts.h"

namespace glovebox::recordings {

/// What a log says of itself before its first sample.
struct LogHeader {
    std::map<std::string, std::string> meta;  ///< "device", "scene", "scene_hash", "method", "version" ...
    tracking::PerSide<tracking::HandProfile> profiles = {tracking::default_profile(), tracking::default_profile()};
    tracking::PerSide<std::vector<tracking::SensorCalibration>> calibration;
    bool of_application = false;  ///< with the tables for what an OpenXR application was given (application_log.h)
};

/// One frame's derived values. Stage times in the order of the report: ingest, refit, test, exact, step, haptics,
/// total.
struct FrameRecord {
    std::int64_t sample = 0;  ///< number of the sample, from 0
    std::uint64_t state_hash = 0;
    std::array<float, 7> stage_us{};
};
struct ContactRecord {
    std::int64_t sample = 0;
    tracking::Side side = tracking::Side::right;
    std::int32_t bone = 0, object = 0;
    float distance_m = 0.0F;
    Eigen::Vector3f point_m = Eigen::Vector3f::Zero(), normal = Eigen::Vector3f::Zero();
};
struct EventRecord {
    std::int64_t time_ns = 0;
    std::array<char, 32> kind{};  ///< zero-terminated
    tracking::Side side = tracking::Side::right;
    std::int32_t finger = -1, object = -1;
};
/// What the force loop asked of every output.
struct ForceRecord {
    std::int64_t time_ns = 0;
    tracking::Side side = tracking::Side::right;
    std::array<float, tracking::kHandPartCount> force{}, vibration{};  ///< 0..1; thumb .. little, palm
};
struct WordRecord {
    std::int64_t time_ns = 0;
    tracking::Side side = tracking::Side::right;
    std::array<std::uint16_t, 32> words{};
    std::uint32_t count = 0;
};

struct LogStatus {
    std::int64_t samples_written = 0;
    std::int64_t dropped = 0;    ///< records for which there was no room
    std::string error;           ///< why recording has stopped; empty while it goes on
    std::filesystem::path path;  ///< where the log is, or will be
};

class LogWriter {
  public:
    /// Throws ExportError where the file cannot be made, or there is one already.
    LogWriter(const std::filesystem::path& path, const LogHeader& header);
    ~LogWriter();  ///< writes what is left

    /// From the frame thread. Under 2 us; never waits; what finds no room is counted and dropped.
    void sample(const tracking::HandPair& sample) noexcept;
    /// The same for those who can wait: false if there is no room now.
    bool put(const tracking::HandPair& sample) noexcept;
    void frame(const FrameRecord& record) noexcept;
    void contact(const ContactRecord& record) noexcept;
    void event(const EventRecord& record) noexcept;
    void words(const WordRecord& record) noexcept;
    void haptic(const HapticRecord& record) noexcept;
    /// For logs of an application; in others these are dropped.
    void pose(const AppPose& record) noexcept;
    void app_frame(const AppFrame& record) noexcept;
    void action_state(const ActionState& record) noexcept;
    /// From the haptic thread.
    void force(const ForceRecord& record) noexcept;
    /// Is every ring less than half full? For those who can wait before they go on; it takes no lock.
    bool has_room() const noexcept;
    /// From anywhere; these may wait for the writer.
    void profiles(const tracking::PerSide<tracking::HandProfile>& hands);  ///< replaces those of the header
    void hurry();  ///< write now, not at the next tenth of a second
    void annotate(std::int64_t time_ns, std::string text);
    void action(const AppAction& action);
    void interaction_profile(InteractionProfile profile);
    LogStatus status() const;
    /// Has recording stopped by itself? Takes no lock: for the frame thread.
    bool failed() const noexcept;

    /// Writes what is left and closes the file: one file, nothing beside it; of nothing, no file. Throws ExportError if
    /// anything was lost.
    void close();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// A recording that is in memory, as a log. Throws ExportError, also where expect_replaceable() does.
void save_log(const Recording& recording, const std::filesystem::path& to, bool force = false);

/// Copies a recording into a log, however large, with nothing dropped. Throws ImportError or ExportError.
ImportReport convert_to_log(const std::filesystem::path& from, const std::filesystem::path& to,
                            const ImportOptions& options, bool force = false);

}  // namespace glovebox::recordings
