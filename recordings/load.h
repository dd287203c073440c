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

/// The same, where the file ends too early: what came before the fault is good.
struct CutOff : ImportError {
    CutOff(const std::string& what, std::int64_t in_row) : ImportError(what), row(in_row) {}
    std::int64_t row = 0;  ///< the row that is cut; 0 where there are no rows
};

struct ImportOptions {
    std::optional<float> unit_m;         ///< length of the file's unit; guessed from the size of the hand if not given
    std::optional<tracking::Side> side;  ///< overrides what the file or the chirality of the data says
    /// The one hand that is wanted; the other is left out. Where the file does not say which hand it holds, it is this.
    std::optional<tracking::Side> only;
    std::optional<tracking::Side> side_if_untold() const { return side ? side : only; }
    /// Thumb to little: from the last joint to the fingertip, for files that have no tips. 0: 0.7 of the bone before.
    std::array<float, tracking::kFingerCount> tip_length_m{};
    /// Where the wrist was, for recordings that are relative to it: any file that load_track() reads. Paired by time;
    /// if the times do not overlap, from the start. The user's tracker offset is applied.
    std::filesystem::path wrist_path;
    /// Which way the file's axes point, on top of what its format says. Where they are given, joint orientations follow
    /// from the bones, because a file that is silent about its axes is silent about its joints' frames.
    tracking::Axes axes;
    /// What reading a file may take in memory: so many times its size, and kMemoryFloor besides. Samples are larger
    /// than the shortest rows: 2 kB for two bytes. Beyond it the file is refused.
    double memory_factor = 64.0;
    /// Time may go back: for telling what is wrong with a file. Everything else needs samples in the order of time.
    bool any_order = false;
    /// Bones, glove calibration and tracker offset of whoever was recorded; null: not known.
    std::shared_ptr<const tracking::UserProfile> user;
};

/// Small files are read whatever they hold.
inline constexpr std::uintmax_t kMemoryFloor = std::uintmax_t{256} << 20;

/// Called once per sample, in the order of the file.
using SampleSink = std::function<void(const tracking::HandPair&)>;

/// What is known of a recording besides its samples.
struct ImportReport {
    std::string format;                     ///< name of the format's row
    float unit_m = 1.0F;                    ///< length of the file's unit, as given or as guessed
    std::vector<std::string> notes;         ///< what was synthesised, one sentence each
    std::optional<double> side_confidence;  ///< 0.5..1, where left or right was told by the shape of the hand
    std::string left_out;                   ///< by convert(): what the format written has no room for, in a sentence
};

/// Reads any format of format_table() (format.h) and hands out each sample when it is complete: memory does not grow
/// with the file. A file that is cut off is read up to there, with a note. Throws ImportError; samples before the fault
/// have been handed out by then. Numbers that no hand has (NaN, a radius of 1e20 m) are handed out as they are: holding
/// them back is the guard's work (tracking/guard.h).
ImportReport stream(const std::filesystem::path& path, const ImportOptions& options, const SampleSink& sink);

/// The same, collected, with the hands' profiles fitted. Throws ImportError.
Recording load(const std::filesystem::path& path, const ImportOptions& options = {});

/// The rigid motion in a one-joint BVH, of the wrist in a wrist file (format openxr-csv with one or two poses a row),
/// or of the wrist of a hand in any other recording (options.side, or the first that is there). A BVH's unit cannot be
/// guessed from one joint: it is options.unit_m, or a centimetre. Throws ImportError.
tracking::RigidTrack load_track(const std::filesystem::path& path, const ImportOptions& options = {});

/// Generated recordings with a name instead of a file: scripted hands with a tracker's noise, labelled synthetic.
struct SampleRow {
    std::string_view name, summary;
    std::string_view scene;  ///< the built-in scene that it plays in
    Recording (*make)();
};
std::span<const SampleRow> sample_table();  ///< the first is what runs with no arguments: "flick"

}  // namespace glovebox::recordings
