#include "vr/session/report.h"
#include "vr/ui/window_view.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <array>
#include <csignal>

#include "tests/vr/run_program.h"
#include "vr/ui/window.h"

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

TEST(SessionTotals, CountEverythingAndKeepNoMoreThanTheNewestEvents) {
    SessionTotals totals;
    totals.events.reserve(SessionTotals::kMaxEvents);
    const auto* memory = totals.events.data();
    std::array<scenes::Event, 3> touches;
    for (scenes::Event& touch : touches) touch.kind = scenes::EventKind::touch_begin;
    scenes::StepReport report;
    report.events = touches;
    constexpr int kFrames = 20'000;
    for (int frame = 0; frame < kFrames; ++frame) account(report, frame, totals);
    EXPECT_EQ(totals.event_counts[static_cast<std::size_t>(scenes::EventKind::touch_begin)], 3U * kFrames);
    EXPECT_EQ(totals.events.data(), memory) << "memory never grows";
    EXPECT_GE(totals.events.size(), SessionTotals::kMaxEvents / 2);
    EXPECT_EQ(totals.events.back().frame, kFrames - 1);
}

// The window begins the times again when the method changes; beside counts of all frames that must be said.
TEST(ReportText, SaysSinceWhenItsTimesAreWhenTheMethodWasChanged) {
    const ProgramResult run = run_program("replay flick --headless --frames 30 --json", testing::TempDir());
    nlohmann::ordered_json report = nlohmann::ordered_json::parse(run.out);
    EXPECT_NE(report_text(report, false).find("time per frame: median"), std::string::npos);
    report["frames"] = 60;
    EXPECT_NE(report_text(report, false).find("time per frame in the 30 frames since cab was chosen: median"),
              std::string::npos);
}

TEST(WindowJson, SaysHowTheWindowKeptUp) {
    WindowTimings timings;
    timings.first_frame_ms = 250.0;
    for (int i = 0; i < 10; ++i) timings.interval.add(50'000'000);
    const auto json = window_json(timings);
    EXPECT_DOUBLE_EQ(json["first_frame_ms"].get<double>(), 250.0);
    EXPECT_NEAR(json["scenes_per_second"].get<double>(), 20.0, 1.0);
    EXPECT_TRUE(evaluate(std::array<std::string, 1>{"window.scenes_per_second<25"},
                         {{"stages_us", nlohmann::ordered_json::object()}, {"window", json}})
                    .any_holds);
    EXPECT_FALSE(evaluate(std::array<std::string, 1>{"window.scenes_per_second<12"},
                          {{"stages_us", nlohmann::ordered_json::object()}, {"window", json}})
                     .any_holds);
}

TEST(WriteWhole, KeepsTheOldFileWhenTheNewOneCannotBeMade) {
    const TestFolder folder("write_whole");
    write_whole(folder.path / "a.txt", "old");
    // No file may grow beyond two bytes, as on a full disk.
    const auto signal_before = std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    rlimit small = before;
    small.rlim_cur = 2;
    setrlimit(RLIMIT_FSIZE, &small);
    EXPECT_THROW(write_whole(folder.path / "a.txt", "newer"), std::runtime_error);
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, signal_before);
    EXPECT_EQ(text_of_file(folder.path / "a.txt"), "old");
}

}  // namespace
}  // namespace glovebox::vr
