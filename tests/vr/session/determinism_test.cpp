// Same build and recording give the same hash for every frame: on one thread or many, with or without a force loop.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "tests/vr/run_program.h"
#include "vr/platform/platform.h"
#include "vr/session/open_session.h"

namespace glovebox::vr {
namespace {

std::vector<std::uint64_t> hashes_of(const std::string& recording, const std::string& scene, const char* fault,
                                     const collision::RefitMethod* method = nullptr) {
    SessionSettings settings;
    settings.scene = scene;
    if (method != nullptr) settings.method = method;
    settings.headless = true;
    if (*fault != '\0') settings.faults = {recordings::parse_fault(fault)};
    RecordingSettings from;
    from.recording = recording;
    const auto replay = open_recording_session(from, settings, now_ns);
    std::vector<std::uint64_t> hashes;
    while (replay->next()) hashes.push_back(replay->pipeline.report.state_hash);
    return hashes;
}

TEST(Determinism, EveryFrameHashesTheSameOnOneThreadAndOnFourAtOnce) {
    for (const char* fault : {"", "jitter=2mm"}) {
        const auto alone = hashes_of("grasp", "held-ball", fault);
        ASSERT_GT(alone.size(), 500U);
        std::array<std::vector<std::uint64_t>, 4> together;
        {
            std::vector<std::jthread> threads;
            for (auto& each : together)
                threads.emplace_back([&each, fault] { each = hashes_of("grasp", "held-ball", fault); });
        }
        for (const auto& each : together) EXPECT_EQ(each, alone);
    }
    EXPECT_NE(hashes_of("grasp", "held-ball", ""), hashes_of("grasp", "held-ball", "jitter=2mm"));
}

// Hands fast enough for sub-steps, near objects that can be pushed.
TEST(Determinism, EveryRefitMethodGivesTheSameHashes) {
    for (const auto& [recording, scene] : {std::pair("flick", "table-and-ball"),
                                           {"flick", "cup-to-grasp"},
                                           {"lift", "cup-to-grasp"},
                                           {"carry", "two-hands"},
                                           {"grasp", "held-ball"}})
        for (const char* fault : {"", "jitter=8mm"}) {
            const auto first = hashes_of(recording, scene, fault);
            for (const collision::RefitMethod& method : collision::refit_methods())
                EXPECT_TRUE(hashes_of(recording, scene, fault, &method) == first)
                    << recording << " in " << scene << ' ' << fault << ", " << method.name;
        }
}

TEST(Determinism, AForceLoopOnItsOwnThreadChangesNoHash) {
    const TestFolder folder("determinism");
    const auto hash_of = [&](const std::string& options) {
        const ProgramResult result =
            run_program("replay grasp --headless --frames 180 --report r.json " + options, folder.path);
        EXPECT_EQ(result.exit_code, 0) << result.error;
        return nlohmann::json::parse(text_of_file(folder.path / "r.json"))["state_hash"].get<std::string>();
    };
    const std::string alone = hash_of("");
    EXPECT_EQ(hash_of("--haptics null"), alone) << "in the recording's time";
    EXPECT_EQ(hash_of("--haptics null --rate 4x"), alone) << "on a thread";
}

TEST(Determinism, LabelsAreTheSameWithOneJobAndWithFour) {
    const TestFolder folder("label_jobs");
    for (const char* name : {"a.csv", "b.csv", "c.csv"})
        ASSERT_EQ(run_program(std::string("convert flick ") + name, folder.path).exit_code, 0);
    ASSERT_EQ(run_program("label a.csv b.csv c.csv grasp --jobs 1 -o one.csv", folder.path).exit_code, 0);
    ASSERT_EQ(run_program("label a.csv b.csv c.csv grasp --jobs 4 -o four.csv", folder.path).exit_code, 0);
    const std::string one = text_of_file(folder.path / "one.csv");
    EXPECT_GT(one.size(), 100'000U);
    EXPECT_TRUE(one == text_of_file(folder.path / "four.csv"));
}

TEST(Determinism, LabelsInTheFolderOfTheirRecordingsAreNotReadAsRecordings) {
    const TestFolder folder("label_inside");
    std::filesystem::create_directory(folder.path / "d");
    ASSERT_EQ(run_program("convert flick d/a.csv", folder.path).exit_code, 0);
    ASSERT_EQ(run_program("label d -o d/labels.csv", folder.path).exit_code, 0);
    const std::string first = text_of_file(folder.path / "d/labels.csv");
    const ProgramResult again = run_program("label d -o d/labels.csv", folder.path);
    EXPECT_EQ(again.exit_code, 0) << again.error;
    EXPECT_TRUE(text_of_file(folder.path / "d/labels.csv") == first);
    EXPECT_EQ(again.error.find("labels.csv"), std::string::npos) << again.error;
    EXPECT_NE(again.out.find(" 0 skipped"), std::string::npos) << again.out;
}

}  // namespace
}  // namespace glovebox::vr
