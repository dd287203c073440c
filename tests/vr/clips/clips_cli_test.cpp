#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>
#include <vector>

#include "recordings/user_profile.h"
#include "tests/vr/run_program.h"

namespace glovebox::vr {
namespace {

// Returns the offset that `clips clash` suggests, as printed.
std::string offset_offered(const ProgramResult& clash) {
    const std::string before = "that is --offset ";
    const std::size_t at = clash.out.find(before);
    EXPECT_NE(at, std::string::npos) << clash.out;
    return clash.out.substr(at + before.size(), clash.out.find('\n', at) - at - before.size());
}

TEST(ClipsCommand, AnswersAsAReplayDoesOnARealRecording) {
    const char* data = std::getenv("GLOVEBOX_REAL_DATA");
    if (data == nullptr) GTEST_SKIP() << "GLOVEBOX_REAL_DATA is not set: real recordings are not part of the project";
    const TestFolder folder("clips_real");
    std::filesystem::copy_file(std::filesystem::path(data) / "logs" / "hololens2_duke_203503978.csv",
                               folder.path / "take.csv");
    ASSERT_EQ(run_program("clips index take.csv", folder.path).exit_code, 0);
    EXPECT_TRUE(std::filesystem::exists(folder.path / "take.csv.touch"));
    const ProgramResult found = run_program("clips find take.csv --near ball --check --report r.json", folder.path);
    ASSERT_EQ(found.exit_code, 0) << found.error;
    EXPECT_NE(found.out.find("replaying every frame gives the same intervals"), std::string::npos);
    const auto report = nlohmann::json::parse(text_of_file(folder.path / "r.json"));
    EXPECT_GT(report["rows"].size(), 10U);
    for (const char* key : {"take", "hand", "bone", "other", "from_s", "to_s", "distance_mm", "frame"})
        EXPECT_TRUE(report["rows"][0].contains(key)) << key;

    // A recording against itself clashes at once, and does not after the suggested shift.
    const ProgramResult clash = run_program("clips clash take.csv take.csv --report c.json", folder.path);
    ASSERT_EQ(clash.exit_code, 0) << clash.error;
    const auto row = nlohmann::json::parse(text_of_file(folder.path / "c.json"))["rows"][0];
    ASSERT_TRUE(row["clash"].get<bool>());
    EXPECT_EQ(run_program("clips clash take.csv take.csv --offset=" + offset_offered(clash), folder.path)
                  .out.find("no clash"),
              0U);
}

TEST(ClipsCommand, TheOffsetThatAClashOffersHasNone) {
    const TestFolder folder("clips_offset");
    // Frames come at 90 Hz, so the suggested offset is no whole number of microseconds.
    int clashes = 0;
    for (const char* takes : {"flick type", "type flick", "flick grasp", "grasp flick"})
        for (const char* offset : {"-7.7s", "13ms", "7.9s"}) {
            const std::string clash = std::string("clips clash ") + takes + " --offset=";
            const ProgramResult found = run_program(clash + offset, folder.path);
            ASSERT_EQ(found.exit_code, 0) << found.error;
            if (found.out.starts_with("no clash")) continue;
            ++clashes;
            const ProgramResult moved = run_program(clash + offset_offered(found), folder.path);
            EXPECT_TRUE(moved.out.starts_with("no clash")) << found.out << moved.out;
        }
    EXPECT_GE(clashes, 6);
}

// The (frame, hand, bone) that touch the ball, from `replay --contacts` and from `clips find --within 0 --report`.
using TouchSet = std::set<std::tuple<int, std::string, std::string>>;

TouchSet touches_of_replay(const std::string& arguments, const std::filesystem::path& folder) {
    const ProgramResult result = run_program("replay " + arguments + " --headless --rate max --contacts c.csv", folder);
    EXPECT_EQ(result.exit_code, 0) << result.error;
    std::ifstream csv(folder / "c.csv");
    std::string line;
    std::getline(csv, line);
    EXPECT_EQ(line.find("frame,time_s,hand,bone,object,touching,distance_m"), 0U) << line;
    TouchSet touches;
    while (std::getline(csv, line)) {
        std::vector<std::string> cells;
        std::istringstream in(line);
        for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
        if (cells[4] == "ball" && cells[6].front() == '-') touches.emplace(std::stoi(cells[0]), cells[2], cells[3]);
    }
    return touches;
}

TouchSet touches_found(const std::string& arguments, const std::filesystem::path& folder) {
    const ProgramResult result =
        run_program("clips find " + arguments + " --near ball --within 0mm --check --report r.json", folder);
    EXPECT_EQ(result.exit_code, 0) << result.error;
    TouchSet touches;
    const auto report = nlohmann::json::parse(text_of_file(folder / "r.json"));
    for (const auto& row : report["rows"])
        for (int frame = row["first_frame"]; frame <= row["last_frame"]; ++frame)
            touches.emplace(frame, row["hand"], row["bone"]);
    return touches;
}

// The session stored in a log determines a replay as much as its scene does.
TEST(ClipsCommand, FindsInASessionsLogWhatAReplayOfItTouches) {
    const TestFolder folder("clips_session");
    // Half of a recording: its hands are placed as for the whole recording.
    ASSERT_EQ(
        run_program("replay grasp --scene held-ball --headless --rate max --frames 300 --record s.glove", folder.path)
            .exit_code,
        0);
    const TouchSet replayed = touches_of_replay("s.glove", folder.path);
    EXPECT_GT(replayed.size(), 50U);
    EXPECT_EQ(touches_found("s.glove", folder.path), replayed) << "in memory";
    EXPECT_EQ(touches_found("s.glove", folder.path), replayed) << "from the file";
}

// A log keeps the bones of the wearer's profile, and a search of it uses them.
TEST(ClipsCommand, FindsTheTouchesOfAWearersFittedBones) {
    const TestFolder folder("clips_fitted");
    tracking::UserProfile user;
    for (const tracking::Side side : tracking::kSides) {
        tracking::HandShape& shape = user[side].hand.emplace(tracking::default_profile()).shape.emplace();
        shape.fill({{0.0F, -0.002F, 0.0F}, {0.0F, -0.002F, 0.0F}, 0.011F, 0.010F});
    }
    recordings::save_user_profile(user, folder.path / "me.json");
    for (const char* log : {"usual.glove", "fitted.glove --profile me.json"})
        ASSERT_EQ(run_program(
                      std::string("replay grasp --scene held-ball --headless --rate max --frames 300 --record ") + log,
                      folder.path)
                      .exit_code,
                  0);
    const TouchSet replayed = touches_of_replay("fitted.glove", folder.path);
    EXPECT_GT(replayed.size(), 50U);
    EXPECT_EQ(touches_found("fitted.glove", folder.path), replayed);
    EXPECT_NE(touches_found("usual.glove", folder.path), replayed);
}

TEST(ClipsCommand, ReadsARecordingInTheAxesOfItsScene) {
    const TestFolder folder("clips_axes");
    ASSERT_EQ(run_program("convert grasp take.csv", folder.path).exit_code, 0);
    std::ofstream(folder.path / "scene.toml") << "name = \"ball\"\n[hand]\nrecording_axes = \"unity\"\n"
                                                 "[[object]]\nname = \"ball\"\nshape = \"ball\"\n"
                                                 "radius_m = 0.035\nposition_m = [0.02, 0.035, 0.0]\n";
    const TouchSet replayed = touches_of_replay("take.csv --scene scene.toml", folder.path);
    EXPECT_GT(replayed.size(), 100U);
    EXPECT_EQ(touches_found("take.csv --scene scene.toml", folder.path), replayed);
    const ProgramResult as_it_is = run_program("clips find take.csv --near ball", folder.path);
    EXPECT_NE(as_it_is.error.find("other import options"), std::string::npos) << as_it_is.error;
}

TEST(ClipsCommand, SaysInOneLineWhatIsWrong) {
    const TestFolder folder("clips_bad");
    std::ofstream(folder.path / "notes.txt") << "not a recording";
    const auto expect_line = [&](const std::string& arguments, int exit_code, const std::string& says) {
        const ProgramResult result = run_program(arguments, folder.path);
        EXPECT_EQ(result.exit_code, exit_code) << arguments;
        EXPECT_NE(result.error.find(says), std::string::npos) << arguments << ": " << result.error;
        if (exit_code == 1) {
            EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1) << result.error;
        }
    };
    expect_line("clips find missing.csv --near ball", 1, "missing.csv: no such file");
    expect_line("clips find notes.txt --near ball", 1, "notes.txt");
    expect_line("clips index notes.txt", 1, "notes.txt");
    expect_line("clips find notes.txt --near moon", 1, "no such object in scene table-and-ball");
    for (const char* wrong : {"5ly", "-5mm", "nan", "nanmm", "5", "2m"})
        expect_line(std::string("clips find notes.txt --near ball --within=") + wrong, 2, "from 0 to 1 m");
    expect_line("clips find notes.txt --near ball --bone toe", 2, "no such bone");
    expect_line("clips find notes.txt", 2, "either --near OBJECT or --hand-hand");
    expect_line("clips clash notes.txt notes.txt --offset abc", 2, "abc is not a time with its unit");
    expect_line("clips find notes.txt --near ball --within 0", 1, "notes.txt");
    expect_line("clips find notes.txt --hand-hand --hand left", 2, "--hand");
    expect_line("clips index notes.txt --report r.json", 2, "--report");
    for (const char* command :
         {"replay flick --unit mm", "clips index flick --unit mm", "clips find notes.txt flick --near ball --unit mm",
          "clips clash flick flick --unit mm"})
        expect_line(command, 2, "--unit is for files, and flick is a bundled recording");
    expect_line("clips clash notes.txt", 2, "");
    expect_line("clips", 2, "");
    EXPECT_FALSE(std::filesystem::exists(folder.path / "notes.txt.touch"));
}

TEST(ClipsCommand, IndexesWhatCanBeReadAndSaysWhatCannot) {
    const TestFolder folder("clips_some");
    ASSERT_EQ(run_program("convert grasp take.csv", folder.path).exit_code, 0);
    ASSERT_EQ(
        run_program("replay grasp --scene held-ball --headless --frames 60 --record own.glove", folder.path).exit_code,
        0);
    std::ofstream(folder.path / "notes.txt") << "not a recording";
    std::ofstream(folder.path / "cut.glove") << std::string("SQLite format 3\0", 16) << "and no more";
    const ProgramResult some =
        run_program("clips index cut.glove missing.csv notes.txt own.glove take.csv", folder.path);
    EXPECT_EQ(some.exit_code, 1);
    EXPECT_EQ(std::count(some.error.begin(), some.error.end(), '\n'), 3) << some.error;
    for (const char* bad : {"cut.glove", "missing.csv", "notes.txt"}) {
        EXPECT_NE(some.error.find(bad), std::string::npos) << some.error;
        EXPECT_FALSE(std::filesystem::exists(folder.path / (std::string(bad) + ".touch")));
    }
    EXPECT_NE(some.out.find("own.glove.touch: 60 frames"), std::string::npos) << some.out;
    EXPECT_NE(some.out.find("take.csv.touch: "), std::string::npos) << some.out;
    // A search of the valid files uses the indices as they are: nothing is computed again.
    const ProgramResult found = run_program("clips find own.glove take.csv --near ball", folder.path);
    EXPECT_EQ(found.exit_code, 0);
    EXPECT_EQ(found.error, "");
    // An error that all files share is printed once.
    const ProgramResult none = run_program("clips index own.glove take.csv --scene moon", folder.path);
    EXPECT_EQ(none.exit_code, 1);
    EXPECT_EQ(std::count(none.error.begin(), none.error.end(), '\n'), 1) << none.error;
}

TEST(ClipsCommand, LooksIntoFolders) {
    const TestFolder folder("clips_folder");
    std::filesystem::create_directories(folder.path / "takes" / "more");
    ASSERT_EQ(run_program("convert grasp takes/b.csv", folder.path).exit_code, 0);
    ASSERT_EQ(run_program("convert flick takes/more/c.glove", folder.path).exit_code, 0);
    ASSERT_EQ(run_program("label grasp -o takes/a.glove", folder.path).exit_code, 0);  // a table, not a recording
    std::ofstream(folder.path / "takes" / "notes.txt") << "hello";
    ASSERT_EQ(run_program("clips index takes", folder.path).exit_code, 0);
    EXPECT_TRUE(std::filesystem::exists(folder.path / "takes" / "b.csv.touch"));
    EXPECT_TRUE(std::filesystem::exists(folder.path / "takes" / "more" / "c.glove.touch"));
    const std::string question = "clips find --near ball --scene table-and-ball --report r.json ";
    const ProgramResult found = run_program(question + "takes", folder.path);
    ASSERT_EQ(found.exit_code, 0) << found.error;
    EXPECT_NE(found.error.find("skipped takes/notes.txt"), std::string::npos) << found.error;
    EXPECT_NE(found.error.find("skipped takes/a.glove"), std::string::npos) << found.error;
    EXPECT_EQ(found.error.find(".touch"), std::string::npos) << found.error;
    const auto all = nlohmann::json::parse(text_of_file(folder.path / "r.json"))["rows"];
    ASSERT_EQ(run_program(question + "takes/b.csv takes/more/c.glove", folder.path).exit_code, 0);
    EXPECT_EQ(all, nlohmann::json::parse(text_of_file(folder.path / "r.json"))["rows"]);
    EXPECT_GT(all.size(), 10U);

    EXPECT_EQ(run_program("clips find takes/notes.txt --near ball", folder.path).exit_code, 1) << "it was named";
    std::filesystem::create_directories(folder.path / "empty");
    EXPECT_NE(run_program("clips index empty", folder.path).error.find("no recordings in empty"), std::string::npos);
}

TEST(ClipsCommand, SaysWhyAnIndexIsRebuiltAndSearchesSeveralTakesAlike) {
    const TestFolder folder("clips_rebuilt");
    ASSERT_EQ(run_program("convert grasp take.csv", folder.path).exit_code, 0);
    const std::string find = "clips find take.csv take.csv take.csv --near ball";
    const ProgramResult first = run_program(find, folder.path);
    ASSERT_EQ(first.exit_code, 0) << first.error;
    EXPECT_NE(first.error.find("take.csv.touch: no index; indexed again"), std::string::npos) << first.error;
    const ProgramResult second = run_program(find, folder.path);
    EXPECT_EQ(second.error, "");
    EXPECT_EQ(second.out.substr(0, second.out.find(" intervals in")),
              first.out.substr(0, first.out.find(" intervals in")));

    const std::filesystem::path index = folder.path / "take.csv.touch";
    std::filesystem::resize_file(index, std::filesystem::file_size(index) / 2);
    const ProgramResult third = run_program(find, folder.path);
    ASSERT_EQ(third.exit_code, 0) << third.error;
    EXPECT_NE(third.error.find("take.csv.touch: cut off; indexed again"), std::string::npos) << third.error;
    EXPECT_EQ(std::count(third.error.begin(), third.error.end(), '\n'), 1) << third.error;

    // Index files that are named together with the recordings, as takes/* does, are ignored.
    EXPECT_EQ(run_program(find + " take.csv.touch", folder.path).error, "");
}

TEST(ClipsCommand, RebuildsDamagedIndexes) {
    const TestFolder folder("clips_damaged");
    ASSERT_EQ(run_program("convert grasp take.csv", folder.path).exit_code, 0);
    ASSERT_EQ(run_program("clips index take.csv", folder.path).exit_code, 0);
    const std::string whole = text_of_file(folder.path / "take.csv.touch");
    const auto answer = [&folder](const char* command) {
        const ProgramResult result = run_program(command, folder.path);
        EXPECT_EQ(result.exit_code, 0) << command << ": " << result.error;
        return std::pair(result.out.substr(0, result.out.find(" in 8.0 s of recordings")), result.error);
    };
    const char* const find = "clips find take.csv --near ball";
    const char* const clash = "clips clash take.csv take.csv --offset=1s";
    const auto found = answer(find), clashed = answer(clash);
    int while_searching = 0;
    for (std::size_t k = 1; k < 12; ++k) {
        std::string damaged = whole;
        damaged[k * whole.size() / 12] ^= 1;
        for (const char* command : {find, clash}) {
            std::ofstream(folder.path / "take.csv.touch", std::ios::binary) << damaged;
            const auto again = answer(command);
            EXPECT_EQ(again.first, command == find ? found.first : clashed.first) << k;
            if (again.second.empty()) continue;
            EXPECT_TRUE(again.second.starts_with("glovebox: take.csv.touch: damaged")) << again.second;
            EXPECT_EQ(text_of_file(folder.path / "take.csv.touch"), whole) << k;
            if (again.second.find("damaged at") != std::string::npos) ++while_searching;
        }
    }
    EXPECT_GE(while_searching, 6);
}

TEST(ClipsCommand, SaysAtWhatTimeAReplayShowsAFrame) {
    const TestFolder folder("clips_at");
    const ProgramResult found = run_program("clips find flick --near ball --report r.json", folder.path);
    ASSERT_EQ(found.exit_code, 0) << found.error;
    const auto rows = nlohmann::json::parse(text_of_file(folder.path / "r.json"))["rows"];
    std::istringstream lines(found.out);
    std::string line;
    std::getline(lines, line);
    const std::size_t column_end = line.find("at s") + 4;
    for (std::size_t k = 0; k < 3; ++k) {
        std::getline(lines, line);
        const std::string at_s = line.substr(column_end - 10, 10);
        const ProgramResult shown =
            run_program("replay flick --headless --rate max --screenshot p.png --at " + at_s, folder.path);
        EXPECT_NE(shown.out.find("picture of frame " + rows[k]["frame"].dump() + ":"), std::string::npos)
            << at_s << shown.out;
    }
}

TEST(ClipsCommand, TakesBundledRecordingsAndKeepsNoIndexOfThem) {
    const TestFolder folder("clips_bundled");
    const ProgramResult index = run_program("clips index flick", folder.path);
    EXPECT_EQ(index.exit_code, 0) << index.error;
    EXPECT_NE(index.out.find("flick: 705 frames"), std::string::npos) << index.out;
    const ProgramResult found = run_program("clips find flick --near ball --check", folder.path);
    EXPECT_EQ(found.exit_code, 0) << found.error;
    EXPECT_EQ(found.out.find("\n0 intervals"), std::string::npos) << found.out;
    EXPECT_EQ(run_program("clips find type --near 'key 2.3'", folder.path).exit_code, 0)
        << "a bundled recording brings its scene";
    EXPECT_EQ(run_program("clips clash flick grasp", folder.path).exit_code, 0);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path));
}

TEST(ClipsCommand, GoesOnWhereNoIndexCanBeKept) {
    const TestFolder folder("clips_unwritable");
    ASSERT_EQ(run_program("convert flick take.csv", folder.path).exit_code, 0);
    // No file may grow beyond 8 blocks, as on a full disk.
    const int status =
        std::system(("cd '" + folder.path.string() +
                     "' && ulimit -f 8 && " GLOVEBOX_PROGRAM " clips find take.csv --near ball >/dev/null 2>err.txt")
                        .c_str());
    const std::string error = text_of_file(folder.path / "err.txt");
    EXPECT_EQ(status, 0) << error;
    EXPECT_NE(error.find("no index, and none can be written; indexed again"), std::string::npos) << error;
    EXPECT_FALSE(std::filesystem::exists(folder.path / "take.csv.touch"));
}

TEST(ClipsCommand, TheBenchesAnswerAlike) {
    const TestFolder folder("clips_bench");
    for (const char* bench : {"clips", "touch-search"}) {
        const ProgramResult result =
            run_program("bench " + std::string(bench) + " --quick --report b.json", folder.path);
        ASSERT_EQ(result.exit_code, 0) << bench << ": " << result.error;  // 3: two methods disagree
        const auto report = nlohmann::json::parse(text_of_file(folder.path / "b.json"));
        EXPECT_GE(report["rows"].size(), 3U) << bench;
        EXPECT_GE(report["claims"].size(), 2U) << bench;
    }
}

// A replay moves an object that a hand pushes; the search does not, so a result may not be seen there.
TEST(ClipsCommand, SaysThatAnObjectCanBePushed) {
    const TestFolder folder("clips_pushed");
    const auto says = [&](const char* command) {
        return run_program(command, folder.path).out.find("ball can be pushed") != std::string::npos;
    };
    EXPECT_TRUE(says("clips find flick --near ball"));
    EXPECT_FALSE(says("clips find grasp --near ball"));
}

}  // namespace
}  // namespace glovebox::vr
