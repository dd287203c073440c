// Files to recordings: by content, whatever the file is called.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "recordings/recording.h"
#include "tracking/rigid_track.h"

namespace glovebox::recordings {

/// Bad input: what is wrong, in which file, at which row. One line, fit to be shown.
struct ImportError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct ImportOptions {
    std::optional<float> unit_m;         ///< length of the file's unit; guessed from the size of the hand if not given
    std::optional<tracking::Side> side;  ///< overrides what the file or the chirality of the data says
};

/// Called once per sample, in the order of the file.
using SampleSink = std::function<void(const tracking::HandPair&)>;

/// Reads any format of format_table(). Throws ImportError.
Recording load(const std::filesystem::path& path, const ImportOptions& options = {});

/// The rigid motion in a one-joint BVH, or of the wrist in a wrist file. Throws ImportError.
tracking::RigidTrack load_track(const std::filesystem::path& path, const ImportOptions& options = {});

/// Generated recordings with a name instead of a file: scripted hands with a tracker's noise, labelled synthetic.
struct SampleRow {
    std::string_view name, summary;
    Recording (*make)();
};
std::span<const SampleRow> sample_table();  ///< the first is what runs with no arguments: "flick"

}  // namespace glovebox::recordings
