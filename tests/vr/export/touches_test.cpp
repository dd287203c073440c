// `glovebox touches` against a recomputation from the contacts of every frame, and the form of its outputs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "scenes/hand_body.h"
#include "scenes/haptics.h"
#include "tests/vr/run_program.h"
#include "vr/platform/tool.h"
#include "vr/session/touch_list.h"

namespace glovebox::vr {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::vector<std::map<std::string, std::string>> rows_of(const std::string& csv) {
    const auto cells = [](const std::string& line) {
        std::vector<std::string> fields;
        std::istringstream in(line);
        for (std::string cell; std::getline(in, cell, ',');) fields.push_back(cell);
        return fields;
    };
    std::istringstream lines(csv);
    std::string line;
    std::getline(lines, line);
    const std::vector<std::string> names = cells(line);
    std::vector<std::map<std::string, std::string>> rows;
    while (std::getline(lines, line)) {
        const std::vector<std::string> fields = cells(line);
        auto& row = rows.emplace_back();
        for (std::size_t i = 0; i < fields.size(); ++i) row[names[i]] = fields[i];
    }
    return rows;
}

int bone_number(const std::string& name) {
    const auto& names = scenes::hand_body().bone_names;
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == name) return static_cast<int>(i);
    return -1;
}

struct Span {
    std::string who;
    double begin_s = 0.0, end_s = 0.0, deepest_m = 0.0;  // end -1: open
};

// The oracle's hysteresis and dwell: on at 0, off above 3 mm but not before 20 ms. Bones of a group are combined.
std::vector<Span> recomputed(const std::string& contacts_csv, bool by_finger) {
    std::map<int, std::map<std::string, double>> frames;  // least distance by frame and bone
    std::map<int, double> time_s;
    for (auto& row : rows_of(contacts_csv)) {
        const int frame = std::stoi(row["frame"]);
        time_s[frame] = std::stod(row["time_s"]);
        const auto at = frames[frame].try_emplace(row["hand"] + "/" + row["bone"] + "/" + row["object"], 1.0).first;
        at->second = std::min(at->second, std::stod(row["distance_m"]));
    }
    const auto group_of = [by_finger](const std::string& who) {
        if (!by_finger) return who;
        const std::size_t a = who.find('/'), b = who.rfind('/');
        const int part = scenes::part_of_bone(bone_number(who.substr(a + 1, b - a - 1)));
        return who.substr(0, a) + "/" + std::string(tracking::kHandPartNames[static_cast<std::size_t>(part)]) +
               who.substr(b);
    };
    std::map<std::string, double> since;
    std::map<std::string, Span> open;
    std::vector<Span> spans;
    for (const auto& [frame, distances] : frames) {
        const double now_s = time_s[frame];
        const auto distance = [&distances = distances](const std::string& who) {
            const auto at = distances.find(who);
            return at == distances.end() ? 1.0 : at->second;
        };
        for (auto at = since.begin(); at != since.end();)
            at = distance(at->first) > 0.003 && now_s - at->second >= 0.020 - 1e-9 ? since.erase(at) : std::next(at);
        for (const auto& [who, metres] : distances)
            if (metres <= 0.0) since.try_emplace(who, now_s);
        std::map<std::string, double> touching;
        for (const auto& [who, from_s] : since) {
            double& deepest_m = touching.try_emplace(group_of(who), 0.0).first->second;
            deepest_m = std::max(deepest_m, -distance(who));
        }
        for (const auto& [who, deepest_m] : touching) {
            Span& span = open.try_emplace(who, Span{who, now_s, -1.0, 0.0}).first->second;
            span.deepest_m = std::max(span.deepest_m, deepest_m);
        }
        for (auto at = open.begin(); at != open.end();) {
            if (touching.contains(at->first)) {
                ++at;
                continue;
            }
            at->second.end_s = now_s;
            spans.push_back(at->second);
            at = open.erase(at);
        }
    }
    for (const auto& [who, span] : open) spans.push_back(span);
    return spans;
}

TEST(TouchesCommand, AreThoseRecomputedFromTheContactsOfEveryFrame) {
    const TestFolder folder("touches_oracle");
    std::size_t compared = 0;
    for (const char* recording : {"type", "explore", "stroke", "grasp", "lift", "insert", "turn", "carry"}) {
        ASSERT_EQ(run_program(std::string("replay -q --headless --contacts c.csv ") + recording, folder.path).exit_code,
                  0);
        for (const char* by : {"bone", "finger"}) {
            ASSERT_EQ(run_program(std::string("touches -o t.csv --by ") + by + " " + recording, folder.path).exit_code,
                      0);
            std::vector<Span> expected = recomputed(text_of_file(folder.path / "c.csv"), by == std::string("finger"));
            std::size_t touches = 0;
            for (auto& row : rows_of(text_of_file(folder.path / "t.csv"))) {
                if (row["kind"] != "touch") continue;
                ++touches;
                const std::string who = row["hand"] + "/" + row[by] + "/" + row["object"];
                const auto same = std::ranges::find_if(expected, [&](const Span& span) {
                    const bool ends = span.end_s < 0.0 ? true : std::abs(std::stod(row["end_s"]) - span.end_s) < 2e-6;
                    return span.who == who && std::abs(std::stod(row["begin_s"]) - span.begin_s) < 2e-6 && ends &&
                           std::abs(std::stod(row["deepest_m"]) - span.deepest_m) < 2e-6;
                });
                EXPECT_NE(same, expected.end()) << recording << ": " << who << " at " << row["begin_s"];
                if (same != expected.end()) expected.erase(same);
                ++compared;
            }
            EXPECT_TRUE(expected.empty()) << recording << ": " << expected.size() << " touches of the contacts by "
                                          << by << " are not in the list, the first " << expected.front().who;
            EXPECT_GT(touches, 3U) << recording;
        }
    }
    EXPECT_GT(compared, 150U);
}

TEST(TouchesCommand, SumsAreTheReports) {
    const TestFolder folder("touches_sums");
    ASSERT_EQ(run_program("replay grasp -q --headless --report r.json", folder.path).exit_code, 0);
    const json report = json::parse(text_of_file(folder.path / "r.json"));
    const json list = json::parse(run_program("touches grasp --json", folder.path).out);
    ASSERT_EQ(list["totals"].size(), report["touches"].size());
    for (const json& sum : report["touches"]) {
        const auto same = std::ranges::find_if(list["totals"], [&](const json& total) {
            return total["part"] == sum["finger"] && total["object"] == sum["object"] && total["hand"] == sum["hand"];
        });
        ASSERT_NE(same, list["totals"].end()) << sum;
        for (const char* key : {"count", "total_s", "longest_s", "deepest_m"}) EXPECT_EQ((*same)[key], sum[key]) << key;
    }
    EXPECT_EQ(report["touch_list"].size(), list["touches"].size());
}

TEST(TouchesCommand, GapsAreShownAsGaps) {
    const TestFolder folder("touches_gaps");
    const ProgramResult told = run_program("touches flick -o t.csv", folder.path);
    EXPECT_THAT(told.out, HasSubstr("no samples"));
    EXPECT_THAT(text_of_file(folder.path / "t.csv"), HasSubstr("flick,gap,,,,4.744"));
}

// A touch goes on while the guard repeats the hand's last pose, but the tracker does not see it then.
TEST(TouchesCommand, ShortLossesAreNotSeen) {
    const TestFolder folder("touches_loss");
    ASSERT_EQ(run_program("convert grasp g.csv", folder.path).exit_code, 0);
    std::istringstream rows(text_of_file(folder.path / "g.csv"));
    std::ofstream cut(folder.path / "cut.csv");
    std::vector<double> lost_s;
    for (std::string row; std::getline(rows, row); cut << row << '\n') {
        const double time_s = 1e-9 * std::atof(row.substr(row.find(',') + 1).c_str());
        if (!(time_s > 3.5 && time_s < 3.55)) continue;
        row[row.find(",1,", row.find(",right,")) + 1] = '0';
        lost_s.push_back(time_s);
    }
    cut.close();
    ASSERT_GE(lost_s.size(), 4U);
    ASSERT_EQ(run_program("touches cut.csv --scene held-ball -o t.csv", folder.path).exit_code, 0);
    int losses = 0, across = 0;
    for (auto& row : rows_of(text_of_file(folder.path / "t.csv"))) {
        const double begin_s = std::stod(row["begin_s"]), end_s = std::stod(row["end_s"]);
        if (row["kind"] == "lost") {
            ++losses;
            EXPECT_NEAR(begin_s, lost_s.front(), 2e-6);
            EXPECT_NEAR(end_s, lost_s.back(), 0.013);
        }
        if (row["kind"] != "touch" || begin_s > 3.5 || end_s < 3.55) continue;
        ++across;
        EXPECT_NEAR(std::stod(row["unseen_s"]), lost_s.back() - lost_s.front() + 0.011, 0.002);
    }
    EXPECT_EQ(losses, 1);
    EXPECT_EQ(across, 4);
}

TEST(TouchesCommand, OfARecordingWithForcesSayHowStrongTheyWere) {
    const TestFolder folder("touches_forces");
    ASSERT_EQ(run_program("replay grasp -q --headless --haptics null --record f.glove", folder.path).exit_code, 0);
    const json list = json::parse(run_program("touches f.glove --json", folder.path).out);
    double strongest = 0.0;
    for (const json& touch : list["touches"]) {
        ASSERT_TRUE(touch.contains("peak_force")) << touch;
        strongest = std::max(strongest, touch["peak_force"].get<double>());
        EXPECT_LE(touch["peak_force"].get<double>(), 1.0);
    }
    EXPECT_GT(strongest, 0.05);
    EXPECT_FALSE(
        json::parse(run_program("touches grasp --json", folder.path).out)["touches"][0].contains("peak_force"));
}

// At another rate than the recorded one, the forces are in the recording's time, too.
TEST(TouchesCommand, OfAPacedReplayHaveTheForcesOfTheirOwnTime) {
    const TestFolder folder("touches_paced");
    ASSERT_EQ(run_program("replay grasp -q --headless --rate 2 --haptics null --record f.glove", folder.path).exit_code,
              0);
    const json touches = json::parse(run_program("touches f.glove --json", folder.path).out)["touches"];
    ASSERT_GT(touches.size(), 5U);
    double strongest = 0.0;
    for (const json& touch : touches) {
        if (touch["duration_s"].get<double>() < 0.2) continue;
        ASSERT_TRUE(touch.contains("peak_force")) << touch;
        strongest = std::max(strongest, touch["peak_force"].get<double>());
    }
    EXPECT_GT(strongest, 0.005);
}

TEST(TouchesCommand, WithoutAnyTouchSaysWhyThatMayBe) {
    const TestFolder folder("touches_none");
    std::ofstream(folder.path / "far.toml") << "name = \"far\"\n[hand]\nplacement = \"recorded\"\n"
                                               "[[object]]\nname = \"post\"\nshape = \"box\"\n"
                                               "half_m = [0.5, 0.5, 0.5]\nposition_m = [4.0, 0.0, 0.0]\n";
    const ProgramResult told = run_program("touches flick --scene far.toml", folder.path);
    EXPECT_EQ(told.exit_code, 0) << told.error;
    EXPECT_THAT(told.out, HasSubstr("Nothing is touched"));
    EXPECT_THAT(told.out, HasSubstr("post (1.00 m long)"));
    EXPECT_THAT(told.out, HasSubstr("--unit"));
    const ProgramResult replayed = run_program("replay flick --scene far.toml --headless", folder.path);
    EXPECT_THAT(replayed.out, HasSubstr("touched nothing. The nearest object, post"));
    // The finger presses the ball, but after these frames.
    const ProgramResult early = run_program("replay flick --headless --frames 100", folder.path);
    EXPECT_THAT(early.out, testing::ContainsRegex("touched nothing. The nearest object, .* stays [0-9]"));
    const std::vector<std::string> objects = {"ball"};
    Approach nearest;
    nearest.object = nearest.bone = 0;
    nearest.distance_m = 0.005F;
    nearest.object_size_m = 0.08F;
    EXPECT_THAT(why_no_touch(nearest, objects, 0.0), HasSubstr("raise touch_enter_m"));
    nearest.distance_m = 0.08F;
    EXPECT_THAT(why_no_touch(nearest, objects, 0.0), testing::Not(HasSubstr("touch_enter_m")));
}

TEST(TouchesCommand, NamesFromFilesStayNames) {
    const TestFolder folder("touches_names");
    std::ofstream(folder.path / "named.toml")
        << "name = \"<script>alert(1)</script>\"\n[hand]\nplacement = \"fingertips\"\nanchor_m = [0.0, 0.0, 0.0]\n"
           "[[object]]\nname = \"=cmd()<b>&\"\nshape = \"box\"\nhalf_m = [0.05, 0.05, 0.05]\n";
    const ProgramResult told =
        run_program("touches grasp --scene named.toml -o t.csv --figure f.svg --json", folder.path);
    ASSERT_EQ(told.exit_code, 0) << told.error;
    ASSERT_FALSE(json::parse(told.out)["touches"].empty()) << "nothing is touched: the names are not written";
    EXPECT_THAT(text_of_file(folder.path / "t.csv"), HasSubstr(",'=cmd()<b>&,"));
    const std::string figure = text_of_file(folder.path / "f.svg");
    EXPECT_THAT(figure, HasSubstr("&lt;b&gt;&amp;"));
    EXPECT_THAT(figure, Not(HasSubstr("<script>")));
    EXPECT_THAT(run_program("touches grasp --scene named.toml", folder.path).out, Not(HasSubstr("\x1b")));
}

TEST(TouchesCommand, FiguresAreDrawnInEveryFormatAndAgain) {
    const TestFolder folder("touches_figures");
    ASSERT_EQ(run_program("touches carry flick --figure f.svg", folder.path).exit_code, 0);
    EXPECT_THAT(text_of_file(folder.path / "f.svg"), HasSubstr("left thumb on crate"));
    if (!has_tool("rsvg-convert")) GTEST_SKIP() << "rsvg-convert is not installed: PNG and PDF are not drawn";
    for (int run = 0; run < 2; ++run)
        for (const char* file : {"f.png", "f.pdf"})
            EXPECT_EQ(run_program(std::string("touches carry --figure ") + file, folder.path).exit_code, 0) << file;
    EXPECT_THAT(text_of_file(folder.path / "f.png"), StartsWith("\x89PNG"));
    EXPECT_THAT(text_of_file(folder.path / "f.pdf"), StartsWith("%PDF"));
    std::ofstream(folder.path / "mine.pdf") << "%PDF-1.4\n%of someone else\n";
    EXPECT_EQ(run_program("touches carry --figure mine.pdf", folder.path).exit_code, 1);
}

TEST(TouchesCommand, ManyRecordingsHaveARowEach) {
    const TestFolder folder("touches_many");
    std::ofstream(folder.path / "broken.csv") << "nothing\n";
    const ProgramResult told = run_program("touches flick grasp broken.csv -o t.csv", folder.path);
    EXPECT_EQ(told.exit_code, 1) << "one of them could not be read";
    EXPECT_THAT(told.error, HasSubstr("skipped broken.csv"));
    EXPECT_EQ(std::ranges::count(told.out, '\n'), 3);
    EXPECT_THAT(text_of_file(folder.path / "t.csv"), HasSubstr("\ngrasp,touch,right,"));
    EXPECT_EQ(run_program("touches flick grasp -o t.csv", folder.path).exit_code, 0)
        << "its own table is written again";
}

}  // namespace
}  // namespace glovebox::vr
