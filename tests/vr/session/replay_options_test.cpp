// Replay options that would have no effect, or a misleading one, are refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/vr/run_program.h"
#include "vr/platform/platform.h"
#include "vr/session/open_session.h"
#include "vr/session/session_view.h"

namespace glovebox::vr {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

void expect_line_with(const ProgramResult& result, int exit_code, const std::string& words) {
    EXPECT_EQ(result.exit_code, exit_code) << result.error;
    EXPECT_THAT(result.error, StartsWith("glovebox: "));
    EXPECT_THAT(result.error, HasSubstr(words));
    EXPECT_EQ(std::count(result.error.begin(), result.error.end(), '\n'), 1) << result.error;
}

TEST(FailIfOption, IsReadBeforeTheWork) {
    const TestFolder folder("fail_if_usage");
    for (const char* condition :
         {"total.p99_us>nan", "total.p99_us>inf", "total.p99_us>-inf", "counts.true>5 && counts.coll>1",
          "counts.true>5 apples", "counts.true>0x10", "counts.true>1e999", "counts.true", "counts.true>",
          "counts.true=7", "counts.true=>7", ">7", "", "counts.true>>7"}) {
        const auto result = run_program(
            std::string("replay flick --headless --report r.json --fail-if '") + condition + "'", folder.path);
        EXPECT_EQ(result.exit_code, 2) << condition;
        EXPECT_THAT(result.error, HasSubstr("--fail-if")) << condition;
        EXPECT_EQ(result.out, "") << condition;
    }
    EXPECT_EQ(run_program("vr --headless --fail-if 'headset.frames_missed>nan'", folder.path).exit_code, 2);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path));
}

TEST(FailIfOption, AnUnknownNumberIsToldAndTheOthersStillHold) {
    const TestFolder folder("fail_if_unknown");
    expect_line_with(run_program("replay flick --headless --frames 20 --fail-if 'counts.tru>5'", folder.path), 1,
                     "counts has coll, false, true");
    expect_line_with(run_program("replay flick --headless --frames 20 --fail-if 'total.p42_us>5'", folder.path), 1,
                     "p50");
    expect_line_with(
        run_program("replay flick --headless --frames 20 --fail-if 'window.scenes_per_second<5'", folder.path), 1,
        "only a replay in a window has it");
    for (const char* conditions :
         {"--fail-if 'nonsense>1' --fail-if 'counts.coll>=0'", "--fail-if 'counts.coll>=0' --fail-if 'nonsense>1'"}) {
        const auto result = run_program(std::string("replay flick --headless --frames 20 ") + conditions, folder.path);
        EXPECT_EQ(result.exit_code, 3) << conditions;
        EXPECT_THAT(result.error, HasSubstr("counts.coll>=0")) << conditions;
        EXPECT_THAT(result.error, HasSubstr("nonsense")) << conditions;
    }
    // An invalid condition does not hide a failed assertion either.
    EXPECT_EQ(
        run_program("replay grasp --headless --stop-within 0.001 --inject drop=400ms@2s --fail-if 'nonsense>1'",
                    folder.path)
            .exit_code,
        run_program("replay grasp --headless --stop-within 0.001 --inject drop=400ms@2s", folder.path).exit_code == 3
            ? 3
            : 1);
}

TEST(InjectOption, ThatReachesNothingIsRefused) {
    const TestFolder folder("inject_nothing");
    expect_line_with(run_program("replay flick --headless --inject drop=200ms@99s", folder.path), 1,
                     "begins after the recording's end (8.0 s)");
    expect_line_with(run_program("replay flick --headless --inject nan@2.001s+0.001ms", folder.path), 1,
                     "no sample lies in it");
    expect_line_with(run_program("label flick -o l.csv --inject nan@99s", folder.path), 1,
                     "begins after the recording's end");
    EXPECT_EQ(run_program("replay flick --headless --inject nan@2s+0s", folder.path).exit_code, 2);
    EXPECT_THAT(run_program("replay --help", folder.path).out, HasSubstr("without a unit seconds"));
}

TEST(HandOption, ThatIsNotInTheRecordingIsRefused) {
    const TestFolder folder("hand_missing");
    for (const char* arguments : {"replay flick --headless --check --hand left", "replay flick --hand left",
                                  "label flick --hand left -o l.csv", "emulate flick --hand left"})
        expect_line_with(run_program(arguments, folder.path), 1, "there is no left hand in it");
    EXPECT_EQ(run_program("replay flick --headless --frames 5 --hand right", folder.path).exit_code, 0);
}

TEST(HandOption, LeavesTheOtherHandOutAltogether) {
    const TestFolder folder("one_hand");
    ASSERT_EQ(run_program("convert carry both.bvh", folder.path).exit_code, 0);  // BVH does not store the scene
    ASSERT_EQ(run_program("convert both.bvh both.jsonl", folder.path).exit_code, 0);
    const auto report_of = [&](const std::string& arguments) {
        EXPECT_EQ(
            run_program("replay " + arguments + " --headless --scene held-ball --report r.json", folder.path).exit_code,
            0);
        return nlohmann::json::parse(text_of_file(folder.path / "r.json"));
    };
    for (const std::string hand : {"left", "right"}) {
        ASSERT_EQ(run_program("convert both.jsonl " + hand + ".jsonl --hand " + hand, folder.path).exit_code, 0);
        const auto one = report_of("both.jsonl --hand " + hand), alone = report_of(hand + ".jsonl");
        EXPECT_EQ(one["recording"]["hands"], nlohmann::json::array({hand}));
        EXPECT_EQ(one["placement"], alone["placement"]);
        EXPECT_EQ(one["state_hash"], alone["state_hash"]);
        EXPECT_GT(one["counts"]["true"], 0) << "its fingertips are led to the ball, not both hands' middle";
    }
}

// An unset variable in a script must not select the bundled flick, nor a report that no one finds.
TEST(EmptyArguments, AreRefused) {
    const TestFolder folder("empty_arguments");
    for (const char* arguments :
         {"replay '' --headless", "replay flick --headless --frames 3 --report ''",
          "replay flick --headless --frames 3 --contacts ''", "replay flick --headless --frames 3 --scene ''",
          "replay flick --headless --frames 3 --scene=", "info ''", "'' --headless", "label flick '' -o l.csv"})
        expect_line_with(run_program(arguments, folder.path), 2, "is empty: is a variable not set?");
    EXPECT_TRUE(std::filesystem::is_empty(folder.path));
}

TEST(LabelCounts, WhatWasSkippedWasNotLabelled) {
    const TestFolder folder("label_skipped");
    const std::string kYesterday = "recording,frame,time_s,hand,bone\nyesterday,0,0,right,palm\n";
    std::filesystem::create_directory(folder.path / "takes");
    std::ofstream(folder.path / "takes" / "notes.txt") << "nothing\n";
    expect_line_with(run_program("label nofile -o l.csv", folder.path), 1, "nofile");
    std::ofstream(folder.path / "l.csv") << kYesterday;
    for (int again = 0; again < 2; ++again)
        expect_line_with(run_program("label takes -o l.csv", folder.path), 1, "notes.txt");
    EXPECT_EQ(text_of_file(folder.path / "l.csv"), kYesterday) << "nothing is better than it";
    for (const auto& [shard, counts] : {std::pair{" --shard 1/2", "1 labelled, 0 were there already, 0 skipped"},
                                        std::pair{"", "0 labelled, 1 were there already, 1 skipped"}}) {
        const auto result = run_program(std::string("label takes flick -o l.csv") + shard, folder.path);
        EXPECT_EQ(result.exit_code, 0);
        EXPECT_THAT(result.out, HasSubstr(counts));
    }
    EXPECT_THAT(run_program("label takes flick -o m.csv --shard 2/2", folder.path).out, HasSubstr("0 labelled"));
    EXPECT_EQ(run_program("label takes flick -o m.csv --shard 2/2", folder.path).exit_code, 1);
}

TEST(CheckOption, ChecksThePairsThatAreCounted) {
    const TestFolder folder("check_counts");
    for (const char* recording : {"flick", "grasp", "carry"}) {
        const auto result =
            run_program(std::string("replay ") + recording + " --headless --check --report r.json", folder.path);
        ASSERT_EQ(result.exit_code, 0) << result.error;
        const auto report = nlohmann::json::parse(text_of_file(folder.path / "r.json"));
        EXPECT_THAT(report["check"]["summary"].get<std::string>(),
                    HasSubstr(", " + report["counts"]["true"].dump() + " touching pairs: all agree"))
            << recording;
    }
}

TEST(Replay, OfOnePoseHasNoRate) {
    const TestFolder folder("one_pose");
    ASSERT_EQ(run_program("convert grasp all.csv", folder.path).exit_code, 0);
    std::istringstream all(text_of_file(folder.path / "all.csv"));
    std::ofstream one(folder.path / "one.csv");
    std::string line;
    for (int i = 0; i < 2 && std::getline(all, line); ++i) one << line << '\n';
    one.close();
    const auto result = run_program("replay one.csv --headless", folder.path);
    EXPECT_EQ(result.exit_code, 0) << result.error;
    EXPECT_THAT(result.out, HasSubstr(" hand, one pose)\n"));
    EXPECT_THAT(result.out, HasSubstr("refit method cab, 1 frame\n"));
    RecordingSettings from;
    from.recording = (folder.path / "one.csv").string();
    const auto replay = open_recording_session(from, {}, now_ns);
    SessionView view(*replay);
    replay->next();
    EXPECT_THAT(view.model(*replay).subtitle, testing::EndsWith("one pose"));
}

TEST(ReplayOptions, ThatWouldDoNothingAreRefused) {
    const TestFolder folder("ignored");
    for (const char* options :
         {"--wrist nofile", "--unit mm", "--axes unity", "--headless --at 3", "--headless --size 800x600",
          "--headless --stop-within 5", "--headless --haptics-log h.csv", "--at 3"}) {
        const auto result = run_program(std::string("replay flick --frames 5 ") + options, folder.path);
        EXPECT_EQ(result.exit_code, 2) << options << result.error;
        EXPECT_NE(result.error, "") << options;
    }
    EXPECT_EQ(run_program("replay flick --headless --frames 5 --unit auto --axes auto", folder.path).exit_code, 0);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path));
}

}  // namespace
}  // namespace glovebox::vr
