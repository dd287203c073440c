// The ledger's arithmetic, its figure and its track in a trace.
#include "vr/haptics/ledger.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/vr/run_program.h"
#include "vr/haptics/ledger_figure.h"

namespace glovebox::vr {
namespace {

using std::int64_t;

scenes::FrameStamps stamps_from(int64_t sample_ns) {
    return {sample_ns, sample_ns + 3'000'000, sample_ns + 3'010'000, sample_ns + 3'030'000, sample_ns + 3'080'000};
}

TEST(Ledger, CountsEveryTickAgainstEveryDeadline) {
    DeadlineLedger ledger;
    for (const int64_t took_ns : {900'000, 1'000'000, 1'000'001, 8'400'000, 12'000'000, 14'000'000, 40'000'000})
        ledger.add_tick(0, 100, took_ns);
    const std::array<std::uint64_t, kDeadlines.size()> expected = {5, 4, 3, 2, 1};
    EXPECT_EQ(ledger.late_ticks, expected);
    EXPECT_EQ(ledger.tick.count(), 7U);
    EXPECT_NEAR(ledger.lateness.max_us(), 0.1, 1e-9);
    EXPECT_NEAR(ledger.work.max_us(), 40'000.0 - 0.1, 1e-6);
}

TEST(Ledger, AChainIsCutAtItsStations) {
    DeadlineLedger ledger;
    const auto stamps = stamps_from(1'000'000'000);
    ledger.add_chain(stamps, stamps.exact_ns + 700'000);
    const std::array<double, kLinkCount> links_us = {3000.0, 10.0, 20.0, 50.0, 700.0};
    double sum_us = 0.0;
    for (std::size_t i = 0; i < links_us.size(); ++i) {
        EXPECT_NEAR(ledger.links[i].max_us(), links_us[i], 1e-6) << name_of(static_cast<Link>(i));
        sum_us += ledger.links[i].max_us();
    }
    EXPECT_EQ(ledger.age.count(), 0U) << "the pads are not there yet";
    ledger.add_arrival(stamps, stamps.exact_ns + 11'700'000);
    EXPECT_NEAR(ledger.age.max_us(), sum_us + 11'000.0, 1e-6);
    EXPECT_NEAR(ledger.response.max_us(), sum_us - 3000.0, 1e-6);
    EXPECT_EQ(ledger.late_responses[0], 0U);
}

TEST(Ledger, TheNewestChainsAreKeptByNumber) {
    DeadlineLedger ledger;
    for (int64_t i = 1; i <= 100; ++i) ledger.add_chain(stamps_from(i * 1'000'000), i);
    EXPECT_EQ(ledger.chain_count, 100U);
    for (std::uint64_t number = 100; number > 100 - DeadlineLedger::kChainsKept; --number) {
        EXPECT_EQ(ledger.chain(number).number, number);
        EXPECT_EQ(ledger.chain(number).command_ns, static_cast<int64_t>(number));
    }
}

TEST(Ledger, ItsFigureSaysHowManyWereLate) {
    DeadlineLedger ledger, empty;
    for (int i = 0; i < 1000; ++i) ledger.add_tick(0, 10'000, i == 0 ? 2'000'000 : 50'000);
    for (int i = 0; i < 990; ++i) empty.add_tick(0, 10'000, 11'000);
    ledger.add_chain(stamps_from(1'000'000'000), 1'004'000'000);
    const TestFolder folder("ledger");
    draw_ledgers({{"a run", "SCHED_FIFO 80", &ledger, &empty}}, folder.path / "deadlines.svg");
    const std::string svg = text_of_file(folder.path / "deadlines.svg");
    for (const char* words : {"a run", "SCHED_FIFO 80", "1000 ticks: 1 over 1 ms (the empty loop: 0 of 990)", "1/30 s",
                              "to boxes tested", "age: sample to pad there"})
        EXPECT_NE(svg.find(words), std::string::npos) << words;
}

// The whole program: report, trace, figure and condition of one paced replay.
TEST(Ledger, AReplayReportsTracesAndDrawsIt) {
    const TestFolder folder("ledger_replay");
    const ProgramResult result = run_program(
        "replay flick --headless --frames 180 --rate recorded --haptics null --report r.json --trace t.json "
        "--deadlines d.svg --fail-if \"haptics.p999_us>1e9\"",
        folder.path);
    ASSERT_EQ(result.exit_code, 0) << result.error;
    const auto report = nlohmann::json::parse(text_of_file(folder.path / "r.json"));
    const auto& loop = report["haptic_loop"];
    EXPECT_EQ(loop["mode"], "threaded");
    EXPECT_NE(loop["scheduling"].get<std::string>().find("SCHED_"), std::string::npos);
    EXPECT_NEAR(loop["ticks"].get<double>() + loop["skipped_ticks"].get<double>(), 2000.0, 250.0);
    const auto responses = loop["response_us"]["count"].get<int>();
    EXPECT_NEAR(responses, 180, 10);
    EXPECT_EQ(loop["late_ticks"].size(), kDeadlines.size());

    // In the trace, each command's links are contiguous and within the command's own slice.
    std::map<std::string, std::vector<std::pair<double, double>>> links;
    std::map<int, std::map<std::string, double>> begun;
    const auto trace = nlohmann::json::parse(text_of_file(folder.path / "t.json"));
    std::map<int, std::pair<double, double>> whole;
    for (const auto& event : trace["traceEvents"]) {
        if (event.value("cat", "") != "command") continue;
        const int id = event["id"];
        const std::string name = event["name"];
        if (event["ph"] == "b") {
            begun[id][name] = event["ts"];
            continue;
        }
        const double from = begun.at(id).at(name), to = event["ts"];
        EXPECT_GE(to, from);
        if (name == "sample to command")
            whole[id] = {from, to};
        else
            links[name].push_back({from, to});
    }
    EXPECT_NEAR(static_cast<double>(whole.size()), responses, 3.0);
    ASSERT_EQ(links.size(), static_cast<std::size_t>(kLinkCount));
    for (const auto& [name, slices] : links) EXPECT_EQ(slices.size(), whole.size()) << name;
    EXPECT_NE(text_of_file(folder.path / "d.svg").find("flick in table-and-ball"), std::string::npos);
    EXPECT_EQ(run_program("replay flick --headless --frames 30 --fail-if \"haptics.p999_us>0\"", folder.path).exit_code,
              3);
    EXPECT_EQ(report["stages_us"]["haptics"]["skipped"], loop["skipped_ticks"]);
    EXPECT_EQ(
        run_program("replay flick --headless --frames 30 --fail-if \"haptics.skipped>=0\"", folder.path).exit_code, 3);
    // A sample at 90 Hz is interpolated over a period: the age runs until the pad reaches it.
    EXPECT_GT(loop["age_us"]["p50"].get<double>(), loop["response_us"]["p50"].get<double>() + 9000.0);
}

}  // namespace
}  // namespace glovebox::vr
