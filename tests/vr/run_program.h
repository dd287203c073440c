// Runs the real program as a user would, in a folder of its own, and keeps its output.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/test_folder.h"

namespace glovebox::vr {

using tests::TestFolder;
using tests::text_of_file;

struct ProgramResult {
    int exit_code = -1;
    std::string out, error;
};

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

}  // namespace glovebox::vr
