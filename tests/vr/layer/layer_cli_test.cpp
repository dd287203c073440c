// `glovebox layer`, and applications under the layer that are not made for tests: our own `glovebox vr`, Khronos' own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "recordings/hand_at.h"
#include "recordings/load.h"
#include "recordings/log/application_log.h"
#include "recordings/log/log_reader.h"
#include "tests/vr/layer/run_hand_app.h"
#include "tests/vr/run_program.h"
#include "vr/layer/layer_options.h"

namespace glovebox::vr::layer {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using tests::Ran;
using tests::RunOptions;
using tracking::Side;

RunOptions with(const std::string& script) {
    RunOptions options = under({}, script);
    options.environment.erase("XR_ENABLE_API_LAYERS");
    options.environment.erase("XDG_DATA_DIRS");
    options.environment["XDG_DATA_HOME"] = "{folder}/data";
    options.validation = false;
    return options;
}

Ran shell(const std::string& commands, const RunOptions& options) {
    return tests::run_with_runtime({"/bin/sh", "-c", "cd {folder}\n" + commands}, options);
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
        text.replace(at, what.size(), with);
    return text;
}

// The commands in the first block of the page, without what they are for.
std::vector<std::string> first_commands_of_the_page() {
    std::istringstream lines(text_of_file(GLOVEBOX_SOURCE "/docs/how-to/layer.md"));
    std::vector<std::string> commands;
    bool in_block = false;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("```")) {
            if (in_block) break;
            in_block = true;
        } else if (in_block) {
            commands.push_back(line.substr(0, line.find("     ")));
        }
    }
    return commands;
}

TEST(LayerCommands, TheFirstThreeOfThePageRun) {
    const std::vector<std::string> commands = first_commands_of_the_page();
    ASSERT_EQ(commands.size(), 3U);
    std::string script = "glovebox() { \"" GLOVEBOX_PROGRAM
                         "\" \"$@\"; }\n"
                         "\"" GLOVEBOX_PROGRAM
                         "\" emulate flick --as opengloves --to pty --loop > glove.txt & GLOVE=$!\n"
                         "for i in $(seq 200); do PORT=$(sed -n 's/^glove at //p' glove.txt); [ -n \"$PORT\" ] && "
                         "break; sleep 0.05; done\n"
                         "ln -s " HAND_APP " application\n";
    int number = 0;
    for (const std::string& command : commands) {
        ++number;
        const bool is_glove = command.find("--glove") != std::string::npos;
        script += replaced(replaced(command, "/dev/ttyUSB0", "$PORT"), "./application",
                           is_glove ? "./application --frames 100 --pace" : "./application --frames 60") +
                  " > " + std::to_string(number) + ".txt || exit " + std::to_string(number) + "\n";
    }
    const Ran ran = shell(script + "kill -INT $GLOVE; wait $GLOVE\n", with(kHandsScript));
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    const auto recorded = hands_in(text_of_file(ran.folder / "1.txt"));
    const auto replayed = hands_in(text_of_file(ran.folder / "2.txt"));
    const auto gloved = hands_in(text_of_file(ran.folder / "3.txt"));
    ASSERT_EQ(recorded.size(), 120U);
    ASSERT_EQ(replayed.size(), 120U);
    ASSERT_EQ(gloved.size(), 200U);
    for (std::size_t i = 0; i < recorded.size(); ++i)
        for (std::size_t j = 0; j < recorded[i].joints.size(); ++j)
            EXPECT_EQ(recorded[i].joints[j].numbers, replayed[i].joints[j].numbers);
}

TEST(LayerCommands, PassOnTheExitCode) {
    EXPECT_EQ(shell(GLOVEBOX_PROGRAM " layer run -- " HAND_APP " --exit 42", with(kHandsScript)).exit_code, 42);
    const Ran none = shell(GLOVEBOX_PROGRAM " layer run -- ./no-such-application", with(kHandsScript));
    EXPECT_EQ(none.exit_code, 1);
    EXPECT_THAT(none.err, HasSubstr("no-such-application: cannot be run"));
}

// The loader then looks for explicit layers in the folders of this variable only.
TEST(LayerCommands, RunBesideLayersOfAFolderOfTheUsers) {
    RunOptions options = with("without XR_EXT_hand_tracking\n");
    options.environment["XR_API_LAYER_PATH"] = OTHER_LAYER_DATA_FOLDER "/openxr/1/api_layers/explicit.d";
    options.environment["XR_ENABLE_API_LAYERS"] = "XR_APILAYER_test_other";
    const Ran ran = shell(GLOVEBOX_PROGRAM " layer run --replay flick -- " HAND_APP " --frames 5", options);
    ASSERT_EQ(ran.exit_code, 0) << ran.out << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("hand tracking 1"));
}

TEST(LayerCommands, SayWhatIsWrongBeforeTheApplicationBegins) {
    struct Wrong {
        const char *arguments, *says;
        int exit_code;
    };
    for (const Wrong& wrong :
         {Wrong{"--replay nothing.glove", "nothing.glove: no such file", 1}, Wrong{"--replay junk.txt", "junk.txt", 1},
          Wrong{"--record junk.txt", "exists, and a recording replaces no file", 1},
          Wrong{"--loop", "--loop needs --replay", 2},
          Wrong{"--replay flick --glove /dev/null", "one or the other", 2}}) {
        const Ran ran = shell("echo junk > junk.txt\n" GLOVEBOX_PROGRAM " layer run " + std::string(wrong.arguments) +
                                  " -- /bin/sh -c 'echo begun'",
                              with(kHandsScript));
        EXPECT_EQ(ran.exit_code, wrong.exit_code) << wrong.arguments << ran.err;
        EXPECT_THAT(ran.err, HasSubstr(wrong.says));
        EXPECT_THAT(ran.out, Not(HasSubstr("begun")));
    }
}

TEST(LayerCommands, InstallForTheUserAndTakeItAwayAgain) {
    const std::string layer = GLOVEBOX_PROGRAM " layer ";
    const std::string manifest = "data/openxr/1/api_layers/implicit.d/XR_APILAYER_glovebox.json";
    const Ran ran =
        shell(layer + "status > before.txt && " + layer + "install > first.txt && " + layer +
                  "install > again.txt && " + layer + "status > after.txt && cp " + manifest +
                  " kept.json && ENABLE_XR_APILAYER_GLOVEBOX=1 GLOVEBOX_LAYER_REPLAY=flick " HAND_APP
                  " --frames 5 > on.txt && GLOVEBOX_LAYER_REPLAY=flick " HAND_APP " --frames 5 > off.txt && " +
                  layer + "uninstall > gone.txt && " + layer +
                  "uninstall && ls data/openxr/1/api_layers/implicit.d | wc -l > left.txt",
              with("without XR_EXT_hand_tracking\n"));
    ASSERT_EQ(ran.exit_code, 0) << ran.out << ran.err;
    const auto text = [&](const char* name) { return text_of_file(ran.folder / name); };
    EXPECT_THAT(text("before.txt"), HasSubstr("not installed"));
    EXPECT_THAT(text("first.txt"), HasSubstr("written"));
    EXPECT_THAT(text("again.txt"), HasSubstr("is there already"));
    EXPECT_THAT(text("after.txt"), HasSubstr("implicit.d/XR_APILAYER_glovebox.json: installed\n"));
    EXPECT_THAT(text("on.txt"), HasSubstr("hand tracking 1"));
    EXPECT_THAT(text("off.txt"), Not(HasSubstr("offers XR_EXT_hand_tracking")));
    EXPECT_THAT(text("gone.txt"), HasSubstr("removed"));
    EXPECT_EQ(text("left.txt"), "0\n");
}

TEST(LayerCommands, ReplaceNothingOfTheUsers) {
    const std::string layer = GLOVEBOX_PROGRAM " layer ";
    const std::string folder = "data/openxr/1/api_layers/implicit.d", manifest = folder + "/XR_APILAYER_glovebox.json";
    const Ran ran =
        shell("mkdir -p " + folder + " && echo precious > " + manifest + "\n" + layer + "install; echo $? > a.txt\n" +
                  layer + "uninstall; echo $? > b.txt\ncp " + manifest + " kept.txt\n" + layer +
                  "install --force; echo $? > c.txt\n" + layer + "status > status.txt",
              with(kHandsScript));
    EXPECT_EQ(text_of_file(ran.folder / "a.txt"), "1\n");
    EXPECT_EQ(text_of_file(ran.folder / "b.txt"), "1\n");
    EXPECT_EQ(text_of_file(ran.folder / "kept.txt"), "precious\n");
    EXPECT_EQ(text_of_file(ran.folder / "c.txt"), "0\n");
    EXPECT_THAT(text_of_file(ran.folder / "status.txt"),
                HasSubstr("implicit.d/XR_APILAYER_glovebox.json: installed\n"));
    EXPECT_THAT(ran.err, HasSubstr("--force"));
}

#ifdef GLOVEBOX_BUILD
// Moved after it was installed: a manifest names its library from where it lies itself.
TEST(LayerInstalled, RunsFromWhereverItLies) {
    const std::string program = "there/bin/glovebox ";
    const Ran ran =
        shell("\"" CMAKE_PROGRAM "\" --install \"" GLOVEBOX_BUILD
              "\" --prefix $PWD/here --component application > install.txt && mv here there\n" +
                  program + "layer status > status.txt\n" + program +
                  "layer run --replay grasp -- " HAND_APP " --frames 5 > run.txt\n" + program +
                  "layer install > /dev/null && ENABLE_XR_APILAYER_GLOVEBOX=1 GLOVEBOX_LAYER_REPLAY=grasp " HAND_APP
                  " --frames 5 > user.txt",
              with("without XR_EXT_hand_tracking\n"));
    ASSERT_EQ(ran.exit_code, 0) << ran.out << ran.err << text_of_file(ran.folder / "install.txt");
    const std::string status = text_of_file(ran.folder / "status.txt");
    EXPECT_THAT(status,
                HasSubstr("/there/share/openxr/1/api_layers/explicit.d/XR_APILAYER_glovebox.json: installed\n"));
    EXPECT_THAT(status, HasSubstr("/there/lib/"));
    for (const char* name : {"run.txt", "user.txt"}) {
        const auto hands = hands_in(text_of_file(ran.folder / name));
        ASSERT_EQ(hands.size(), 10U) << name;
        EXPECT_TRUE(hands.back().active) << name << ": the runtime has no hands";
    }
}
#endif

// Hands of both logs at the times of the second's samples, device by device clock.
double most_apart_m(const recordings::Recording& a, const recordings::Recording& b, int& compared) {
    double max_m = 0.0;
    for (const tracking::HandPair& sample : b.samples)
        for (const Side side : tracking::kSides) {
            const tracking::HandFrame& hand = sample[side];
            if (!hand.active || hand.source == tracking::Source::held) continue;
            for (const tracking::HandPair& other : a.samples) {
                if (other[side].times.device_ns != hand.times.device_ns || !other[side].active) continue;
                ++compared;
                for (std::size_t j = 0; j < hand.joints.size(); ++j)
                    max_m = std::max(max_m, static_cast<double>(
                                                (hand.joints[j].position_m - other[side].joints[j].position_m).norm()));
            }
        }
    return max_m;
}

TEST(LayerUnderVr, RecordsAndReplaysOurOwnSession) {
    const std::string vr = " -- " GLOVEBOX_PROGRAM " vr --headless --frames 200 --rate 90 --record ";
    const Ran ran = shell(GLOVEBOX_PROGRAM " layer run --record take.glove" + vr +
                              "own.glove && " GLOVEBOX_PROGRAM " layer run --replay take.glove --record again.glove" +
                              vr + "replayed.glove",
                          with(std::string(kHandsScript) + "noise 0.001\n"));
    ASSERT_EQ(ran.exit_code, 0) << ran.out << ran.err;
    EXPECT_EQ(ran.count("refused xr"), 0) << ran.log;
    const auto load = [&](const char* name) { return recordings::load(ran.folder / name); };
    const recordings::Recording take = load("take.glove"), own = load("own.glove");
    int compared = 0;
    EXPECT_EQ(most_apart_m(own, take, compared), 0.0) << "the layer keeps what the session got";
    EXPECT_GT(compared, 300);
    // The replay's own log against the recording at the same time since the start.
    const recordings::Recording again = load("again.glove"), replayed = load("replayed.glove");
    compared = 0;
    EXPECT_EQ(most_apart_m(replayed, again, compared), 0.0);
    EXPECT_GT(compared, 200);
    int checked = 0;
    for (const tracking::HandPair& sample : again.samples)
        for (const Side side : tracking::kSides) {
            const tracking::HandFrame& hand = sample[side];
            const tracking::HandFrame recorded =
                recordings::hand_at(take.samples, side, hand.times.device_ns - again.samples[0][side].times.device_ns);
            if (!hand.active || hand.source == tracking::Source::held || !recorded.active) continue;
            ++checked;
            for (std::size_t j = 0; j < hand.joints.size(); ++j)
                EXPECT_LT((hand.joints[j].position_m - recorded.joints[j].position_m).norm(), 1e-6F);
        }
    EXPECT_GT(checked, 200);
}

TEST(LayerRecord, KeepsWhatTheApplicationAskedToBeFelt) {
    const Ran ran = shell(GLOVEBOX_PROGRAM " layer run --record take.glove -- " OPENXR_PROBE " --frames 60",
                          with("hand left still at 0 0.9 -0.3\nhand right still at 0 0.9 -0.3\n"));
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    int vibrations = 0, forces = 0;
    for (const recordings::HapticRecord& felt : recordings::LogReader(ran.folder / "take.glove").haptics()) {
        EXPECT_STREQ(felt.output.data(), "application");
        if (felt.vibration && *felt.vibration > 0.0F) {
            EXPECT_FLOAT_EQ(*felt.vibration, 0.25F);
        }
        vibrations += felt.vibration.has_value() ? 1 : 0;
        forces += felt.force.has_value() ? 1 : 0;
    }
    // What came before the first hand has no time in the log, and the runtime counts it.
    EXPECT_GT(vibrations, 3);
    EXPECT_LE(vibrations, ran.count("haptic apply") + ran.count("haptic stop"));
    EXPECT_GE(vibrations + 4, ran.count("haptic apply") + ran.count("haptic stop"));
    EXPECT_LE(forces, ran.count("haptic curl"));
    EXPECT_GE(forces + 4, ran.count("haptic curl"));
}

// A recording of an application that vibrates where a trigger is pulled, and what plays it to the same application.
constexpr const char* kTriggers =
    "pace_headless on\nrate 90\nprofile /interaction_profiles/oculus/touch_controller\nhand left tap\nhand right grip\n"
    "at 20 trigger right 0.7\nat 40 trigger right 0\nat 60 trigger right 0.3\nat 80 trigger right 0\n";
constexpr const char* kApplication = " -- " HAND_APP " --controllers --pace --step-ms 0 --frames ";

// The log is deleted at the end, and a run of a frame has no interval, no missed display time and no haptic command.
TEST(LayerRun, NamesNoLogThatIsDeletedAndPrintsNoLineWithoutContent) {
    const std::string run = GLOVEBOX_PROGRAM " layer run ", app = std::string(" -- " HAND_APP " --frames ");
    const Ran ran = shell("GLOVEBOX_LAYER_TEMPORARY=1 " + run + "--record take.glove" + app + "1 2> kept.txt\n" + run +
                              "--report a.json" + app + "1 2> one.txt\n" + run + "--report b.json" + app +
                              "0 2> none.txt\n" + run + "--replay take.glove --report c.json" + app + "1 2> again.txt",
                          with(kHandsScript));
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    const auto text = [&](const char* name) { return replaced(text_of_file(ran.folder / name), HAND_APP, "hand_app"); };
    EXPECT_THAT(text("kept.txt"), testing::MatchesRegex("glovebox layer: recorded 1 sample to .*take.glove\n"));
    const std::string facts =
        "hand_app: exit code 0\n  application hand application: 1 frame\n  its work in a frame: .* ms \\(longest\\)\n"
        "  velocities of the device: 2 hands\n";
    EXPECT_THAT(text("one.txt"), testing::MatchesRegex(facts));
    EXPECT_EQ(text("none.txt"),
              "hand_app: exit code 0\n  the layer recorded nothing: the application located no hand or pose\n");
    EXPECT_THAT(text("again.txt"), testing::MatchesRegex(facts + "  poses: the same in 1 frame, different in 0\n"));
}

TEST(LayerRun, JudgesAReplayByItsRecording) {
    const std::string run = GLOVEBOX_PROGRAM " layer run ", as_recorded = std::string(kApplication) + "100 > out.txt";
    const Ran ran = shell(
        run + "--record take.glove" + as_recorded + "\n" + "export HAND_RUNTIME_SCRIPT=no_user.txt\n" +
            "printf 'pace_headless on\\nrate 90\\nprofile none\\n' > no_user.txt\n" + run +
            "--replay take.glove --report all.json --fail-if 'haptics.missing>0' --fail-if 'poses.frames_different>0'" +
            as_recorded + "; echo $? > all.txt\n" + run +
            "--replay take.glove --report half.json --fail-if 'haptics.missing>0'" + kApplication +
            "30 > out.txt; echo $? > half.txt\n" + run + "--replay take.glove --fail-if 'frames.count>0'" +
            kApplication + "5 --exit 42 > out.txt; echo $? > own.txt\n" + run + "--fail-if 'frames.nothing>0'" +
            kApplication + "5 > out.txt; echo $? > unknown.txt\n" + run +
            "--fail-if 'application.exit_code<9' -- /bin/sh -c 'kill -9 $$'; echo $? > killed.txt\n",
        with(kTriggers));
    const auto text = [&](const char* name) { return text_of_file(ran.folder / name); };
    EXPECT_EQ(text("all.txt"), "0\n") << ran.err;
    EXPECT_EQ(text("half.txt"), "3\n") << "it ended before the second vibration";
    EXPECT_EQ(text("own.txt"), "42\n") << "the application's own goes first";
    EXPECT_EQ(text("unknown.txt"), "1\n");
    EXPECT_EQ(text("killed.txt"), "137\n");
    EXPECT_THAT(ran.err, HasSubstr("--fail-if \"haptics.missing>0\" holds"));
    EXPECT_THAT(ran.err, HasSubstr("of 4 recorded requests to be felt 4 came again"));
    EXPECT_THAT(ran.err, HasSubstr("the layer recorded nothing"));
    const auto json = nlohmann::json::parse(text("all.json"));
    EXPECT_EQ(json["application"]["exit_code"], 0);
    EXPECT_EQ(json["application"]["name"], "hand application");
    EXPECT_EQ(json["frames"]["count"], 100);
    EXPECT_GT(json["frames"]["work_ms"]["p99"], 0.0);
    EXPECT_NEAR(json["frames"]["interval_ms"]["p50"].get<double>(), 11.111, 0.001);
    EXPECT_EQ(json["haptics"]["vibrations"], 2);
    EXPECT_EQ(json["haptics"]["same"], 4);
    EXPECT_EQ(json["haptics"]["extra"], 0);
    EXPECT_EQ(json["poses"]["frames_different"], 0);
    EXPECT_GT(json["poses"]["frames_same"], 50);
    EXPECT_EQ(nlohmann::json::parse(text("half.json"))["haptics"]["same"], 1);
}

TEST(LayerRun, CountsTheDisplayTimesThatTheRuntimeCounts) {
    const Ran ran = shell(GLOVEBOX_PROGRAM " layer run --report run.json" + std::string(kApplication) + "60 > out.txt",
                          with("pace_headless on\nrate 90\nstretch on\nslow xrEndFrame 0.03\n"));
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    const auto frames = nlohmann::json::parse(text_of_file(ran.folder / "run.json"))["frames"];
    const double missed = std::stod(ran.log.substr(ran.log.find(" missed ", ran.log.find("summary frames")) + 8));
    EXPECT_GT(missed, 100) << "two for each of 60 frames";
    EXPECT_NEAR(frames["missed"].get<double>(), missed, 6) << "those before the focus are not recorded";
}

TEST(LayerRun, ALogSaysWhatElseItHas) {
    const std::string program = GLOVEBOX_PROGRAM " ";
    const Ran ran =
        shell(program + "layer run --record take.glove" + kApplication + "100 > out.txt\n" + program +
                  "layer run --record other.glove" + kApplication + "90 > out.txt\n" + program +
                  "info take.glove > info.txt\n" + program + "info --json take.glove > info.json\n" + program +
                  "doctor take.glove > doctor.txt\n" + program + "replay take.glove --headless > replay.txt\n" +
                  program + "recover take.glove saved.glove > recover.txt\n" + program +
                  "diff take.glove saved.glove > same.txt; echo $? >> same.txt\n" +
                  "sqlite3 saved.glove \"UPDATE pose SET x = x + 0.01 WHERE rowid = 9\"\n" + program +
                  "diff take.glove saved.glove > moved.txt; echo $? >> moved.txt\n",
              with(kTriggers));
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    const auto text = [&](const char* name) { return text_of_file(ran.folder / name); };
    for (const char* name : {"info.txt", "doctor.txt", "replay.txt"}) {
        EXPECT_THAT(text(name), HasSubstr("  application hand application: 100 frames, 11.1 ms from display time"));
        EXPECT_THAT(text(name), HasSubstr("  controller main/grip left: 100 poses\n"));
        EXPECT_THAT(text(name), HasSubstr("  haptic commands: 2 vibrations, 2 stops, 0 finger forces\n"));
    }
    EXPECT_THAT(text("doctor.txt"), HasSubstr("  head: does not move at all, to the last bit\n"));
    const auto json = nlohmann::json::parse(text("info.json"));
    EXPECT_EQ(json["application"]["frames"]["count"], 100);
    EXPECT_EQ(json["application"]["haptics"]["vibrations"], 2);
    EXPECT_EQ(text("same.txt"), "the same: 100 samples\n0\n");
    if (std::filesystem::exists("/usr/bin/sqlite3")) {
        EXPECT_THAT(text("moved.txt"), HasSubstr("the hands are the same; "));
        EXPECT_THAT(text("moved.txt"), HasSubstr("is 10 mm apart\n3\n"));
    }
}

TEST(LayerUnderKhronos, ListsTheRuntimeAsWithoutIt) {
    if (!std::filesystem::exists("/usr/bin/openxr_runtime_list")) GTEST_SKIP() << "libopenxr-utils is not installed";
    const auto facts = [](const Ran& ran) {
        std::vector<std::string> lines;
        std::istringstream text(ran.out);
        for (std::string line; std::getline(text, line);)
            if (line.find("APILAYER") == std::string::npos) lines.push_back(line);
        std::ranges::sort(lines);
        return lines;
    };
    const Ran bare = shell("openxr_runtime_list", with(kHandsScript));
    const Ran layered =
        shell(GLOVEBOX_PROGRAM " layer run --record take.glove -- openxr_runtime_list", with(kHandsScript));
    EXPECT_EQ(bare.exit_code, 0);
    EXPECT_EQ(layered.exit_code, 0) << layered.err;
    EXPECT_THAT(bare.out, HasSubstr("Scripted headset"));
    EXPECT_EQ(facts(layered), facts(bare));
    EXPECT_EQ(layered.count("refused xr"), 0);
    EXPECT_FALSE(std::filesystem::exists(layered.folder / "take.glove")) << "it has no session";
}

// Khronos' hello_xr uses controllers and no hands. It ends when a line comes in: after that picture.
class HelloXr : public testing::Test {
  protected:
    void SetUp() override {
        if (!std::filesystem::exists("/usr/bin/hello_xr")) GTEST_SKIP() << "libopenxr-utils is not installed";
        if (tests::x_display().empty()) GTEST_SKIP() << "there is no X server to be had";
    }
    static std::string picture(int frame) {
        char text[64];
        std::snprintf(text, sizeof text, "pictures/eye_right_%06d.png", frame);
        return text;
    }
    static Ran run(const std::string& before, const std::string& script, int frames,
                   const std::map<std::string, std::string>& variables = {}) {
        RunOptions options = with(script + "eyes pictures " + std::to_string(frames) + "\n");
        options.environment["DISPLAY"] = tests::x_display();
        for (const auto& [name, value] : variables) options.environment[name] = value;
        Ran ran = shell("(for i in $(seq 600); do [ -e " + picture(frames) +
                            " ] && break; sleep 0.1; done; echo) | LD_PRELOAD=" VIDEO_MODES " " + before +
                            " hello_xr -g OpenGL",
                        options);
        EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err << ran.log;
        EXPECT_THAT(ran.log, HasSubstr("state FOCUSED"));
        EXPECT_THAT(ran.log, HasSubstr(" refused 0 "));
        EXPECT_THAT(ran.log, HasSubstr(" left_behind 0 "));
        return ran;
    }
};

TEST_F(HelloXr, ShowsItsCubesAsWithoutTheLayer) {
    const std::string script = "hand left still\nhand right still\n";
    const auto shown = [](const Ran& ran) { return text_of_file(ran.folder / picture(20)); };
    const std::string bare = shown(run("", script, 20));
    EXPECT_GT(bare.size(), 1000U);
    const Ran idle = run(GLOVEBOX_PROGRAM " layer run --glove /dev/null --", script, 20);
    EXPECT_TRUE(shown(idle) == bare);
    EXPECT_THAT(idle.err, Not(HasSubstr("glovebox layer:"))) << "it uses no hands, so the glove is not opened";
    const Ran recorded = run(GLOVEBOX_PROGRAM " layer run --record take.glove --", script, 20);
    EXPECT_TRUE(shown(recorded) == bare);
    EXPECT_TRUE(std::filesystem::exists(recorded.folder / "take.glove")) << recorded.err;
}

TEST_F(HelloXr, IsRecordedAndGivenTheSameControllersAndHeadAgain) {
    std::ostringstream busy;
    busy << "rate 90\nprofile /interaction_profiles/oculus/touch_controller\nhand left tap\nhand right grip\n";
    for (int frame = 1; frame < 300; ++frame)
        busy << "at " << frame << " head " << 0.3 + 0.002 * frame << " 1.6 -0.2 yaw " << 40 + frame << " pitch "
             << 0.1 * frame << "\n";
    for (int frame = 20; frame < 300; frame += 40)
        busy << "at " << frame << " squeeze right 1\nat " << frame + 20 << " squeeze right 0\n";
    const TestFolder folder("layer_hello");
    const std::string take = (folder.path / "take.glove").string(), again = (folder.path / "again.glove").string();
    // The other layer is between the application and ours.
    const std::map<std::string, std::string> observed = {
        {"XR_ENABLE_API_LAYERS", std::string("XR_APILAYER_test_other:") + kLayerName},
        {"XDG_DATA_DIRS", std::string(OTHER_LAYER_DATA_FOLDER) + ":/usr/local/share:/usr/share"},
        {"OTHER_LAYER_LOG", "{folder}/given.txt"}};
    const Ran recorded = run(GLOVEBOX_PROGRAM " layer run --record " + take + " --", busy.str(), 200, observed);
    const Ran replayed = run(GLOVEBOX_PROGRAM " layer run --replay " + take + " --record " + again +
                                 " --report run.json --fail-if 'poses.frames_different>0' --",
                             "rate 90\nprofile none\nhead 2 1.1 3 yaw 77\n", 200, observed);
    const Lines before = lines_of(text_of_file(recorded.folder / "given.txt")),
                after = lines_of(text_of_file(replayed.folder / "given.txt"));
    for (const char* what : {"head", "view 0", "view 1", "grip 0", "grip 1"})
        EXPECT_GT(compare(before, after, what, 1e-6), 60) << what;
    EXPECT_GT(recorded.count("haptic apply right"), 2);
    const auto json = nlohmann::json::parse(text_of_file(replayed.folder / "run.json"));
    EXPECT_GT(json["poses"]["frames_same"], 60);
    EXPECT_GT(json["haptics"]["same"], 2);
    const recordings::ApplicationLog log = recordings::read_application_log(take);
    EXPECT_EQ(log.name, "HelloXR");
    EXPECT_TRUE(log.velocities.empty());
    const recordings::Recording hands = recordings::load(take);
    for (const tracking::HandPair& sample : hands.samples)
        EXPECT_FALSE(sample[Side::left].active || sample[Side::right].active);
}

}  // namespace
}  // namespace glovebox::vr::layer
