// The recorder: writes samples and the values computed from them to a .glove log, without blocking the producers.
//
// A record is put into a ring buffer with one copy, without a lock, an allocation or a system call. Ten times a second,
// a background thread writes the contents of all rings to the log in one transaction (SQLite, WAL). A process that is
// killed at any instant loses about the last 100 ms and nothing older. If the disk is full or the file disappears,
// recording stops, status() reports the reason, and the session continues.
//
// The file is created with the first sample or sensor value, so a silent device leaves no file. An existing file is
// never replaced. If another program has created a file at the path by then, the log gets a numbered name in the same
// folder, which status() reports.
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

/// The header of a log.
struct LogHeader {
    std::map<std::string, std::string> meta;  ///< "device", "scene", "scene_hash", "method", "version" ...
    tracking::PerSide<tracking::HandProfile> profiles = {tracking::default_profile(), tracking::default_profile()};
    tracking::PerSide<std::vector<tracking::SensorCalibration>> calibration;
    bool of_application = false;     ///< adds the tables of an OpenXR application (application_log.h)
    bool numbered_if_taken = false;  ///< a taken name gets a number, as in take-2.glove, and no error
};

/// Values that are computed for one frame. The stage times are in the order of the report: ingest, refit, test, exact,
/// step, haptics, total.
struct FrameRecord {
    std::int64_t sample = 0;  ///< index of the sample
    std::uint64_t state_hash = 0;
    std::array<float, 7> stage_us{};
};
/// A bone that touches an object in a frame. Values that are not known are NaN, and null in the log.
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
/// The force loop's command to every output. For a device that limits motion, the force is the blocked fraction of the
/// finger's range.
struct ForceRecord {
    std::int64_t time_ns = 0;
    tracking::Side side = tracking::Side::right;
    std::array<float, tracking::kHandPartCount> force{}, vibration{};  ///< 0..1; from thumb to little finger, then palm
};
struct WordRecord {
    std::int64_t time_ns = 0;
    tracking::Side side = tracking::Side::right;
    std::array<std::uint16_t, 32> words{};
    std::uint32_t count = 0;
};

struct LogStatus {
    std::int64_t samples_written = 0;
    std::int64_t dropped = 0;    ///< records dropped because a ring was full
    std::string error;           ///< why recording has stopped; empty while it continues
    std::filesystem::path path;  ///< path of the log, which may not exist yet
};

class LogWriter {
  public:
    /// Starts the writer. Throws ExportError if the file cannot be created or exists already.
    LogWriter(const std::filesystem::path& path, const LogHeader& header);
    ~LogWriter();  ///< writes the records that are left

    /// Call these from the frame thread. Each takes under 2 microseconds and never waits. If a ring is full, the record
    /// is dropped and counted.
    bool sample(const tracking::HandPair& sample) noexcept;  ///< returns false if the sample was dropped
    /// Does the same as sample(), for callers that can retry. If there is no room now, returns false and counts no
    /// dropped record.
    bool put(const tracking::HandPair& sample) noexcept;
    void frame(const FrameRecord& record) noexcept;
    void contact(const ContactRecord& record) noexcept;
    void event(const EventRecord& record) noexcept;
    void words(const WordRecord& record) noexcept;
    void haptic(const HapticRecord& record) noexcept;
    /// Call these for logs of an application; in other logs the records are dropped.
    void pose(const AppPose& record) noexcept;
    void app_frame(const AppFrame& record) noexcept;
    void action_state(const ActionState& record) noexcept;
    void velocity(const HandVelocity& record) noexcept;
    /// Call it from the haptic thread.
    void force(const ForceRecord& record) noexcept;
    /// Returns true if every ring is less than half full, for callers that can wait. Takes no lock.
    bool has_room() const noexcept;
    /// Call these from any thread; they may wait for the writer.
    void profiles(const tracking::PerSide<tracking::HandProfile>& hands);  ///< replaces those of the header
    void flush_soon();  ///< writes now, not at the next tenth of a second
    void annotate(std::int64_t time_ns, std::string text);
    void action(const AppAction& action);
    void interaction_profile(InteractionProfile profile);
    LogStatus status() const;
    /// Returns true if recording has stopped because of an error. Takes no lock, so the frame thread may call it.
    bool failed() const noexcept;

    /// Writes the records that are left and closes the file, with no -wal left beside it. If there were no records, no
    /// file exists. Throws ExportError if recording had stopped because of an error.
    void close();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Writes a recording in memory to a log. Throws ExportError if the log cannot be written or expect_replaceable()
/// throws.
void save_log(const Recording& recording, const std::filesystem::path& to, bool force = false);

/// Converts a recording of any size to a log without dropping records. Throws ImportError if the recording cannot be
/// read, and ExportError if the log cannot be written.
ImportReport convert_to_log(const std::filesystem::path& from, const std::filesystem::path& to,
                            const ImportOptions& options, bool force = false);

}  // namespace glovebox::recordings
