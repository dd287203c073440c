// A standard output that takes nothing: what was asked for is missing, and the exit code says so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "tests/vr/run_program.h"

namespace glovebox::vr {
namespace {

struct Told {
    int exit_code;
    std::string error;
};
Told run_into_full(const std::string& arguments) {
    const TestFolder folder("full_output");
    const std::string command = "cd '" + folder.path.string() +
                                "' && env -u DISPLAY -u WAYLAND_DISPLAY " GLOVEBOX_PROGRAM " " + arguments +
                                " >/dev/full 2>told.txt </dev/null";
    const int status = std::system(command.c_str());
    return {status / 256, text_of_file(folder.path / "told.txt")};
}

TEST(FullStandardOutput, EndsInExitOneWithOneLine) {
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
    const std::array commands = {
        "info flick",    "doctor flick", "diff flick flick", "replay flick --headless --frames 5",
        "scenes",        "methods",      "formats",          "--version",
        "replay --help", "bench --list", "fit --list",       "convert flick /dev/stdout --as openxr-csv"};
    for (const std::string command : commands) {
        const Told told = run_into_full(command);
        EXPECT_EQ(told.exit_code, 1) << command;
        EXPECT_THAT(told.error,
                    testing::ContainsRegex("standard output: cannot be written|/dev/stdout: writing stopped"))
            << command;
        EXPECT_EQ(std::count(told.error.begin(), told.error.end(), '\n'), 1) << command << ": " << told.error;
    }
}

TEST(FullStandardOutput, DoesNotHideThatACheckFailed) {
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
    EXPECT_EQ(run_into_full("diff flick grasp").exit_code, 3);
}

}  // namespace
}  // namespace glovebox::vr
