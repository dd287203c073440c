#include "vr/report.h"

#include <gtest/gtest.h>

#include "tests/vr/run_program.h"

namespace glovebox::vr {
namespace {

const nlohmann::ordered_json kReport = {{"stages_us", {{"total", {{"p99", 12.5}, {"p999", 40.0}}}}},
                                        {"counts", {{"true", 7}}},
                                        {"quarantine", {{"lost", 0}}}};

TEST(FailIf, ReadsStagesAndPaths) {
    EXPECT_TRUE(holds("total.p99_us>12", kReport));
    EXPECT_FALSE(holds("total.p99_us > 12.5", kReport));
    EXPECT_TRUE(holds("total.p999_us>=40", kReport));
    EXPECT_TRUE(holds("counts.true==7", kReport));
    EXPECT_TRUE(holds("quarantine.lost<1", kReport));
    EXPECT_TRUE(holds("stages_us.total.p99!=3", kReport));
}

TEST(FailIf, RefusesWhatItCannotRead) {
    for (const char* expression :
         {"", "total.p99_us", "total.p42_us>1", "counts>1", "counts.true>", "counts.true>x", ">1", "counts.true=7"})
        EXPECT_THROW(holds(expression, kReport), std::invalid_argument) << expression;
}

TEST(WriteWhole, KeepsTheOldFileWhenTheNewOneCannotBeMade) {
    const TestFolder folder("write_whole");
    write_whole(folder.path / "a.txt", "old");
    std::filesystem::create_directory(folder.path / "a.txt.part");  // what is written first cannot be opened
    EXPECT_THROW(write_whole(folder.path / "a.txt", "new"), std::runtime_error);
    EXPECT_EQ(text_of_file(folder.path / "a.txt"), "old");
}

}  // namespace
}  // namespace glovebox::vr
