// Nothing is lost: every command that writes, over what a user has, and over what it wrote itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/vr/run_program.h"
#include "vr/export/digest.h"

namespace glovebox::vr {
namespace {

struct Writer {
    const char *command, *output;
    bool again;  // its own file may be replaced; else the second run is refused
};

bool has_three() {
    try {
        return !read_three_js().empty();
    } catch (const std::runtime_error&) {
        return false;
    }
}

std::vector<Writer> writers() {
    std::vector<Writer> all = {
        {"replay flick -q --headless --frames 5 --report out.json", "out.json", true},
        {"replay flick -q --headless --frames 5 --contacts out.csv", "out.csv", true},
        {"replay flick -q --headless --frames 5 --trace out.trace", "out.trace", true},
        {"replay flick -q --headless --frames 5 --record out.glove", "out.glove", false},
        {"replay flick -q --headless --frames 5 --haptics log --haptics-log out.haptics", "out.haptics", true},
        {"replay flick -q --headless --frames 5 --haptics null --deadlines out.svg", "out.svg", true},
        {"touches flick -o out-touches.csv", "out-touches.csv", true},
        {"touches flick -o out-touches.json", "out-touches.json", true},
        {"touches flick grasp -o out-many.json", "out-many.json", true},
        {"touches flick --figure out-lanes.svg", "out-lanes.svg", true},
        {"convert flick out-flick.csv", "out-flick.csv", false},
        {"convert flick out-flick.bvh", "out-flick.bvh", false},
        {"convert flick out-flick.glove", "out-flick.glove", false},
        {"convert flick out-flick.glb", "out-flick.glb", true},
    };
    if (has_three()) all.push_back({"digest flick -o out.html", "out.html", true});
    return all;
}

TEST(NothingIsLost, WhatAUserHasIsKeptAndWhatIsOursIsWrittenAgain) {
    const TestFolder folder("twice");
    for (const Writer& writer : writers()) {
        const auto path = folder.path / writer.output;
        std::ofstream(path) << "what the user has\n";
        EXPECT_EQ(run_program(writer.command, folder.path).exit_code, 1) << writer.command;
        EXPECT_EQ(text_of_file(path), "what the user has\n") << writer.command;
        std::filesystem::remove(path);

        ASSERT_EQ(run_program(writer.command, folder.path).exit_code, 0) << writer.command;
        const std::string first = text_of_file(path);
        EXPECT_FALSE(first.empty()) << writer.command;
        const ProgramResult again = run_program(writer.command, folder.path);
        EXPECT_EQ(again.exit_code, writer.again ? 0 : 1) << writer.command << "\n" << again.error;
        if (!writer.again) {
            EXPECT_EQ(text_of_file(path), first) << writer.command;
        }
        EXPECT_FALSE(text_of_file(path).empty()) << writer.command;
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder.path))
        EXPECT_NE(entry.path().extension(), ".part") << entry.path();
}

TEST(NothingIsLost, WithoutADisplayTheFirstRunsFilesAreNotAnotherUsers) {
    const TestFolder folder("twice_bare");
    std::ofstream(folder.path / "glovebox.json") << "what the user has\n";
    EXPECT_EQ(run_program("", folder.path).exit_code, 1);
    EXPECT_EQ(text_of_file(folder.path / "glovebox.json"), "what the user has\n");
}

}  // namespace
}  // namespace glovebox::vr
