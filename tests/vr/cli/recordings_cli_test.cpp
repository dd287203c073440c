// info, doctor, convert and recover as a user runs them: many recordings at once, two files of one take, cut files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "tests/vr/run_program.h"

namespace glovebox::vr {
namespace {

using testing::HasSubstr;

std::size_t lines_in(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(RecordingsCli, AFolderIsTakenOneLineARecording) {
    const TestFolder folder("many");
    std::filesystem::create_directories(folder.path / "takes" / "more");
    ASSERT_EQ(run_program("convert flick takes/a.csv", folder.path).exit_code, 0);
    ASSERT_EQ(run_program("convert carry takes/more/b.jsonl", folder.path).exit_code, 0);
    std::ofstream(folder.path / "takes" / "notes.txt") << "nothing";

    const ProgramResult info = run_program("info takes --json", folder.path);
    EXPECT_EQ(info.exit_code, 0) << info.error;
    ASSERT_EQ(lines_in(info.out), 3U) << info.out;
    std::istringstream lines(info.out);
    std::vector<nlohmann::json> all;
    for (std::string line; std::getline(lines, line);) all.push_back(nlohmann::json::parse(line));
    EXPECT_EQ(all[0]["recording"]["format"], "glovebox-csv");
    EXPECT_EQ(all[1]["hands"].size(), 2U) << "carry has both hands";
    EXPECT_THAT(all[2]["error"].get<std::string>(), HasSubstr("notes.txt"));

    EXPECT_EQ(run_program("info takes/a.csv notes.txt", folder.path).exit_code, 1) << "a file that was named";
    EXPECT_EQ(lines_in(run_program("doctor takes", folder.path).out), 3U);
}

TEST(RecordingsCli, ADashIsStandardInput) {
    const TestFolder folder("dash");
    ASSERT_EQ(run_program("convert flick a.csv", folder.path).exit_code, 0);
    const std::string pipe = R"(sh -c 'cat a.csv | "$0" "$@"' )";
    for (const char* command : {"info -", "doctor -", "touches -", "replay - --headless", "convert - b.csv"}) {
        const ProgramResult result = run_program(command, folder.path, pipe);
        EXPECT_EQ(result.exit_code, 0) << command << result.error;
    }
    EXPECT_EQ(run_program("diff a.csv b.csv", folder.path).exit_code, 0);
}

TEST(RecordingsCli, LinesOfEarlierRunsAreKeptAndNotMadeAgain) {
    const TestFolder folder("resume");
    std::filesystem::create_directory(folder.path / "takes");
    ASSERT_EQ(run_program("convert flick takes/a.csv", folder.path).exit_code, 0);
    for (const char* command : {"info", "doctor", "touches"}) {
        const std::string run = std::string(command) + " takes -o lines.jsonl";
        const ProgramResult begun = run_program(run, folder.path);
        ASSERT_EQ(begun.exit_code, 0) << begun.error;
        EXPECT_THAT(begun.out, HasSubstr("1 read, 0 were there already, 0 skipped"));
        const std::string first = text_of_file(folder.path / "lines.jsonl");
        ASSERT_EQ(lines_in(first), 2U);
        const auto head = nlohmann::json::parse(first.substr(0, first.find('\n')));
        EXPECT_EQ(head["lines_of"], command);
        const auto line = nlohmann::json::parse(first.substr(first.find('\n')));
        EXPECT_EQ(line["path"], "takes/a.csv");
        EXPECT_EQ(line["recording"]["format"], "glovebox-csv");

        std::filesystem::rename(folder.path / "takes" / "a.csv", folder.path / "a.csv");
        std::ofstream(folder.path / "takes" / "a.csv") << "no longer a recording";
        std::filesystem::copy(folder.path / "a.csv", folder.path / "takes" / "b.csv");
        std::ofstream(folder.path / "takes" / "notes.txt") << "nothing";
        const ProgramResult second = run_program(run, folder.path);
        EXPECT_EQ(second.exit_code, 0) << second.error;
        EXPECT_THAT(second.out, HasSubstr("1 read, 1 were there already, 1 skipped"));
        const std::string all = text_of_file(folder.path / "lines.jsonl");
        EXPECT_TRUE(all.starts_with(first));
        EXPECT_EQ(lines_in(all), 4U);
        EXPECT_THAT(run_program(std::string(command) + " ./takes/ -o lines.jsonl", folder.path).out,
                    HasSubstr("0 read, 3 were there already, 0 skipped"));
        EXPECT_EQ(text_of_file(folder.path / "lines.jsonl"), all);

        // A process that is killed while it writes leaves part of a line, or a line without its end.
        const std::size_t last = all.rfind('\n', all.size() - 2) + 1;
        for (const std::size_t length : {last + 1, last + 9, all.size() - 2, all.size() - 1, last, first.find('\n')}) {
            std::ofstream(folder.path / "lines.jsonl", std::ios::binary) << all.substr(0, length);
            const ProgramResult repaired = run_program(run, folder.path);
            EXPECT_EQ(repaired.exit_code, 0) << repaired.error;
            const std::size_t there = length == first.find('\n') ? 0 : length == all.size() - 1 ? 3 : 2;
            EXPECT_THAT(repaired.out, HasSubstr(", " + std::to_string(there) + " were there already"));
            if (there > 0) {
                EXPECT_EQ(text_of_file(folder.path / "lines.jsonl"), all) << command << " " << length;
            }
        }
        std::filesystem::remove_all(folder.path / "takes");
        std::filesystem::remove(folder.path / "lines.jsonl");
        std::filesystem::create_directory(folder.path / "takes");
        std::filesystem::rename(folder.path / "a.csv", folder.path / "takes" / "a.csv");
    }
}

TEST(RecordingsCli, LinesAreNotAddedToAnotherFile) {
    const TestFolder folder("others");
    ASSERT_EQ(run_program("touches flick -o touches.jsonl --by bone", folder.path).exit_code, 0);
    const std::string own = text_of_file(folder.path / "touches.jsonl");
    const std::string head = own.substr(0, own.find('\n') + 1);
    ASSERT_EQ(run_program("info flick -o info.jsonl", folder.path).exit_code, 0);
    ASSERT_EQ(run_program("convert flick recording.jsonl", folder.path).exit_code, 0);
    std::ofstream(folder.path / "mine.jsonl") << "{\"path\": \"my own\"}\n";
    std::ofstream(folder.path / "notes.jsonl") << "my notes";
    std::ofstream(folder.path / "edited.jsonl") << head << "my notes\n" << own.substr(head.size());
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"info.jsonl", "was written by `glovebox info`"},  {"recording.jsonl", "was not written by this command"},
        {"mine.jsonl", "was not written by this command"}, {"notes.jsonl", "was not written by this command"},
        {"touches.jsonl", "was written with another by"},  {"edited.jsonl", "line 2: is not a line of this command"}};
    for (const auto& [file, words] : cases) {
        const std::string before = text_of_file(folder.path / file);
        const std::string by = file == "edited.jsonl" ? " --by bone" : "";
        const ProgramResult refused = run_program("touches flick -o " + file + by, folder.path);
        EXPECT_EQ(refused.exit_code, 1) << file;
        EXPECT_THAT(refused.error, HasSubstr(words)) << file;
        EXPECT_EQ(lines_in(refused.error), 1U) << refused.error;
        EXPECT_EQ(text_of_file(folder.path / file), before) << file;
    }
    // A forced run replaces them, except a recording.
    EXPECT_EQ(run_program("touches flick --force -o recording.jsonl", folder.path).exit_code, 1);
    EXPECT_EQ(run_program("touches flick --force -o notes.jsonl", folder.path).exit_code, 0);
    EXPECT_EQ(lines_in(text_of_file(folder.path / "notes.jsonl")), 2U);
    EXPECT_EQ(run_program("touches flick --json -o x.jsonl", folder.path).exit_code, 2);
}

// The exit code covers the whole folder, also what an earlier run has read.
TEST(RecordingsCli, StrictCountsTheLinesOfEarlierRuns) {
    const TestFolder folder("strict_lines");
    std::filesystem::create_directory(folder.path / "takes");
    std::ofstream(folder.path / "takes" / "notes.txt") << "nothing";
    for (int run = 0; run < 2; ++run)
        EXPECT_EQ(run_program("doctor takes --strict -o lines.jsonl", folder.path).exit_code, 3) << run;
}

TEST(RecordingsCli, StrictExitsThreeForWhatIsUnfit) {
    const TestFolder folder("strict");
    ASSERT_EQ(run_program("convert flick good.csv", folder.path).exit_code, 0);
    const std::string good = text_of_file(folder.path / "good.csv");
    EXPECT_EQ(run_program("doctor good.csv --strict", folder.path).exit_code,
              run_program("doctor flick --strict", folder.path).exit_code);
    // Half a second is missing in the middle.
    std::istringstream lines(good);
    std::ofstream gap(folder.path / "gap.csv");
    std::size_t row = 0;
    for (std::string line; std::getline(lines, line); ++row)
        if (row < 60 || row > 110) gap << line << "\n";
    gap.close();
    EXPECT_EQ(run_program("doctor gap.csv", folder.path).exit_code, 0);
    const ProgramResult strict = run_program("doctor gap.csv --strict", folder.path);
    EXPECT_EQ(strict.exit_code, 3);
    EXPECT_THAT(strict.out, HasSubstr("gap:"));
    EXPECT_EQ(run_program("doctor gap.csv good.csv --strict", folder.path).exit_code, 3);

    std::ofstream(folder.path / "cut.csv") << good.substr(0, good.size() - 100);
    const ProgramResult cut = run_program("doctor cut.csv --strict", folder.path);
    EXPECT_EQ(cut.exit_code, 3);
    EXPECT_THAT(cut.out, HasSubstr("CUT OFF: The file is cut off in row"));
    std::ofstream(folder.path / "none.csv") << "nothing";
    for (const char* files : {"none.csv", "none.csv none.csv"})
        EXPECT_EQ(run_program(std::string("doctor --strict ") + files, folder.path).exit_code, 3) << files;
    EXPECT_EQ(run_program("doctor none.csv", folder.path).exit_code, 1);
}

TEST(RecordingsCli, AMissingFileThatIsNamedFailsInEveryCommand) {
    const TestFolder folder("named");
    for (const char* command :
         {"info nosuch flick", "doctor nosuch flick", "touches nosuch flick", "label nosuch flick -o labels.csv"})
        EXPECT_EQ(run_program(command, folder.path).exit_code, 1) << command;
    EXPECT_TRUE(std::filesystem::exists(folder.path / "labels.csv")) << "the others are labelled";
}

TEST(RecordingsCli, AFolderWithoutFilesIsSaidToHaveNone) {
    const TestFolder folder("no_files");
    std::filesystem::create_directory(folder.path / "takes");
    for (const char* command : {"info takes", "doctor takes", "doctor takes --strict", "touches takes",
                                "info takes -o lines.jsonl", "touches takes -o lines.jsonl"}) {
        const ProgramResult ran = run_program(command, folder.path);
        EXPECT_EQ(ran.exit_code, 1) << command;
        EXPECT_THAT(ran.error, HasSubstr("no recordings in takes")) << command;
    }
    EXPECT_FALSE(std::filesystem::exists(folder.path / "lines.jsonl"));
}

TEST(RecordingsCli, TwoFilesOfOneTakeAreOneRecording) {
    const TestFolder folder("pair");
    for (const char* hand : {"left", "right"})
        ASSERT_EQ(run_program(std::string("convert carry ") + hand + ".csv --hand " + hand, folder.path).exit_code, 0);
    const ProgramResult both = run_program("convert left.csv right.csv both.csv", folder.path);
    ASSERT_EQ(both.exit_code, 0) << both.error;
    ASSERT_EQ(run_program("convert carry whole.csv", folder.path).exit_code, 0);
    const ProgramResult diff = run_program("diff both.csv whole.csv", folder.path);
    EXPECT_EQ(diff.exit_code, 0) << diff.out;

    ASSERT_EQ(run_program("replay left.csv right.csv --headless --frames 20 --report r.json", folder.path).exit_code,
              0);
    const auto report = nlohmann::json::parse(text_of_file(folder.path / "r.json"));
    EXPECT_THAT(report["recording"]["path"].get<std::string>(), HasSubstr("left.csv + right.csv"));

    const ProgramResult same = run_program("convert left.csv left.csv twice.csv", folder.path);
    EXPECT_EQ(same.exit_code, 1);
    EXPECT_THAT(same.error, HasSubstr("a hand each"));
    const ProgramResult late = run_program("convert left.csv right.csv late.csv --offset 1000", folder.path);
    EXPECT_EQ(late.exit_code, 1);
    EXPECT_THAT(late.error, HasSubstr("--offset"));
    EXPECT_EQ(run_program("convert left.csv out.csv --offset 1", folder.path).exit_code, 2);
    EXPECT_EQ(run_program("convert left.csv right.csv x.csv --offset soon", folder.path).exit_code, 2);
    // Both palms lift one crate, so they move at the same moments.
    const ProgramResult told = run_program("convert left.csv right.csv told.csv --offset auto", folder.path);
    EXPECT_TRUE(told.exit_code == 0 || told.error.find("does not tell") != std::string::npos) << told.error;
}

TEST(RecordingsCli, TwoFilesTakeTheirWristsFromOneFileOrTwo) {
    const TestFolder folder("wrists");
    for (const std::string hand : {"left", "right"}) {
        const std::string of_hand = " --hand " + hand + " --as openxr-";
        ASSERT_EQ(run_program("convert carry " + hand + ".csv" + of_hand + "csv", folder.path).exit_code, 0);
        ASSERT_EQ(run_program("convert carry " + hand + "_w.csv" + of_hand + "wrist-csv", folder.path).exit_code, 0);
    }
    ASSERT_EQ(run_program("convert carry whole.csv", folder.path).exit_code, 0);
    const std::string two = "convert left.csv right.csv ";
    ASSERT_EQ(run_program(two + "a.csv --wrist whole.csv", folder.path).exit_code, 0);
    ASSERT_EQ(run_program(two + "b.csv --wrist left_w.csv --other-wrist right_w.csv", folder.path).exit_code, 0);
    const std::string near = " --position-mm 0.1 --angle-deg 0.5 --time-ms 1";
    EXPECT_EQ(run_program("diff a.csv b.csv" + near, folder.path).exit_code, 0);
    ASSERT_EQ(run_program(two + "c.csv --wrist left_w.csv", folder.path).exit_code, 0);
    EXPECT_NE(run_program("diff a.csv c.csv" + near, folder.path).exit_code, 0) << "both hands at one wrist";

    const ProgramResult alone = run_program("convert left.csv x.csv --other-wrist right_w.csv", folder.path);
    EXPECT_EQ(alone.exit_code, 2);
    EXPECT_THAT(alone.error, HasSubstr("there is only one"));
    EXPECT_EQ(run_program("replay left.csv --other-wrist right_w.csv --headless", folder.path).exit_code, 2);
    const ProgramResult replay = run_program(
        "replay left.csv right.csv --wrist left_w.csv --other-wrist right_w.csv --headless --frames 5", folder.path);
    EXPECT_EQ(replay.exit_code, 0) << replay.error;
}

TEST(RecordingsCli, RecoverTakesATextThatIsCutOff) {
    const TestFolder folder("recover_text");
    ASSERT_EQ(run_program("convert flick whole.jsonl", folder.path).exit_code, 0);
    const std::string whole = text_of_file(folder.path / "whole.jsonl");
    std::ofstream(folder.path / "cut.jsonl") << whole.substr(0, whole.size() / 2);
    const ProgramResult result = run_program("recover cut.jsonl saved.glove", folder.path);
    ASSERT_EQ(result.exit_code, 0) << result.error;
    EXPECT_THAT(result.out, HasSubstr("cut off"));
    EXPECT_EQ(run_program("info saved.glove", folder.path).exit_code, 0);
}

TEST(RecordingsCli, AHandThatIsNamedIsTheHandOfAFileThatDoesNotSay) {
    const TestFolder folder("named");
    ASSERT_EQ(run_program("convert flick hand.csv --as openxr-csv", folder.path).exit_code, 0);
    for (const char* hand : {"left", "right"}) {
        const std::string asked = std::string(" --hand ") + hand;
        EXPECT_EQ(run_program("replay hand.csv --headless --frames 5" + asked, folder.path).exit_code, 0) << hand;
        EXPECT_EQ(run_program("convert hand.csv " + std::string(hand) + ".csv" + asked, folder.path).exit_code, 0);
        EXPECT_THAT(run_program("info " + std::string(hand) + ".csv", folder.path).out, HasSubstr(hand));
    }
}

TEST(RecordingsCli, DiffWithATolerancePassesOverRadiiThatAFormatLacks) {
    const TestFolder folder("diff_radii");
    ASSERT_EQ(run_program("convert lift lift.bvh", folder.path).exit_code, 0);
    EXPECT_EQ(run_program("diff lift lift.bvh", folder.path).exit_code, 3);
    const ProgramResult near =
        run_program("diff lift lift.bvh --position-mm 1 --angle-deg 180 --time-ms 100", folder.path);
    EXPECT_EQ(near.exit_code, 0) << near.out << near.error;
}

TEST(RecordingsCli, OurOwnTablesAreNamedWhereARecordingIsExpected) {
    const TestFolder folder("own_tables");
    ASSERT_EQ(run_program("label flick -o labels.csv", folder.path).exit_code, 0);
    ASSERT_EQ(run_program("touches flick -o touches.csv", folder.path).exit_code, 0);
    for (const char* table : {"labels", "touches"}) {
        const ProgramResult info = run_program(std::string("info ") + table + ".csv", folder.path);
        EXPECT_EQ(info.exit_code, 1);
        EXPECT_THAT(info.error, HasSubstr(std::string("this is a table of ") + table));
    }
}

}  // namespace
}  // namespace glovebox::vr
