// Checks the files that a command line names for conflicts, before any of them is opened.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

namespace glovebox::vr {

/// A file and the argument that names it.
struct NamedFile {
    std::string name;            ///< the argument: "LOG", "--report"
    std::filesystem::path path;  ///< empty: not given
};

/// Throws UsageError if `recording` is a bundled recording, for which `option` would have no effect because it is meant
/// for files.
void expect_file(const std::string& recording, const char* option);

/// Throws UsageError if an output is the same file as an input or another output, even under a different name. Throws
/// recordings::ExportError if an output is a folder or its folder does not exist. Devices, and inputs that are not
/// files (such as bundled recordings), are ignored.
void check_files(const std::vector<NamedFile>& read, const std::vector<NamedFile>& written);

/// Does the same, and throws recordings::ExportError if an output would replace a file that glovebox has not written
/// (recordings/output.h). With `force`, it may replace any file except a recording.
void check_files(const std::vector<NamedFile>& read, const std::vector<NamedFile>& written, bool force);

/// Returns the given files, and in place of each folder the files in it and below, sorted by name. Throws
/// std::runtime_error if there is no file.
std::vector<std::string> files_in(const std::vector<std::string>& paths);

/// Prints on standard error that a file is skipped. `why` begins with its name.
void print_skipped(const std::string& why);

/// For options that name a recording to read: "-" is standard input, where the system has a file for it.
CLI::Validator dash_is_standard_input();

/// Help text of --force in every command.
inline constexpr const char* kForceHelp = "replace outputs that glovebox has not written itself; recordings never";

}  // namespace glovebox::vr
