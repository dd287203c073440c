// No data is lost: every command that writes is run over a user's file, and over a file that it wrote itself.
//
// Commands that write in other ways are tested elsewhere: see kElsewhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "tests/vr/export/three_js.h"
#include "tests/vr/run_program.h"
#include "vr/export/digest.h"

namespace glovebox::vr {
namespace {

struct Writer {
    const char *command, *output;
    bool again;  // true if the command may replace its own file; otherwise the second run is refused
};

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
    const Writer others[] = {
        {"recover whole.glove out-saved.glove", "out-saved.glove", false},
        {"label flick -o out-labels.csv", "out-labels.csv", true},
        {"scene new hand.csv box.obj --no-picture -o out-scene.toml", "out-scene.toml", true},
        {"fit box.obj -o out.gbxtree", "out.gbxtree", true},
        {"fit box.obj -o other.gbxtree --report out-fit.json", "out-fit.json", true},
        {"calibrate flick -o out-profile.json", "out-profile.json", true},
        {"live packets.txt -q --report out-live.json", "out-live.json", true},
        {"live packets.txt -q --record out-live.glove", "out-live.glove", false},
        {"lab rocks --headless --frames 3 --rocks 50 --report out-lab.json", "out-lab.json", true},
        {"clips find hand.csv --near ball --report out-clips.json", "out-clips.json", true},
        {"clips clash hand.csv hand.csv --report out-clash.json", "out-clash.json", true},
        {"bench fitters --quick --only files --report out-bench.json", "out-bench.json", true},
    };
    all.insert(all.end(), std::begin(others), std::end(others));
    if (has_three()) all.push_back({"digest flick -o out.html", "out.html", true});
    return all;
}

// Commands that write only to the terminal, or whose own tests check this rule.
const std::map<std::string, std::string> kElsewhere = {
    {"vr", "replay's options; tests/vr/openxr"},
    {"video", "Video.IsEncodedByFfmpegWhereItIsInstalled, Video.PicturesAreTheSameEveryTimeAndFollowTheRecordingsTime"},
    {"digest", "above, where three.js is installed"},
    {"layer", "tests/vr/layer"},
    {"emulate", "NothingIsLost.APipeIsMadeOverNothing"},
    {"compare", "reads"},
    {"info", "reads"},
    {"doctor", "reads"},
    {"diff", "reads"},
    {"scenes", "lists"},
    {"methods", "lists"},
    {"formats", "lists"},
    {"sources", "lists"},
    {"outputs", "lists"},
    {"completion", "prints"},
    {"man", "prints"},
};

TEST(NothingIsLost, EveryCommandIsHeldToIt) {
    const TestFolder folder("twice_all");
    std::set<std::string> tried;
    for (const Writer& writer : writers())
        tried.insert(std::string(writer.command).substr(0, std::string(writer.command).find(' ')));
    std::istringstream help(run_program("--help", folder.path).out);
    std::string line;
    while (std::getline(help, line) && line != "Subcommands:") {
    }
    int commands = 0;
    while (std::getline(help, line) && !line.empty()) {
        if (line.size() < 3 || line[2] == ' ') continue;  // continuation of a description
        const std::string name = line.substr(2, line.find(' ', 2) - 2);
        EXPECT_TRUE(tried.contains(name) || kElsewhere.contains(name)) << name << " may destroy what a user has";
        ++commands;
    }
    EXPECT_GT(commands, 20);
}

// Writes the inputs of the commands.
void write_inputs(const std::filesystem::path& folder) {
    ASSERT_EQ(run_program("convert grasp hand.csv", folder).exit_code, 0);
    ASSERT_EQ(run_program("replay flick -q --headless --frames 5 --record whole.glove", folder).exit_code, 0);
    std::ofstream obj(folder / "box.obj");
    for (int i = 0; i < 8; ++i)
        obj << "v " << ((i & 1) != 0 ? 30 : -30) << ' ' << ((i & 2) != 0 ? 78 : 18) << ' ' << ((i & 4) != 0 ? 30 : -30)
            << '\n';
    obj << "f 1 3 4\nf 1 4 2\nf 5 6 8\nf 5 8 7\nf 1 2 6\nf 1 6 5\nf 3 7 8\nf 3 8 4\nf 1 5 7\nf 1 7 3\nf 2 4 8\nf 2 8 "
           "6\n";
    std::ofstream packets(folder / "packets.txt");
    for (int i = 0; i < 20; ++i) packets << "A" << 80 * i << "B0C500D250E1\n";
}

// Returns all files of a folder except those that receive the programs' messages.
std::map<std::string, std::string> tree(const std::filesystem::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.is_regular_file())
            files[std::filesystem::relative(entry.path(), folder).string()] = text_of_file(entry.path());
    return files;
}

TEST(NothingIsLost, WhatAUserHasIsKeptAndWhatIsOursIsWrittenAgain) {
    const TestFolder folder("twice");
    ASSERT_NO_FATAL_FAILURE(write_inputs(folder.path));
    for (const Writer& writer : writers()) {
        const auto path = folder.path / writer.output;
        std::ofstream(path) << "what the user has\n";
        EXPECT_EQ(run_program(writer.command, folder.path).exit_code, 1) << writer.command;
        EXPECT_EQ(text_of_file(path), "what the user has\n") << writer.command;
        std::filesystem::remove(path);

        const auto before = tree(folder.path);
        const ProgramResult made = run_program(writer.command, folder.path);
        ASSERT_EQ(made.exit_code, 0) << writer.command << "\n" << made.error;
        const std::string first = text_of_file(path);
        EXPECT_FALSE(first.empty()) << writer.command;
        const ProgramResult again = run_program(writer.command, folder.path);
        EXPECT_EQ(again.exit_code, writer.again ? 0 : 1) << writer.command << "\n" << again.error;
        if (!writer.again) {
            EXPECT_EQ(text_of_file(path), first) << writer.command;
        }
        EXPECT_FALSE(text_of_file(path).empty()) << writer.command;
        // All files present before, inputs and other commands' outputs, are unchanged.
        const auto after = tree(folder.path);
        for (const auto& [name, bytes] : before) {
            const auto found = after.find(name);
            EXPECT_TRUE(found != after.end() && found->second == bytes) << writer.command << " changes " << name;
        }
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder.path))
        EXPECT_NE(entry.path().extension(), ".part") << entry.path();
}

TEST(NothingIsLost, APipeIsMadeOverNothing) {
    const TestFolder folder("twice_pipe");
    std::ofstream(folder.path / "mine.txt") << "what the user has\n";
    EXPECT_EQ(
        run_program("emulate flick --as opengloves --to pipe --path mine.txt", folder.path, "timeout 20 ").exit_code,
        1);
    EXPECT_EQ(text_of_file(folder.path / "mine.txt"), "what the user has\n");
}

TEST(NothingIsLost, WithoutADisplayTheFirstRunsFilesAreNotAnotherUsers) {
    const TestFolder folder("twice_bare");
    std::ofstream(folder.path / "glovebox.json") << "what the user has\n";
    EXPECT_EQ(run_program("", folder.path).exit_code, 1);
    EXPECT_EQ(text_of_file(folder.path / "glovebox.json"), "what the user has\n");
}

}  // namespace
}  // namespace glovebox::vr
