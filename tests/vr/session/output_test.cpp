// A command's outputs never destroy its inputs, nor any other file at their paths.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <thread>

#include "tests/vr/run_program.h"

namespace glovebox::vr {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
namespace fs = std::filesystem;

void write_file(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

// Runs a shell line with the program as $G; returns its exit code.
int shell(const std::string& script, const fs::path& folder) {
    const int status = std::system(
        ("cd '" + folder.string() + "' && G=" GLOVEBOX_PROGRAM " && unset DISPLAY WAYLAND_DISPLAY; " + script).c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void expect_one_line(const ProgramResult& result, int exit_code, const std::string& what) {
    EXPECT_EQ(result.exit_code, exit_code) << what << '\n' << result.error;
    EXPECT_THAT(result.error, StartsWith("glovebox: ")) << what;
    EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1) << what << '\n' << result.error;
}

TEST(Outputs, AreNeverWhatIsRead) {
    const TestFolder folder("over_input");
    ASSERT_EQ(run_program("convert flick hand.csv", folder.path).exit_code, 0);
    ASSERT_EQ(run_program("convert flick hand.glove", folder.path).exit_code, 0);
    fs::copy(folder.path / "hand.csv", folder.path / "hand.png");
    fs::create_directory(folder.path / "d");
    fs::create_symlink("hand.csv", folder.path / "link.csv");
    write_file(folder.path / "cup.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
    write_file(folder.path / "packets.txt", "A0B0C500D250E1\nA0B0C500D250E1\n");
    for (const char* arguments : {"replay hand.csv --headless --frames 3 --report hand.csv",
                                  "replay hand.csv --headless --frames 3 --contacts hand.csv",
                                  "replay hand.csv --headless --frames 3 --trace hand.csv",
                                  "replay hand.csv --headless --frames 3 --record hand.csv",
                                  "replay hand.csv --headless --frames 3 --deadlines hand.csv",
                                  "replay hand.csv --headless --frames 3 --haptics log --haptics-log hand.csv",
                                  "replay hand.png --headless --frames 3 --screenshot hand.png",
                                  "replay hand.csv --headless --frames 3 --report ./d/../hand.csv",
                                  "replay hand.csv --headless --frames 3 --report link.csv",
                                  "replay link.csv --headless --frames 3 --report hand.csv",
                                  "replay flick --headless --frames 3 --scene cup.obj --report cup.obj",
                                  "convert hand.csv hand.csv",
                                  "recover hand.glove hand.glove",
                                  "label hand.csv -o hand.csv",
                                  "label d hand.csv -o hand.csv",
                                  "fit cup.obj -o cup.obj",
                                  "fit cup.obj -o t --report cup.obj",
                                  "clips find hand.csv --near ball --report hand.csv",
                                  "live packets.txt --record packets.txt",
                                  "calibrate hand.csv -o hand.csv"}) {
        std::vector<std::pair<fs::path, std::string>> before;
        for (const auto& entry : fs::directory_iterator(folder.path))
            if (entry.is_regular_file()) before.emplace_back(entry.path(), text_of_file(entry.path()));
        expect_one_line(run_program(arguments, folder.path), 2, arguments);
        for (const auto& [path, text] : before) EXPECT_TRUE(text_of_file(path) == text) << arguments << ": " << path;
        EXPECT_TRUE(fs::is_symlink(folder.path / "link.csv")) << arguments;
        for (const auto& [path, text] : before) write_file(path, text);
    }
}

TEST(Outputs, AreNeverEachOther) {
    const TestFolder folder("one_name");
    for (const char* arguments : {"replay flick --headless --frames 3 --report r --contacts r",
                                  "replay flick --headless --frames 3 --contacts r --trace ./r",
                                  "replay flick --headless --frames 3 --report r --record r"})
        expect_one_line(run_program(arguments, folder.path), 2, arguments);
    EXPECT_TRUE(fs::is_empty(folder.path));
    // Outputs to /dev/null, which keeps nothing, are accepted.
    fs::create_symlink("/dev/null", folder.path / "null");
    EXPECT_EQ(run_program("replay flick --headless --frames 3 --report null --contacts null", folder.path).exit_code,
              0);
    EXPECT_TRUE(fs::is_symlink(folder.path / "null"));
}

TEST(Outputs, OverAFolderAreRefusedBeforeTheWork) {
    const TestFolder folder("over_folder");
    fs::create_directory(folder.path / "d.png");
    for (const char* option : {"--report", "--contacts", "--trace", "--record", "--deadlines", "--screenshot",
                               "--haptics log --haptics-log"}) {
        const auto result =
            run_program(std::string("replay flick --headless --frames 3 ") + option + " d.png", folder.path);
        expect_one_line(result, 1, option);
        EXPECT_EQ(result.out, "") << option;
        EXPECT_TRUE(fs::is_directory(folder.path / "d.png")) << option;
        fs::create_directories(folder.path / "d.png");
    }
    for (const char* arguments :
         {"convert flick d.png --as glovebox-csv", "convert flick d.png --as glove",
          "clips find flick.csv --near ball --report d.png", "bench replay --quick --report d.png"})
        expect_one_line(run_program(arguments, folder.path), 1, arguments);
    EXPECT_TRUE(fs::is_empty(folder.path / "d.png"));
}

TEST(Outputs, GoStraightIntoWhatIsNoFile) {
    const TestFolder folder("pipe_output");
    ASSERT_EQ(shell("mkfifo p && (timeout 20 cat p >got.json &) && $G replay flick --headless --frames 3 --report p "
                    ">out.txt; sleep 0.3",
                    folder.path),
              0);
    EXPECT_TRUE(fs::is_fifo(folder.path / "p"));
    EXPECT_EQ(nlohmann::json::parse(text_of_file(folder.path / "got.json"), nullptr, false)["frames"], 3);

    // A link to standard output: it then carries the report alone, and messages go to standard error.
    fs::create_symlink("/proc/self/fd/1", folder.path / "stdout");
    ASSERT_EQ(shell("$G replay flick --headless --frames 3 --report stdout >both.txt 2>said.txt", folder.path), 0);
    EXPECT_TRUE(fs::is_symlink(folder.path / "stdout"));
    EXPECT_EQ(nlohmann::json::parse(text_of_file(folder.path / "both.txt"), nullptr, false)["frames"], 3);
    EXPECT_THAT(text_of_file(folder.path / "said.txt"), HasSubstr("state hash"));

    // A log is a database, so it cannot be written to a pipe.
    expect_one_line(run_program("replay flick --headless --frames 3 --record p", folder.path), 1, "--record p");
    expect_one_line(run_program("convert flick p --as glove", folder.path), 1, "convert to p");
    EXPECT_TRUE(fs::is_fifo(folder.path / "p"));
}

TEST(Outputs, FollowLinks) {
    const TestFolder folder("link_output");
    write_file(folder.path / "old.json", "old");
    fs::create_symlink("old.json", folder.path / "link.json");
    fs::create_symlink("new.json", folder.path / "ahead.json");
    fs::create_symlink("new.glove", folder.path / "ahead.glove");
    ASSERT_EQ(run_program("replay flick --headless --frames 3 --report link.json", folder.path).exit_code, 1)
        << "what stands there is not ours";
    ASSERT_EQ(run_program("replay flick --headless --frames 3 --report link.json --force", folder.path).exit_code, 0);
    ASSERT_EQ(run_program("replay flick --headless --frames 3 --report ahead.json --record ahead.glove", folder.path)
                  .exit_code,
              0);
    for (const char* link : {"link.json", "ahead.json", "ahead.glove"})
        EXPECT_TRUE(fs::is_symlink(folder.path / link)) << link;
    EXPECT_THAT(text_of_file(folder.path / "old.json"), HasSubstr("state_hash"));
    EXPECT_THAT(text_of_file(folder.path / "new.json"), HasSubstr("state_hash"));
    EXPECT_EQ(run_program("info new.glove", folder.path).exit_code, 0);
}

// An output that fails is reported, and the others are written.
TEST(Outputs, ThatFailDoNotTakeTheOthersAlong) {
    if (!fs::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
    const TestFolder folder("one_fails");
    fs::create_symlink("/dev/full", folder.path / "full");
    const auto result =
        run_program("replay flick --headless --report r.json --trace full --contacts c.csv", folder.path);
    expect_one_line(result, 1, "a full disk");
    EXPECT_THAT(result.out, HasSubstr("state hash"));
    EXPECT_THAT(text_of_file(folder.path / "r.json"), HasSubstr("state_hash"));
    EXPECT_THAT(text_of_file(folder.path / "c.csv"), StartsWith("frame,"));
    expect_one_line(run_program("replay flick --headless --frames 3 --report full", folder.path), 1, "a full disk");
    expect_one_line(run_program("replay flick --headless --frames 3 --deadlines full", folder.path), 1, "a full disk");
    for (const char* rate : {"max", "recorded"}) {  // between the frames, and on the force loop's own thread
        const auto felt = run_program(
            std::string("replay flick --headless --frames 60 --haptics log --haptics-log full --rate ") + rate,
            folder.path);
        expect_one_line(felt, 1, rate);
        EXPECT_THAT(felt.out, HasSubstr("state hash")) << rate;
    }
}

TEST(Outputs, NameFilesInAnyBytes) {
    const TestFolder folder("bytes");
    ASSERT_EQ(run_program("convert flick hand.csv", folder.path).exit_code, 0);
    const std::string odd = "bad\xff\xfename.csv";
    fs::rename(folder.path / "hand.csv", folder.path / odd);
    for (const std::string& arguments :
         {"replay '" + odd + "' --headless --frames 3 --report r.json", "label '" + odd + "' -o l.csv",
          "clips find '" + odd + "' --near ball --report r.json", "calibrate '" + odd + "' -o me.json"}) {
        const auto result = run_program(arguments, folder.path);
        EXPECT_EQ(result.exit_code, 0) << arguments << result.error;
        EXPECT_EQ(result.error.find("json"), std::string::npos) << result.error;
    }
    EXPECT_TRUE(nlohmann::json::accept(text_of_file(folder.path / "r.json")));
    EXPECT_TRUE(nlohmann::json::accept(text_of_file(folder.path / "l.csv.card.json")));
    EXPECT_TRUE(nlohmann::json::accept(text_of_file(folder.path / "me.json")));
}

TEST(Play, NeverWritesToNorRemovesWhatIsNoPipe) {
    const TestFolder folder("play_file");
    write_file(folder.path / "notes.txt", "mine");
    write_file(folder.path / "glove.back", "mine too");
    for (const char* path : {"notes.txt", "glove"}) {
        const int code = shell(
            std::string("timeout 10 $G emulate flick --to pipe --path ") + path + " >out.txt 2>err.txt", folder.path);
        EXPECT_EQ(code, 1) << path;
        EXPECT_THAT(text_of_file(folder.path / "err.txt"), HasSubstr("is there and is no pipe")) << path;
    }
    EXPECT_EQ(text_of_file(folder.path / "notes.txt"), "mine");
    EXPECT_EQ(text_of_file(folder.path / "glove.back"), "mine too");
    for (const char* made : {"notes.txt.back", "glove"}) EXPECT_FALSE(fs::exists(folder.path / made)) << made;
    // A pipe that existed before is used, and stays.
    ASSERT_EQ(
        shell("mkfifo q && (timeout 20 cat q >got.txt &) && $G emulate flick --to pipe --path q --rate 200 >out.txt",
              folder.path),
        0);
    EXPECT_TRUE(fs::is_fifo(folder.path / "q"));
    EXPECT_FALSE(fs::exists(folder.path / "q.back"));
}

// A session of no frame, of one or of two, and its replay.
TEST(ShortSessions, EndWithoutWrongPluralsAndWithoutNumbersThatWereNotMeasured) {
    const TestFolder folder("short");
    const std::regex silly(
        "(^|[^.0-9])1 (frames|samples|ticks|commands|stops|packets|methods|tests|[a-z]+ tests|[a-z]+ pairs)\\b|"
        "\\b0\\.0 (ms|s|us|Hz)\\b.*Hz|recorded 0 |\\bnan\\b|-0\\b|-0\\.0+\\b");
    const auto expect_plain = [&](const std::string& arguments, int exit_code) {
        const ProgramResult result = run_program(arguments, folder.path);
        EXPECT_EQ(result.exit_code, exit_code) << arguments << '\n' << result.error;
        std::istringstream lines(result.out + result.error);
        for (std::string line; std::getline(lines, line);)
            EXPECT_FALSE(std::regex_search(line, silly)) << arguments << '\n' << line;
        return result.out;
    };
    for (const std::string frames : {"1", "2"}) {
        expect_plain("replay flick --headless --rate recorded --check --haptics null --frames " + frames +
                         " --record replay" + frames + ".glove",
                     0);
        EXPECT_THAT(expect_plain("replay replay" + frames + ".glove --headless", 0),
                    HasSubstr(frames == "1" ? "the same in 1 frame\n" : "the same in all 2 frames\n"));
        write_file(folder.path / "packets", frames == "1" ? "A0B0C500D250E1\n" : "A0B0C500D250E1\nA0B0C500D250E1\n");
        EXPECT_THAT(expect_plain("live packets --headless --seconds 0.2 --haptics null --frames " + frames +
                                     " --record live" + frames + ".glove",
                                 0),
                    HasSubstr(frames == "1" ? "recorded 1 sample to" : "recorded 2 samples to"));
    }
    write_file(folder.path / "packets", "");
    EXPECT_THAT(
        expect_plain("live packets --headless --seconds 0.1 --record live0.glove", 1),
        HasSubstr("no sample came, so nothing was recorded\npackets  (live opengloves, right hand, no samples)"));
    EXPECT_FALSE(fs::exists(folder.path / "live0.glove"));
}

TEST(Interrupted, AReplayWritesWhatThereIs) {
    const TestFolder folder("ctrl_c");
    EXPECT_EQ(shell("timeout --preserve-status -k 20 -s INT 2 $G replay flick --headless --rate 0.5 --report r.json "
                    "--contacts c.csv --trace t.json --haptics log >out.txt 2>err.txt",
                    folder.path),
              1)
        << "it did not come to its end";
    EXPECT_THAT(text_of_file(folder.path / "out.txt"), HasSubstr("state hash"));
    EXPECT_THAT(text_of_file(folder.path / "err.txt"), HasSubstr("stopped"));
    EXPECT_TRUE(nlohmann::json::accept(text_of_file(folder.path / "r.json")));
    EXPECT_TRUE(nlohmann::json::accept(text_of_file(folder.path / "t.json")));
    EXPECT_THAT(text_of_file(folder.path / "c.csv"), StartsWith("frame,"));
    EXPECT_TRUE(fs::exists(folder.path / "haptics.csv"));
    for (const auto& entry : fs::directory_iterator(folder.path)) EXPECT_NE(entry.path().extension(), ".part");
    // Stopping a program that runs until it is stopped is a normal end.
    EXPECT_EQ(shell("timeout --preserve-status -k 20 -s TERM 2 $G replay flick --headless --loop >out.txt 2>err.txt",
                    folder.path),
              0);
    EXPECT_THAT(text_of_file(folder.path / "out.txt"), HasSubstr("state hash"));
}

TEST(Interrupted, AGloveRemovesItsPipesAndSumsUp) {
    const TestFolder folder("ctrl_c_glove");
    shell("timeout --preserve-status -k 5 -s INT 1 $G emulate flick --to pipe --path p >out.txt 2>err.txt",
          folder.path);
    EXPECT_FALSE(fs::exists(folder.path / "p")) << "while it waited for a reader";
    EXPECT_FALSE(fs::exists(folder.path / "p.back"));
    EXPECT_EQ(shell("(timeout -k 5 -s INT 1.5 $G emulate flick --to pipe --path p --loop >play.txt 2>&1; echo >done) & "
                    "sleep 0.5; "
                    "timeout --preserve-status -k 5 -s INT 0.6 $G live p --headless --record take.glove >live.txt "
                    "2>err.txt; code=$?; "
                    "for i in $(seq 50); do test -e done && break; sleep 0.1; done; exit $code",
                    folder.path),
              0);
    EXPECT_THAT(text_of_file(folder.path / "live.txt"), HasSubstr("packets in"));
    EXPECT_THAT(text_of_file(folder.path / "play.txt"), HasSubstr("packets sent"));
    EXPECT_FALSE(fs::exists(folder.path / "p"));
    EXPECT_EQ(run_program("info take.glove", folder.path).exit_code, 0);
}

}  // namespace
}  // namespace glovebox::vr
