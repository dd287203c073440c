// Command-line options that several commands share, parsed into the types of vr/session/settings.h. An option has the
// same name, unit and meaning in each command.
#pragma once

#include <CLI/CLI.hpp>

#include "tracking/glove/glove_source.h"
#include "vr/cli/files.h"
#include "vr/session/settings.h"

namespace glovebox::vr {

/// Adds the options of every session: --scene, --method, outputs, haptics, faults and conditions.
void add_session_options(CLI::App& app, SessionSettings& settings);

inline constexpr const char* kWristHelp =
    "file with the motion of one wrist or both, for recordings relative to the wrist";
inline constexpr const char* kOtherWristHelp = "file with the wrist of the second file's hand, where it has its own";

/// Adds the options for reading a recording: --hand, --unit, --axes, --wrist, --profile.
void add_recording_options(CLI::App& app, RecordingSettings& from);
/// Throws UsageError if options of add_recording_options() are given for a bundled recording.
void refuse_options_of_files(const RecordingSettings& from);

/// Adds an option for an output file; "-" is standard output.
CLI::Option* add_output(CLI::App& app, const std::string& name, std::filesystem::path& path, const std::string& help);

/// Values of the options for a glove: --hand, --baud, --max-analog, --profile, --wrist. Call glove_settings() after
/// parsing.
struct GloveOptions {
    tracking::GloveSettings settings;
    std::string profile, wrist;
};
void add_glove_options(CLI::App& app, GloveOptions& options, const char* side_option);
/// Reads the file of the profile and returns the glove's settings with it. Throws std::runtime_error if the file cannot
/// be read.
tracking::GloveSettings glove_settings(const GloveOptions& options);

/// Adds an option for a side: "left" or "right".
CLI::Option* add_side(CLI::App& app, const std::string& name, tracking::Side& side, const std::string& help);

/// Throws UsageError if options contradict each other.
void check_session_options(const CLI::App& app, SessionSettings& settings);

/// Returns the files that the settings write, for check_files().
std::vector<NamedFile> outputs_of(const SessionSettings& settings);

}  // namespace glovebox::vr
