// Comparison of two reports.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/vr/run_program.h"
#include "vr/export/compare.h"

namespace glovebox::vr {
namespace {

using nlohmann::ordered_json;
using ::testing::HasSubstr;

ordered_json report() {
    return ordered_json::parse(R"({
        "recording": {"path": "a.csv", "frames": 700},
        "stages_us": {"total": {"count": 700, "mean": 10.0, "p50": 8.0, "p90": 15.0, "p99": 20.0, "p999": 30.0, "max": 50.0},
                      "step": {"count": 700, "mean": 3.0, "p50": 2.0, "p90": 4.0, "p99": 6.0, "p999": 7.0, "max": 9.0}},
        "touches": [{"hand": "right", "finger": "index", "object": "ball", "count": 3, "total_s": 0.5}],
        "counts": {"coll": 100, "true": 40}, "state_hash": "0123", "machine": {"cpu": "x"}})");
}

TEST(Compare, EqualReportsHold) {
    EXPECT_TRUE(compare_reports(report(), report(), 0.0).holds());
}

TEST(Compare, CountsTouchesAndHashesAreExact) {
    const std::vector<std::pair<std::string, ordered_json>> changes = {
        {"/counts/true", 41}, {"/state_hash", "0124"}, {"/touches/0/count", 4}, {"/recording/frames", 701}};
    for (const auto& [pointer, value] : changes) {
        ordered_json other = report();
        other[ordered_json::json_pointer(pointer)] = value;
        EXPECT_FALSE(compare_reports(report(), other, 10.0).holds()) << pointer;
    }
    ordered_json elsewhere = report();
    elsewhere["machine"]["cpu"] = "y";
    elsewhere["recording"]["path"] = "b.csv";
    EXPECT_TRUE(compare_reports(report(), elsewhere, 0.0).holds()) << "where it was made is not compared";
}

TEST(Compare, ATouchThatOnlyOneHasIsBeyond) {
    ordered_json other = report();
    other["touches"].push_back({{"hand", "right"}, {"finger", "thumb"}, {"object", "ball"}, {"count", 1}});
    EXPECT_FALSE(compare_reports(report(), other, 10.0).holds());
    EXPECT_FALSE(compare_reports(other, report(), 10.0).holds());
}

TEST(Compare, TheSummaryCountsCountsAndTimingsApart) {
    ordered_json other = report();
    other["counts"]["true"] = 41;
    other["stages_us"]["total"]["p50"] = 80.0;
    EXPECT_THAT(comparison_text(compare_reports(report(), other, 0.05), 0.05),
                HasSubstr("1 counts and hashes differ; 1 of 8 timings are slower by more than 5 %"));
    other["recording"]["path"] = "folder/b.csv";
    other["method"] = "cab";
    const std::string text = comparison_text(compare_reports(report(), other, 0.05), 0.05);
    EXPECT_THAT(text, HasSubstr("the reports differ in their recording: a.csv, b.csv\n"));
    EXPECT_THAT(text, HasSubstr("the reports differ in their method"));
}

TEST(Compare, TimingsAreRatiosAndOnlySlowerIsBeyond) {
    ordered_json other = report();
    other["stages_us"]["total"]["p50"] = 8.3;  // 3.75 % more
    EXPECT_TRUE(compare_reports(report(), other, 0.05).holds());
    EXPECT_FALSE(compare_reports(report(), other, 0.03).holds());
    EXPECT_TRUE(compare_reports(other, report(), 0.03).holds()) << "faster is never beyond";
    other = report();
    other["stages_us"]["total"]["max"] = 500.0;
    EXPECT_TRUE(compare_reports(report(), other, 0.0).holds()) << "a single frame is not judged";
    other["stages_us"]["total"]["count"] = 10;
    EXPECT_FALSE(compare_reports(report(), other, 0.0).holds()) << "the number of frames is a count";
}

TEST(Compare, TheCommandExitsWithThreeBeyondTheTolerance) {
    const TestFolder folder("compare");
    for (const char* name : {"a.json", "b.json"})
        ASSERT_EQ(run_program(std::string("replay flick -q --headless --report ") + name, folder.path).exit_code, 0);
    ASSERT_EQ(run_program("replay flick -q --headless --frames 300 --report c.json", folder.path).exit_code, 0);
    const ProgramResult same = run_program("compare a.json b.json --tolerance 10000%", folder.path);
    EXPECT_EQ(same.exit_code, 0) << same.out;
    EXPECT_THAT(same.out, HasSubstr("stages_us.total.p50"));
    const ProgramResult other = run_program("compare a.json c.json --tolerance 10000%", folder.path);
    EXPECT_EQ(other.exit_code, 3);
    EXPECT_THAT(other.out, HasSubstr("DIFFERS"));
    EXPECT_THAT(other.out, HasSubstr("state_hash"));
    EXPECT_EQ(ordered_json::parse(run_program("compare a.json c.json --json", folder.path).out)["holds"], false);
    std::ofstream(folder.path / "x.json") << std::string(100'000, '[');
    for (const char* arguments : {"compare a.json x.json", "compare a.json none.json"})
        EXPECT_EQ(run_program(arguments, folder.path).exit_code, 1) << arguments;
    EXPECT_EQ(run_program("compare a.json b.json --tolerance much", folder.path).exit_code, 2);

    // The baseline is the first report: slower means slower than the baseline.
    EXPECT_EQ(run_program("compare c.json --baseline a.json --json", folder.path).out,
              run_program("compare a.json c.json --json", folder.path).out);
    for (const char* arguments : {"compare a.json", "compare a.json b.json --baseline c.json"})
        EXPECT_EQ(run_program(arguments, folder.path).exit_code, 2) << arguments;
}

}  // namespace
}  // namespace glovebox::vr
