// One recording, replayed from its file and played as a glove with a tracker: the same touches result, and the glove
// session's log replays to the same state hashes. In real time, over pseudo-terminals, so it runs alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "tests/vr/run_program.h"

namespace glovebox::vr {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr double kPacket_s = 1.0 / 90.0;

json report_at(const std::filesystem::path& path) {
    return json::parse(text_of_file(path));
}

// Returns the time of the first touch for each {finger, object}.
std::map<std::pair<std::string, std::string>, double> first_touches(const json& report) {
    std::map<std::pair<std::string, std::string>, double> first;
    for (const json& event : report["events"])
        if (event["kind"] == "touch_begin") {
            const std::string bone = event["bone"];
            first.try_emplace({bone.substr(0, bone.find(' ')), event["object"]}, event["time_s"].get<double>());
        }
    return first;
}

// Runs the glove in the background and `live` in front, with the device names that the glove printed.
int play_as_glove(const std::filesystem::path& folder, const std::string& live_options) {
    const std::string script = "cd '" + folder.string() +
                               "'\nrm -f glove.txt\n" GLOVEBOX_PROGRAM
                               " emulate flick --tracker > glove.txt 2>&1 &\n"
                               "g=$!\n"
                               "for i in $(seq 200); do grep -q 'glove at' glove.txt && break; sleep 0.02; done\n"
                               "p=$(sed -n 's/^glove at //p' glove.txt); t=$(sed -n 's/^tracker at //p' glove.txt)\n"
                               "env -u DISPLAY " GLOVEBOX_PROGRAM
                               " live $p --wrist $t --place-as flick --scene held-ball --headless " +
                               live_options +
                               " > live.txt 2>&1\n"
                               "code=$?\nkill $g 2> /dev/null\nwait $g\nexit $code\n";
    std::ofstream(folder / "run.sh") << script;
    return std::system(("sh '" + (folder / "run.sh").string() + "'").c_str()) / 256;
}

TEST(GloveSession, TouchesWhatTheRecordingTouchesAndReplaysToTheSameHashes) {
    const TestFolder folder("glove_session");
    ASSERT_EQ(run_program("replay flick --scene held-ball --headless --report file.json", folder.path).exit_code, 0);
    ASSERT_EQ(play_as_glove(folder.path, "--seconds 8.3 --report live.json --record take.glove --contacts c.csv"), 0)
        << text_of_file(folder.path / "live.txt");
    const auto file = first_touches(report_at(folder.path / "file.json")),
               live = first_touches(report_at(folder.path / "live.json"));
    ASSERT_GE(file.size(), 3U);
    for (const auto& [pair, time_s] : file) {
        ASSERT_TRUE(live.contains(pair)) << pair.first << " on " << pair.second;
        EXPECT_NEAR(live.at(pair), time_s, 2.0 * kPacket_s) << pair.first << " on " << pair.second;
    }
    for (const auto& [pair, time_s] : live) EXPECT_TRUE(file.contains(pair)) << pair.first << " on " << pair.second;
    EXPECT_EQ(report_at(folder.path / "live.json")["source"]["unreadable"], 0);
    EXPECT_GT(text_of_file(folder.path / "c.csv").size(), 10'000U);

    const ProgramResult again = run_program("replay take.glove --headless", folder.path);
    EXPECT_EQ(again.exit_code, 0) << again.error;
    EXPECT_THAT(again.out, testing::ContainsRegex("recorded state hashes: the same in all [0-9]+ frames"));
}

TEST(GloveSession, HasTheConditionsChecksAndFaultsOfAReplay) {
    const TestFolder folder("glove_conditions");
    EXPECT_EQ(play_as_glove(folder.path,
                            "--seconds 4 --check --trace t.json --inject drop=300ms@3s --haptics null --report r.json"),
              0)
        << text_of_file(folder.path / "live.txt");
    const json report = report_at(folder.path / "r.json");
    EXPECT_TRUE(report["check"]["passed"].get<bool>());
    EXPECT_TRUE(report["faults"]["holds"].get<bool>()) << report["faults"].dump(2);
    EXPECT_GT(report["counts"]["true"].get<int>(), 0);
    EXPECT_GT(report["haptic_loop"]["ticks"].get<int>(), 1000);
    EXPECT_THAT(text_of_file(folder.path / "t.json"), HasSubstr("\"frame\""));
    EXPECT_EQ(play_as_glove(folder.path, "--seconds 1 --fail-if 'frames>5'"), 3);
}

}  // namespace
}  // namespace glovebox::vr
