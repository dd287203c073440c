// Runs the real program as a user would, in a folder of its own, and keeps its output.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace glovebox::vr {

struct ProgramResult {
    int exit_code = -1;
    std::string out, error;
};

inline std::string text_of_file(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

/// Runs GLOVEBOX_PROGRAM, the built program. There is no display, as on a server; `under` names a wrapping program.
inline ProgramResult run_program(const std::string& arguments, const std::filesystem::path& folder,
                                 const std::string& under = {}) {
    const auto out = folder / "stdout.txt", error = folder / "stderr.txt";
    const std::string command = "cd '" + folder.string() + "' && env -u DISPLAY -u WAYLAND_DISPLAY " + under +
                                GLOVEBOX_PROGRAM " " + arguments + " >'" + out.string() + "' 2>'" + error.string() +
                                "' </dev/null";
    const int status = std::system(command.c_str());
    ProgramResult result{status >= 256 ? status / 256
                         : status == 0 ? 0
                                       : 128 + status,
                         text_of_file(out), text_of_file(error)};
    std::filesystem::remove(out);
    std::filesystem::remove(error);
    return result;
}

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

}  // namespace glovebox::vr
