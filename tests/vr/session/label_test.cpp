#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "recordings/log/database.h"
#include "recordings/log/schema.h"
#include "tests/vr/run_program.h"

namespace glovebox::vr {
namespace {

namespace fs = std::filesystem;

int run(const std::string& command) {
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

class Label : public ::testing::Test {
  protected:
    void SetUp() override {
        folder_ = fs::path(::testing::TempDir()) /
                  ("glovebox_label_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    std::string label(const std::string& arguments) const {
        return "cd " + folder_.string() + " && " GLOVEBOX_PROGRAM " label " + arguments + " >>out.txt 2>>err.txt";
    }
    fs::path folder_;
};

TEST_F(Label, OneRowPerFrameHandAndBoneWithADataCard) {
    ASSERT_EQ(run(label("flick -o labels.csv")), 0) << text_of_file(folder_ / "err.txt");
    const auto card = nlohmann::json::parse(text_of_file(folder_ / "labels.csv.card.json"));
    ASSERT_EQ(card["recordings"].size(), 1U);
    const auto frames = card["recordings"][0]["frames"].get<int>();
    std::istringstream table(text_of_file(folder_ / "labels.csv"));
    std::string line;
    std::getline(table, line);
    EXPECT_EQ(std::count(line.begin(), line.end(), ',') + 1, static_cast<long>(card["columns"].size()));
    int rows = 0, touching = 0, flicks = 0;
    while (std::getline(table, line)) {
        ASSERT_EQ(std::count(line.begin(), line.end(), ','), 16) << line;
        ++rows;
        touching += line.find(",ball,1,") != std::string::npos ? 1 : 0;
        flicks += line.find("flick", line.rfind(',')) != std::string::npos ? 1 : 0;
    }
    EXPECT_EQ(rows, 20 * frames);
    EXPECT_GT(touching, 0);
    EXPECT_GT(flicks, 0);
    for (const char* key : {"units", "frame", "uncertainty", "settings", "version"})
        EXPECT_TRUE(card.contains(key)) << key;
}

// The same values in all three formats; a .glove file is a database that any language can read.
TEST_F(Label, AGloveFileHoldsTheSameTableAndItsCard) {
    ASSERT_EQ(run(label("flick -o labels.csv")), 0) << text_of_file(folder_ / "err.txt");
    ASSERT_EQ(run(label("flick -o labels.glove")), 0) << text_of_file(folder_ / "err.txt");
    ASSERT_EQ(run(label("flick -o labels.json")), 0) << text_of_file(folder_ / "err.txt");
    EXPECT_EQ(text_of_file(folder_ / "labels.glove").substr(0, 15), "SQLite format 3");
    const auto rows = nlohmann::json::parse(text_of_file(folder_ / "labels.json"))["rows"];
    EXPECT_TRUE(nlohmann::json::parse(text_of_file(folder_ / "labels.glove.card.json")).contains("uncertainty"));

    recordings::Database labels(folder_ / "labels.glove", recordings::OpenMode::read);
    EXPECT_EQ(labels.number("PRAGMA application_id"), recordings::kLogApplicationId);
    ASSERT_EQ(labels.number("SELECT count(*) FROM label"), static_cast<std::int64_t>(rows.size()));
    recordings::Statement each(labels, "SELECT frame, bone, distance_m, event FROM label ORDER BY rowid");
    std::size_t i = 0;
    while (each.step()) {
        EXPECT_EQ(each.integer(0), rows[i][1].get<std::int64_t>());
        EXPECT_EQ(each.text(1), rows[i][4].get<std::string>());
        if (!rows[i][8].is_null()) {
            EXPECT_NEAR(each.real(2), rows[i][8].get<double>(), 1e-9);
        }
        if (!rows[i][16].is_null()) {
            EXPECT_EQ(each.text(3), rows[i][16].get<std::string>());
        }
        ++i;
    }
    EXPECT_EQ(i, rows.size());
    for (const char* minus_zero : {",-0.000000,", ",-0.00000,"})
        EXPECT_EQ(text_of_file(folder_ / "labels.csv").find(minus_zero), std::string::npos);
    recordings::Statement card(labels, "SELECT value FROM meta WHERE key = 'card'");
    ASSERT_TRUE(card.step());
    EXPECT_EQ(nlohmann::json::parse(card.text(0))["settings"]["scene"], "table-and-ball");
}

// The guard repeats the last good pose for a tenth of a second; the tracker did not see the hand there.
TEST_F(Label, AFrameThatTheGuardRejectedIsNotValid) {
    ASSERT_EQ(run(label("grasp --scene held-ball --inject nan@3.5s+50ms -o labels.csv")), 0)
        << text_of_file(folder_ / "err.txt");
    std::istringstream table(text_of_file(folder_ / "labels.csv"));
    std::string line;
    std::getline(table, line);
    int invalid = 0, wrong = 0;
    while (std::getline(table, line)) {
        std::istringstream cells(line);
        std::vector<std::string> cell;
        for (std::string each; std::getline(cells, each, ',');) cell.push_back(each);
        const double time_s = std::stod(cell.at(2));
        if (cell.at(5) == "1") {
            wrong += time_s > 3.501 && time_s < 3.549 ? 1 : 0;
            continue;
        }
        ++invalid;
        for (std::size_t i = 6; i < 16; ++i) EXPECT_EQ(cell.at(i), "") << line;
    }
    EXPECT_EQ(wrong, 0);
    EXPECT_GE(invalid, 4 * 20);
    EXPECT_LE(invalid, 6 * 20);
}

TEST_F(Label, TheCardSaysHowMuchARecordingShakes) {
    ASSERT_EQ(run(label("flick -o labels.csv")), 0) << text_of_file(folder_ / "err.txt");
    const auto card = nlohmann::json::parse(text_of_file(folder_ / "labels.csv.card.json"));
    // The sample is made with 0.1 mm of white noise, plus slow drift.
    EXPECT_GT(card["recordings"][0]["jitter_m"].get<double>(), 0.0001);
    EXPECT_LT(card["recordings"][0]["jitter_m"].get<double>(), 0.0006);
}

TEST_F(Label, ShardsOverProcessesJoinToTheSameTable) {
    if (run("command -v parallel >/dev/null") != 0) GTEST_SKIP() << "GNU parallel is not installed";
    ASSERT_EQ(run(label("flick grasp -o whole.csv")), 0) << text_of_file(folder_ / "err.txt");
    ASSERT_EQ(run("cd " + folder_.string() +
                  " && parallel --will-cite -j2 " GLOVEBOX_PROGRAM
                  " label flick grasp -o labels.csv --shard {}/3 ::: 1 2 3 >>out.txt 2>>err.txt"),
              0)
        << text_of_file(folder_ / "err.txt");
    EXPECT_FALSE(fs::exists(folder_ / "labels.csv"));
    ASSERT_EQ(run(label("--merge -o labels.csv")), 0) << text_of_file(folder_ / "err.txt");
    EXPECT_EQ(text_of_file(folder_ / "labels.csv"), text_of_file(folder_ / "whole.csv"));
    EXPECT_GT(fs::file_size(folder_ / "labels.csv"), 10'000U);
}

TEST_F(Label, AnInterruptedRunGoesOnAndChangedSettingsStartOver) {
    ASSERT_EQ(run(label("flick grasp -o labels.csv --shard 1/2")), 0);
    ASSERT_EQ(run(label("--merge -o labels.csv")), 1);  // half of the parts are missing
    EXPECT_NE(text_of_file(folder_ / "err.txt").find("missing: 2"), std::string::npos);
    ASSERT_EQ(run(label("flick grasp -o labels.csv")), 0);
    EXPECT_NE(text_of_file(folder_ / "out.txt").find("1 labelled, 1 were there already"), std::string::npos);
    ASSERT_EQ(run(label("flick grasp -o labels.csv --scene held-ball")), 0);
    EXPECT_NE(text_of_file(folder_ / "out.txt").find("2 labelled, 0 were there already"), std::string::npos);
}

TEST_F(Label, AFinishedRunLeavesNoPartsAndAnInterruptedOneDoesNotSpoilTheNext) {
    ASSERT_EQ(run(label("flick grasp -o labels.csv")), 0);
    EXPECT_FALSE(fs::exists(folder_ / "labels.csv.parts"));
    ASSERT_EQ(run(label("grasp -o one.csv")), 0);
    // The second part is of a run that another, of one recording, must not be joined with.
    ASSERT_EQ(run(label("flick type -o labels.csv --shard 2/2")), 0);
    ASSERT_TRUE(fs::exists(folder_ / "labels.csv.parts" / "000002.csv"));
    ASSERT_EQ(run(label("grasp -o labels.csv")), 0) << text_of_file(folder_ / "err.txt");
    EXPECT_EQ(text_of_file(folder_ / "labels.csv"), text_of_file(folder_ / "one.csv"));
    EXPECT_FALSE(fs::exists(folder_ / "labels.csv.parts"));
    // A file of someone else in the folder of parts is not removed.
    fs::create_directories(folder_ / "labels.csv.parts");
    std::ofstream(folder_ / "labels.csv.parts" / "notes.txt") << "mine";
    ASSERT_EQ(run(label("grasp -o labels.csv")), 0) << text_of_file(folder_ / "err.txt");
    EXPECT_TRUE(fs::exists(folder_ / "labels.csv.parts" / "notes.txt"));
}

TEST_F(Label, WhatIsNoRecordingIsSkippedAndNamed) {
    fs::create_directories(folder_ / "takes");
    std::ofstream(folder_ / "takes" / "notes.txt") << "nothing\n";
    ASSERT_EQ(run(label("takes flick -o labels.json")), 0) << text_of_file(folder_ / "err.txt");
    EXPECT_NE(text_of_file(folder_ / "err.txt").find("notes.txt"), std::string::npos);
    const auto card = nlohmann::json::parse(text_of_file(folder_ / "labels.json.card.json"));
    EXPECT_EQ(card["skipped"].size(), 1U);
    EXPECT_EQ(card["recordings"].size(), 1U);
}

TEST_F(Label, WrongUseIsRefused) {
    EXPECT_EQ(run(label("flick")), 2);
    EXPECT_EQ(run(label("flick -o labels.csv --shard 3/2")), 2);
    for (const char* name : {"labels.xls", "labels.c", "labels.", "labels"})
        EXPECT_EQ(run(label("flick -o " + std::string(name))), 2) << name;
    EXPECT_EQ(run(label("--merge -o nowhere.csv")), 1);
}

}  // namespace
}  // namespace glovebox::vr
