// Loads recordings from files; the format is detected from the content, not from the name.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "recordings/recording.h"
#include "tracking/axes.h"
#include "tracking/rigid_track.h"
#include "tracking/user_profile.h"

namespace glovebox::recordings {

/// Thrown for bad input. The message is one line for the user, with file, row and reason.
struct ImportError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Thrown if a file ends too early. The samples before the end are good.
struct CutOff : ImportError {
    CutOff(const std::string& what, std::int64_t in_row) : ImportError(what), row(in_row) {}
    std::int64_t row = 0;  ///< the truncated row; 0 if there are no rows
};

/// Options for reading a file: facts that the user knows and the file may lack.
struct ImportOptions {
    std::optional<float> unit_m;         ///< length of the file's unit; if empty, guessed from the size of the hand
    std::optional<float> scene_unit_m;   ///< the unit that the scene gives; ignored if `unit_m` is given
    std::optional<tracking::Side> side;  ///< overrides the file and the chirality of the data
    std::optional<float> given_unit_m() const { return unit_m ? unit_m : scene_unit_m; }
    /// The only hand to read; the other hand is left out. A hand whose side the file does not define is assumed to be
    /// this hand.
    std::optional<tracking::Side> only;
    std::optional<tracking::Side> side_or_default() const { return side ? side : only; }
    /// Lengths from the last joint to the fingertip, thumb to little, for files without tips. 0 means 0.7 of the length
    /// of the bone before.
    std::array<float, tracking::kFingerCount> tip_length_m{};
    /// Track of the wrist, for recordings that are relative to the wrist: any file that load_track() reads. If it is a
    /// recording of two hands, each hand gets its own wrist. It is matched by time, or from the start if the times do
    /// not overlap. The user's tracker offset is applied.
    std::filesystem::path wrist_path;
    /// Directions of the file's axes, applied after those of its format. If they are given, joint orientations are
    /// computed from the bones, because a file without defined axes does not define its joints' frames either.
    tracking::Axes axes;
    /// The memory for reading a file is limited to this many times its size, plus kMemoryFloor. A file that needs more
    /// is refused. The factor is large because a sample of 2 kB may come from a row of two bytes.
    double memory_factor = 64.0;
    /// If true, times that run backwards are accepted, for diagnosing a file. All other uses need samples in time
    /// order.
    bool any_order = false;
    /// Bones, glove calibration and tracker offset of the recorded user; null: not known.
    std::shared_ptr<const tracking::UserProfile> user;
};

/// Memory that any file may use.
inline constexpr std::uintmax_t kMemoryFloor = std::uintmax_t{256} << 20;

/// Called once per sample, in the order of the file.
using SampleSink = std::function<void(const tracking::HandPair&)>;

/// Facts about a recording besides its samples.
struct ImportReport {
    std::string format;                     ///< name of the format
    float unit_m = 1.0F;                    ///< length of the file's unit, given or guessed
    std::vector<std::string> notes;         ///< what was synthesised, one sentence each
    std::vector<std::string> doubts;        ///< those notes that are findings, with their marks
    std::optional<double> side_confidence;  ///< 0.5..1, if left or right was decided by the shape of the hand
    /// Content of the recording that the written format cannot express, a line for each loss; set by convert().
    std::string left_out;
};

/// Reads any format of format_table() (format.h) and passes each complete sample to `sink`, so memory does not grow
/// with the file. A truncated file is read up to its end, with a note. Throws ImportError if the file is damaged, after
/// all samples before the damage have been passed. Impossible numbers (NaN, a radius of 1e20 m) are passed unchanged;
/// the guard (tracking/guard.h) handles them.
ImportReport stream(const std::filesystem::path& path, const ImportOptions& options, const SampleSink& sink);

/// Reads a whole recording and fits the hands' profiles. Throws ImportError if the file cannot be read.
Recording load(const std::filesystem::path& path, const ImportOptions& options = {});

/// Reads a rigid motion from a one-joint BVH, from a wrist file (openxr-csv with one or two poses in a row), or from
/// any other recording. From the latter, it takes the wrist of the hand options.side, or of the first hand. The unit of
/// a one-joint BVH is options.unit_m, or a centimetre. Throws ImportError if the file cannot be read.
tracking::RigidTrack load_track(const std::filesystem::path& path, const ImportOptions& options = {});

/// An entry of the table of bundled recordings, which are scripted hands with simulated tracker noise, labelled
/// synthetic.
struct SampleRow {
    std::string_view name, summary;
    std::string_view scene;  ///< name of its built-in scene
    Recording (*make)();
};
/// Returns the bundled recordings. The first, "flick", is replayed if the user names no recording.
std::span<const SampleRow> sample_table();

}  // namespace glovebox::recordings
