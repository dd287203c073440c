// A standard output that accepts nothing: the requested output is missing, and the exit code reports it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "tests/hostile/meshes.h"
#include "tests/vr/run_program.h"

namespace glovebox::vr {
namespace {

struct Ran {
    int exit_code;
    std::string error;
};
Ran run_into_full(const std::string& arguments) {
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
        const Ran ran = run_into_full(command);
        EXPECT_EQ(ran.exit_code, 1) << command;
        EXPECT_THAT(ran.error,
                    testing::ContainsRegex("standard output: cannot be written|/dev/stdout: writing stopped"))
            << command;
        EXPECT_EQ(std::count(ran.error.begin(), ran.error.end(), '\n'), 1) << command << ": " << ran.error;
    }
}

// Each command that writes a file, asked to overwrite a letter and a recording.
TEST(Outputs, ReplaceNothingOfTheUsers) {
    const TestFolder folder("precious");
    const auto file = [&](const char* name, const std::string& text) {
        std::ofstream(folder.path / name, std::ios::binary) << text;
    };
    file("a.obj", hostile::kTetrahedronObj);
    ASSERT_EQ(run_program("convert flick take.csv", folder.path).exit_code, 0);
    const std::string take = text_of_file(folder.path / "take.csv");
    for (const std::string command :
         {"replay flick --headless --frames 2 --report OUT", "replay flick --headless --frames 2 --contacts OUT",
          "replay flick --headless --frames 2 --trace OUT", "replay flick --headless --frames 2 --record OUT",
          "replay flick --headless --frames 2 --haptics log --haptics-log OUT",
          "replay flick --headless --frames 2 --screenshot OUT.png", "convert flick OUT --as openxr-csv",
          "convert flick OUT --as glove", "label flick -o OUT.csv", "label flick -o OUT.glove", "fit a.obj -o OUT",
          "fit a.obj -o new.tree --report OUT", "clips clash flick flick --report OUT",
          "bench replay --quick --report OUT", "lab rocks --headless --frames 1 --report OUT",
          "lab rocks --headless --frames 1 --screenshot OUT.png"}) {
        const std::size_t at = command.find("OUT");
        const std::string ending = command.substr(at + 3, command.find(' ', at) - at - 3);
        const std::string out = "precious" + ending;
        const std::string onto_file = command.substr(0, at) + "precious" + command.substr(at + 3);
        file(out.c_str(), "Dear diary");
        const ProgramResult refused = run_program(onto_file, folder.path);
        EXPECT_EQ(refused.exit_code, 1) << onto_file;
        EXPECT_THAT(refused.error, testing::HasSubstr("precious")) << onto_file;
        EXPECT_EQ(std::count(refused.error.begin(), refused.error.end(), '\n'), 1) << refused.error;
        EXPECT_EQ(text_of_file(folder.path / out), "Dear diary") << onto_file;
        file(out.c_str(), take);
        const ProgramResult forced = run_program(onto_file + " --force", folder.path);
        EXPECT_EQ(forced.exit_code, 1) << onto_file;
        EXPECT_THAT(forced.error, testing::ContainsRegex("never replaced|replaces no file")) << onto_file;
        EXPECT_TRUE(text_of_file(folder.path / out) == take) << onto_file;
        std::filesystem::remove(folder.path / out);
    }
}

// Each command may replace a file that it wrote itself.
TEST(Outputs, AreReplacedByTheCommandThatWroteThem) {
    const TestFolder folder("own");
    std::ofstream(folder.path / "a.obj") << hostile::kTetrahedronObj;
    for (const char* command :
         {"replay flick --headless --frames 2 --report r.json --contacts c.csv --trace t.json --haptics log "
          "--haptics-log h.csv --deadlines d.svg",
          "label flick -o l.csv", "label flick -o l.json", "label flick -o l.glove",
          "fit a.obj -o a.tree --report f.json", "clips clash flick flick --report k.json",
          "lab rocks --headless --frames 1 --report b.json"})
        for (int run = 0; run < 2; ++run) {
            const ProgramResult ran = run_program(command, folder.path);
            EXPECT_TRUE(ran.exit_code == 0 || ran.exit_code == 3) << command << ": " << ran.error;
        }
}

TEST(Outputs, FiguresGoWhereNothingElseIs) {
    const TestFolder folder("figures");
    std::filesystem::create_directory(folder.path / "mine");
    std::ofstream(folder.path / "mine/fitters.csv") << "Dear diary";
    const ProgramResult refused = run_program("bench fitters --quick --figures mine", folder.path);
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_THAT(refused.error, testing::HasSubstr("--force"));
    EXPECT_EQ(text_of_file(folder.path / "mine/fitters.csv"), "Dear diary");
}

TEST(FullStandardOutput, DoesNotHideThatACheckFailed) {
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
    EXPECT_EQ(run_into_full("diff flick grasp").exit_code, 3);
}

// A recording so long that its conversion takes a second or more.
void write_long_recording(const std::filesystem::path& to) {
    const TestFolder folder("long");
    ASSERT_EQ(run_program("convert flick a.csv --as openxr-csv", folder.path).exit_code, 0);
    std::istringstream lines(text_of_file(folder.path / "a.csv"));
    std::string head, row;
    ASSERT_TRUE(std::getline(lines, head) && std::getline(lines, row));
    std::ofstream out(to);
    out << head << '\n';
    const std::string values = row.substr(row.find(','));
    for (int i = 0; i < 40'000; ++i) out << 10'000'000LL * i << values << '\n';
}

TEST(Outputs, ASignalRemovesWhatIsTemporary) {
    const TestFolder folder("interrupted");
    write_long_recording(folder.path / "long.csv");
    std::filesystem::create_directory(folder.path / "out");
    for (const std::string signal : {"INT", "TERM"})
        for (const std::string command : {"convert long.csv out/a.glove", "convert long.csv out/a.jsonl"}) {
            const int ended = run_program(command, folder.path, "timeout -s " + signal + " 0.2 ").exit_code;
            ASSERT_EQ(ended, 124) << command << " was not interrupted";
            for (const auto& entry : std::filesystem::directory_iterator(folder.path / "out"))
                ADD_FAILURE() << command << " leaves " << entry.path();
        }
}

TEST(Outputs, TemporaryFilesAndCyclesOfLinksAreNoRecordings) {
    const TestFolder folder("temporary");
    const auto takes = folder.path / "takes";
    std::filesystem::create_directory(takes);
    ASSERT_EQ(run_program("convert flick takes/a.csv", folder.path).exit_code, 0);
    for (const char* name : {"b.csv.0123456789abcdef.part", "b.glove.0123456789abcdef.part-wal", "c.glove-shm"})
        std::filesystem::copy(takes / "a.csv", takes / name);
    std::ofstream(takes / "b.csv.lock").flush();
    std::filesystem::create_symlink("loop", takes / "loop");
    for (const std::string command : {"info takes", "doctor takes", "touches takes", "label takes -o labels.csv"}) {
        const ProgramResult ran = run_program(command, folder.path);
        EXPECT_EQ(ran.exit_code, 0) << command << ": " << ran.error;
        EXPECT_THAT(ran.error, testing::HasSubstr("skipped takes/loop")) << command;
        EXPECT_THAT(ran.out + text_of_file(folder.path / "labels.csv.card.json"),
                    testing::Not(testing::ContainsRegex("[.]part|shm|lock")))
            << command;
    }
}

}  // namespace
}  // namespace glovebox::vr
