// A temporary folder.
#pragma once

#include <stdlib.h>  // mkdtemp is POSIX's

#include <filesystem>
#include <stdexcept>
#include <string>

namespace glovebox::vr {

/// A folder that is removed with its contents on destruction. Its name is new and unpredictable, because other users
/// may write to the system's folder for temporary files. The constructor throws std::runtime_error if the folder cannot
/// be created.
struct TemporaryFolder {
    std::filesystem::path path;

    TemporaryFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "glovebox-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error(name + ": no folder could be made");
        path = name;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
};

}  // namespace glovebox::vr
