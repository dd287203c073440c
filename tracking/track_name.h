// FILE#OBJECT: how the motion of one of several objects in a file is named, in scenes and on the command line.
#pragma once

#include <filesystem>
#include <string>

namespace glovebox::tracking {

struct TrackName {
    std::filesystem::path file;
    std::string object;  ///< empty: the only one of the file

    /// A file that has a # in its own name is that file.
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
