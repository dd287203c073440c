// Lists the files of a folder for commands that take a folder of recordings.
#pragma once

#include <filesystem>
#include <vector>

namespace glovebox::vr {

/// Returns the files in the folder and below, sorted by name, without temporary files of this program. Prints a line
/// for each file and folder that cannot be read, such as a cycle of symbolic links, and skips it.
std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder);

}  // namespace glovebox::vr
