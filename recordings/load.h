// Files to recordings: by content, whatever the file is called.
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

/// Bad input: what is wrong, in which file, at which row. One line, fit to be shown.
struct ImportError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The file ends too early; samples before the fault are good.
struct CutOff : ImportError {
    CutOff(const std::string& what, std::int64_t in_row) : ImportError(what), row(in_row) {}
    std::int64_t row = 0;  ///< the truncated row; 0 if there are no rows
};

/// What the user says about a file that the file does not say itself.
struct ImportOptions {
    std::optional<float> unit_m;         ///< length of the file's unit; guessed from the size of the hand if not given
    std::optional<tracking::Side> side;  ///< overrides the file and the chirality of the data
    /// The only hand to read; the other is left out. A file that does not name its hand is taken to have this one.
    std::optional<tracking::Side> only;
    std::optional<tracking::Side> side_if_untold() const { return side ? side : only; }
    /// Thumb to little: from the last joint to the fingertip, for files that have no tips. 0: 0.7 of the bone before.
    std::array<float, tracking::kFingerCount> tip_length_m{};
    /// Track of the wrist, for recordings relative to it: any file that load_track() reads. Paired by time, or from the
    /// start if the times do not overlap. The user's tracker offset is applied.
    std::filesystem::path wrist_path;
    /// Directions of the file's axes, after those of its format. If given, joint orientations are computed from the
    /// bones, because such a file does not define its joints' frames either.
    tracking::Axes axes;
    /// Memory limit for reading a file: this many times its size, plus kMemoryFloor. Samples are larger than the
    /// shortest rows: 2 kB for two bytes. A file that needs more is refused.
    double memory_factor = 64.0;
    /// Time may run backwards: for diagnosing a file. All other uses need samples in the order of time.
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
    float unit_m = 1.0F;                    ///< length of the file's unit, as given or as guessed
    std::vector<std::string> notes;         ///< what was synthesised, one sentence each
    std::optional<double> side_confidence;  ///< 0.5..1, if left or right was decided by the shape of the hand
    std::string left_out;                   ///< set by convert(): what the written format cannot express, in a sentence
};

/// Reads any format of format_table() (format.h) and passes each complete sample to `sink`, so memory does not grow
/// with the file. A truncated file is read up to its end, with a note. Throws ImportError after the samples before the
/// fault have been passed. Impossible numbers (NaN, a radius of 1e20 m) are passed unchanged; the guard
/// (tracking/guard.h) handles them.
ImportReport stream(const std::filesystem::path& path, const ImportOptions& options, const SampleSink& sink);

/// Reads a whole recording and fits the hands' profiles. Throws ImportError.
Recording load(const std::filesystem::path& path, const ImportOptions& options = {});

/// Reads a rigid motion: a one-joint BVH, a wrist file (openxr-csv with one or two poses in a row), or the wrist of a
/// hand in any other recording (options.side, or the first hand). The unit of a one-joint BVH is options.unit_m, or a
/// centimetre. Throws ImportError.
tracking::RigidTrack load_track(const std::filesystem::path& path, const ImportOptions& options = {});

/// An entry of the bundled recordings: scripted hands with a tracker's noise, labelled synthetic.
struct SampleRow {
    std::string_view name, summary;
    std::string_view scene;  ///< the built-in scene that it plays in
    Recording (*make)();
};
std::span<const SampleRow> sample_table();  ///< the first, "flick", runs without arguments

}  // namespace glovebox::recordings
