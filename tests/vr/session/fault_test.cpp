// Injected faults: the replay keeps its guarantees however bad the tracker is, and a broken guarantee is reported.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>

#include "recordings/inject.h"
#include "tests/vr/run_program.h"
#include "vr/session/fault_watch.h"

namespace glovebox::vr {
namespace {

using testing::HasSubstr;

constexpr std::array kFaults = {"drop=200ms@3s", "nan",          "zero-pose",  "freeze",     "jump=0.5m",
                                "rate=30",       "latency=45ms", "jitter=2mm", "scale=1.15", "swap-hands"};

nlohmann::json faults_of(const std::filesystem::path& report) {
    return nlohmann::json::parse(text_of_file(report))["faults"];
}

TEST(Faults, OfEveryKindAreInTheTable) {
    for (const recordings::FaultRow& row : recordings::fault_table())
        EXPECT_TRUE(std::any_of(kFaults.begin(), kFaults.end(), [&row](std::string_view spec) {
            return spec.substr(0, spec.find_first_of("=@")) == row.name;
        })) << row.name;
}

TEST(Faults, EachBringsOutNoNanStopsForcesInTimeAndTouchesNothingThatIsNotThere) {
    const TestFolder folder("faults");
    for (const char* fault : kFaults)
        for (const char* recording : {"flick", "grasp"}) {
            SCOPED_TRACE(std::string(recording) + " --inject " + fault);
            const ProgramResult result = run_program(
                std::string("replay ") + recording + " --headless --report r.json --inject " + fault, folder.path);
            EXPECT_EQ(result.exit_code, 0) << result.out << result.error;
            const auto faults = faults_of(folder.path / "r.json");
            EXPECT_TRUE(faults["holds"].get<bool>());
            EXPECT_EQ(faults["spells"].size(), 1U);
            ASSERT_EQ(faults["assertions"].size(), 3U);
            EXPECT_GT(faults["assertions"][0]["checked"].get<int>(), 100) << "frames looked at";
            EXPECT_GT(faults["assertions"][2]["checked"].get<int>(), 10) << "touches looked at";
            EXPECT_THAT(result.out, HasSubstr("no phantom contact"));
        }
}

TEST(Faults, ThatComeWhileAForceIsOnAreSeenToStopIt) {
    const TestFolder folder("faults_force");
    ASSERT_EQ(run_program("replay grasp --headless --haptics log --haptics-log h.csv", folder.path).exit_code, 0);
    // The middle of the longest time in which the hand is held back.
    std::istringstream commands(text_of_file(folder.path / "h.csv"));
    double since_s = -1.0, from_s = 0.0, longest_s = 0.0;
    for (std::string line; std::getline(commands, line);) {
        if (line.empty() || std::isdigit(static_cast<unsigned char>(line[0])) == 0) continue;
        const double time_s = std::stod(line);
        const bool on = line.find_first_of("123456789", line.find(',', line.find(',') + 1) + 2) != std::string::npos;
        if (!on && since_s >= 0.0 && time_s - since_s > longest_s) {
            longest_s = time_s - since_s;
            from_s = since_s;
        }
        if (!on) since_s = -1.0;
        if (on && since_s < 0.0) since_s = time_s;
    }
    ASSERT_GT(longest_s, 0.3);
    for (const char* fault : {"drop=400ms", "nan", "zero-pose", "freeze"}) {
        const std::string spec = std::string(fault) + "@" + std::to_string(from_s + 0.3 * longest_s) + "s" +
                                 (std::string_view(fault) == "drop=400ms" ? "" : "+400ms");
        const ProgramResult result =
            run_program("replay grasp --headless --report r.json --inject " + spec, folder.path);
        EXPECT_EQ(result.exit_code, 0) << result.out;
        const auto stop = faults_of(folder.path / "r.json")["assertions"][1];
        EXPECT_EQ(stop["checked"].get<int>(), 1) << spec << ": a force was on when the fault began\n" << result.out;
        EXPECT_GT(stop["measured"].get<double>(), 1.0);
        // A stricter limit is exceeded and reported.
        const ProgramResult strict =
            run_program("replay grasp --headless --stop-within 1 --inject " + spec, folder.path);
        if (std::string_view(fault) != "freeze") {
            EXPECT_EQ(strict.exit_code, 3) << strict.out;
            EXPECT_THAT(strict.out, HasSubstr("FAILS  haptics stopped in time"));
        }
    }
}

// A jump within the limits of a hand's motion is accepted, so the hand touches a distant object, and that is reported.
TEST(Faults, APhantomContactIsFoundAndExitsWithThree) {
    const TestFolder folder("phantom");
    int phantoms = 0;
    for (const char* fault : {"jump=-0.06m@0s+9s", "jump=0.03m@0s+9s", "jump=0.06m@0s+9s"}) {
        const ProgramResult result =
            run_program(std::string("replay grasp --headless --report r.json --inject ") + fault, folder.path);
        const auto faults = faults_of(folder.path / "r.json");
        const bool found = !faults["assertions"][2]["holds"].get<bool>();
        EXPECT_EQ(result.exit_code, found ? 3 : 0);
        if (!found) continue;
        ++phantoms;
        EXPECT_THAT(result.out, HasSubstr("FAILS  no phantom contact"));
        EXPECT_THAT(faults["assertions"][2]["detail"].get<std::string>(), HasSubstr("in frame"));
    }
    EXPECT_GT(phantoms, 0);
}

TEST(Faults, ThatCannotBeReadAreUsageErrors) {
    const TestFolder folder("fault_usage");
    for (const char* fault : {"explode", "drop", "rate=0", "jump=far"}) {
        const ProgramResult result = run_program(std::string("replay flick --headless --inject ") + fault, folder.path);
        EXPECT_EQ(result.exit_code, 2) << fault;
        EXPECT_THAT(result.error, HasSubstr("--inject"));
    }
    EXPECT_EQ(run_program("replay flick --headless --loop --inject nan", folder.path).exit_code, 2);
}

TEST(Faults, CanBePutIntoLabels) {
    const TestFolder folder("fault_labels");
    ASSERT_EQ(run_program("label flick -o clean.csv", folder.path).exit_code, 0);
    ASSERT_EQ(run_program("label flick -o late.csv --inject latency=45ms", folder.path).exit_code, 0);
    const std::string clean = text_of_file(folder.path / "clean.csv"), late = text_of_file(folder.path / "late.csv");
    EXPECT_NE(clean, late);
    EXPECT_EQ(std::count(clean.begin(), clean.end(), '\n'), std::count(late.begin(), late.end(), '\n'));
    EXPECT_THAT(text_of_file(folder.path / "late.csv.card.json"), HasSubstr("latency=45ms"));
}

}  // namespace
}  // namespace glovebox::vr
