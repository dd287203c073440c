// Options that several commands share: the same name, unit and meaning in each, parsed once into the types of
// vr/session/settings.h.
#pragma once

#include <CLI/CLI.hpp>

#include "tracking/glove/glove_source.h"
#include "vr/cli/files.h"
#include "vr/session/settings.h"

namespace glovebox::vr {

/// --scene, --method, outputs, haptics, faults and conditions: what every session has.
void add_session_options(CLI::App& app, SessionSettings& settings);

/// --hand, --unit, --axes, --wrist, --profile: how a recording is read.
void add_recording_options(CLI::App& app, RecordingSettings& from);
/// Throws UsageError where they are given for a bundled recording.
void refuse_options_of_files(const RecordingSettings& from);

/// An output file by one name in every command; "-" is standard output.
CLI::Option* add_output(CLI::App& app, const std::string& name, std::filesystem::path& path, const std::string& help);

/// The glove at DEVICE: --hand, --baud, --max-analog, --profile, --wrist. `hand` and `profile` are filled in by
/// finish_glove_options() once they are parsed.
struct GloveOptions {
    tracking::GloveSettings settings;
    std::string profile, wrist;
};
void add_glove_options(CLI::App& app, GloveOptions& options, const char* side_option);
/// Reads the profile. Throws std::runtime_error.
tracking::GloveSettings glove_settings(const GloveOptions& options);

/// A side by name: "left", "right".
CLI::Option* add_side(CLI::App& app, const std::string& name, tracking::Side& side, const std::string& help);

/// Options that make no sense together. Throws UsageError.
void check_session_options(const CLI::App& app, SessionSettings& settings);

/// The files that the settings write, for check_files().
std::vector<NamedFile> outputs_of(const SessionSettings& settings);

}  // namespace glovebox::vr
