// Parses names of the form FILE#OBJECT, which select the motion of one object in a file with several. Scenes and the
// command line use them.
#pragma once

#include <filesystem>
#include <string>

namespace glovebox::tracking {

struct TrackName {
    std::filesystem::path file;
    std::string object;  ///< name in the file; empty: its only object

    /// Parses FILE#OBJECT. If a file exists whose name is the whole text, `file` is that file and `object` is empty.
    explicit TrackName(const std::filesystem::path& named) : file(named) {
        const std::string name = named.filename().string();
        const std::size_t mark = name.rfind('#');
        std::error_code ignored;
        if (mark == std::string::npos || std::filesystem::exists(named, ignored)) return;
        file = named.parent_path() / name.substr(0, mark);
        object = name.substr(mark + 1);
    }
};

}  // namespace glovebox::tracking
