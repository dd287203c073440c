// The files that a command line names, looked at together before any of them is opened.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace glovebox::vr {

struct NamedFile {
    std::string name;            ///< as the user gave it: "LOG", "--report"
    std::filesystem::path path;  ///< empty: not given
};

/// A bundled recording is as it is: an option that is meant for files would do nothing. Throws UsageError there.
void expect_file(const std::string& recording, const char* option);

/// Throws UsageError where an output is an input or another output, under whatever name, for then one of them would be
/// lost; recordings::ExportError where an output has no place: on a folder, or in one that is not there. Names that are
/// no files, such as those of bundled recordings, and devices are no one's loss.
void check_files(const std::vector<NamedFile>& read, const std::vector<NamedFile>& written);

/// The same, and an output may only replace what glovebox itself has written (recordings/output.h): what stood there
/// stays, unless `force`. A recording is never replaced.
void check_files(const std::vector<NamedFile>& read, const std::vector<NamedFile>& written, bool force);

/// What --force does, in every command's help.
inline constexpr const char* kForceHelp = "replace outputs that glovebox has not written itself; recordings never";

}  // namespace glovebox::vr
