// A folder of a test's own, and the content of its files.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace glovebox::tests {

/// A new folder for one test, removed at the end.
struct TestFolder {
    // The name includes the process id: two checkouts may be tested at once.
    explicit TestFolder(const std::string& name)
        : path(std::filesystem::temp_directory_path() / ("glovebox_" + name + "_" + std::to_string(getpid()))) {
        std::filesystem::remove_all(path);
        std::filesystem::create_directories(path);
    }
    ~TestFolder() { std::filesystem::remove_all(path); }
    TestFolder(const TestFolder&) = delete;
    TestFolder& operator=(const TestFolder&) = delete;

    std::filesystem::path path;
};

inline std::string text_of_file(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

}  // namespace glovebox::tests
