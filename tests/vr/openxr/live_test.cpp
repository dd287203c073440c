// The real `glovebox vr` against the test runtime: every state and fault, headless and with pictures, under the core
// validation layer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cmath>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include <stb/stb_image.h>

#include "recordings/load.h"
#include "recordings/log/database.h"
#include "recordings/log/log_reader.h"
#include "recordings/user_profile.h"
#include "tests/runtime/hand_motion.h"
#include "tests/runtime/pose.h"
#include "tests/runtime/run_with_runtime.h"
#include "tests/vr/run_program.h"
#include "tracking/glove/byte_stream.h"
#include "tracking/glove/opengloves.h"
#include "tracking/hand_profile.h"
#include "vr/openxr/live_eyes.h"

namespace glovebox::vr {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using tests::Ran;
using tests::RunOptions;

// Fingertips of both hands meet the ball, with a tracker's noise (without it they would count as frozen).
constexpr const char* kGrasp =
    "headless_frames refuse\nwithout XR_FB_hand_tracking_mesh\nnoise 0.0002\nhand left still at -0.05 1.16 -0.43\nhand "
    "right still at 0.03 "
    "1.16 -0.43\nhead 0 1.5 0 pitch -35\n";

// The same hands, tapping the ball twice a second: the force loop feels only what it has seen come from outside.
constexpr const char* kTaps =
    "hand left off\nhand right off\n"
    "hand left key 0 -0.085 1.27 -0.27 yaw -12 pitch -12 curl 0.25 thumb 0.2\n"
    "hand left key 0.15 -0.085 1.21 -0.27 yaw -12 pitch -12 curl 0.25 thumb 0.2\n"
    "hand left key 0.35 -0.085 1.21 -0.27 yaw -12 pitch -12 curl 0.25 thumb 0.2\n"
    "hand left key 0.5 -0.085 1.27 -0.27 yaw -12 pitch -12 curl 0.25 thumb 0.2\n"
    "hand right key 0 0.065 1.27 -0.27 yaw 12 pitch -12 curl 0.25 thumb 0.2\n"
    "hand right key 0.15 0.065 1.21 -0.27 yaw 12 pitch -12 curl 0.25 thumb 0.2\n"
    "hand right key 0.35 0.065 1.21 -0.27 yaw 12 pitch -12 curl 0.25 thumb 0.2\n"
    "hand right key 0.5 0.065 1.27 -0.27 yaw 12 pitch -12 curl 0.25 thumb 0.2\n";

struct Session {
    Ran ran;
    nlohmann::json report;
};

Session glovebox_vr(const std::string& script, std::vector<std::string> arguments = {}, RunOptions options = {}) {
    options.script = kGrasp + script;
    std::vector<std::string> all{GLOVEBOX_PROGRAM, "vr", "--scene", "held-ball", "--report", "{folder}/report.json"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    Session run;
    run.ran = tests::run_with_runtime(all, options);
    std::ifstream file(run.ran.folder / "report.json");
    if (file) run.report = nlohmann::json::parse(file);
    return run;
}

Session headless(const std::string& script, RunOptions options = {}) {
    return glovebox_vr(script, {"--headless", "--frames", "90"}, std::move(options));
}

void expect_clean(const Session& run) {
    EXPECT_EQ(run.ran.exit_code, 0) << run.ran.out << run.ran.err << run.ran.log;
    EXPECT_FALSE(run.ran.timed_out);
    EXPECT_THAT(run.ran.validation_errors, IsEmpty());
    EXPECT_EQ(run.ran.count("refused xr"), 0) << run.ran.log;
    EXPECT_EQ(run.ran.count("left_behind 0 vibrating 0"), 1) << run.ran.log;
    ASSERT_TRUE(run.report.contains("headset"));
}

// Every hand that was driven is let go at the end.
void expect_released(const Ran& ran) {
    for (const char* side : {"left", "right"}) {
        const auto last = ran.log.rfind(std::string("haptic curl ") + side);
        if (last == std::string::npos) continue;
        EXPECT_EQ(ran.log.substr(last, ran.log.find('\n', last) - last),
                  std::string("haptic curl ") + side + " 0.000 0.000 0.000 0.000 0.000");
    }
}

// Headless sessions need no frame calls: whatever a runtime makes of them, there are frames, hands and haptics.
TEST(GloveboxVr, TouchesAndIsFeltHeadlessWithAnyFrameCalls) {
    for (const char* const mode : {"allow", "ignore", "refuse"}) {
        const Session run = headless(std::string(kTaps) + "headless_frames " + mode + "\n");
        expect_clean(run);
        EXPECT_EQ(run.report["headset"]["frames"], 90) << mode;
        EXPECT_GT(run.report["counts"]["true"], 90) << mode << ": several fingers on the ball, frame after frame";
        EXPECT_GT(run.report["event_counts"]["touch_begin"], 1) << mode;
        EXPECT_GT(run.ran.count("haptic apply right"), 10) << mode;
        EXPECT_GT(run.ran.count("haptic curl left"), 10) << mode;
        expect_released(run.ran);
    }
}

TEST(GloveboxVr, PoseAgesAreMeasuredToTheCommandAndToTheLight) {
    const Session run = headless(std::string(kTaps) + "rate 90\n");
    expect_clean(run);
    const auto& age = run.report["headset"]["pose_age_us"];
    EXPECT_GT(age["sample_to_command"]["p50"], 1.0);
    EXPECT_LT(age["sample_to_command"]["p50"], 5000.0);
    EXPECT_NEAR(age["sample_to_photon"]["p50"].get<double>(), 1e6 / 90.0, 2000.0) << "a frame ahead, by its word";
}

TEST(GloveboxVr, WithoutARuntimeItSaysInOneLineWhatToDo) {
    RunOptions options;
    options.no_runtime = true;
    options.validation = false;
    const Session run = headless("", options);
    EXPECT_EQ(run.ran.exit_code, 1);
    EXPECT_THAT(run.ran.err, testing::StartsWith("glovebox: XR_RUNTIME_JSON names '"));
    EXPECT_THAT(run.ran.err, HasSubstr("no such file"));
    EXPECT_EQ(std::count(run.ran.err.begin(), run.ran.err.end(), '\n'), 1) << run.ran.err;
}

TEST(GloveboxVr, WaitsForAServiceThatIsNotUpYet) {
    RunOptions options;
    options.validation = false;
    const Session late =
        glovebox_vr(std::string(kTaps) + "unavailable 3\n", {"--headless", "--frames", "30", "--wait", "20"}, options);
    EXPECT_EQ(late.ran.exit_code, 0) << late.ran.err;
    EXPECT_EQ(late.report["headset"]["frames"], 30);
    const Session never = glovebox_vr("unavailable 1000\n", {"--headless", "--wait", "1"}, options);
    EXPECT_EQ(never.ran.exit_code, 1);
    EXPECT_THAT(never.ran.err, HasSubstr("start its service, or wait longer with --wait"));
}

TEST(GloveboxVr, WithoutAHeadsetItWaitsAsLongAsItWasTold) {
    RunOptions options;
    options.validation = false;
    const Session run = glovebox_vr("no_headset 1000\n", {"--headless", "--wait", "1"}, options);
    EXPECT_EQ(run.ran.exit_code, 1);
    EXPECT_THAT(run.ran.err, HasSubstr("no headset after 1 s"));
}

struct Case {
    const char* name;
    const char* script;
    const char* key;  ///< of the report's headset object
    int value;
};
void PrintTo(const Case& row, std::ostream* out) {
    *out << row.name;
}
// Each fault in each strictness of a runtime: what it does with the frame calls of a headless session.
class Faults : public testing::TestWithParam<std::tuple<Case, const char*>> {};
TEST_P(Faults, AreSurvivedAndTheHandsAreFeltAgain) {
    const auto& [fault, mode] = GetParam();
    const Session run = headless(std::string(kTaps) + "headless_frames " + mode + "\n" + fault.script);
    expect_clean(run);
    EXPECT_EQ(run.report["headset"]["frames"], 90);
    EXPECT_EQ(run.report["headset"][fault.key], fault.value) << run.ran.err;
    // What was felt before is felt after. A hand that comes back inside an object begins no new touch until it has been
    // clear of it, so this is seen in the haptics and not in the events.
    EXPECT_GT(run.report["event_counts"]["touch_begin"].get<int>(), 0);
    const auto last_focus = run.ran.log.rfind("state FOCUSED");
    EXPECT_THAT(run.ran.log.substr(last_focus), HasSubstr("haptic apply"));
    expect_released(run.ran);
}
INSTANTIATE_TEST_SUITE_P(
    GloveboxVr, Faults,
    testing::Combine(
        testing::Values(Case{"session_lost", "at 30 session_lost\n", "sessions_lost", 1},
                        Case{"headset_away", "at 30 session_lost 0.4\n", "attached", 2},
                        Case{"session_loss_pending", "at 30 session_loss_pending 0.2\n", "sessions_lost", 1},
                        Case{"instance_lost", "at 30 instance_lost 0.4\n", "instances_lost", 1},
                        Case{"instance_loss_pending", "at 30 loss_pending 0.2\n", "instances_lost", 1},
                        Case{"stopping_and_back", "at 30 stopping 0.1\n", "attached", 1},
                        Case{"focus_lost_and_back", "at 30 visible\nat 50 focused\n", "attached", 1},
                        Case{"recentered", "at 30 recenter\n", "recentered", 1},
                        Case{"no_velocities", "velocities off\n", "attached", 1},
                        Case{"slow_frames", "at 30 stall 0.2\nat 40 stall 0.1\n", "attached", 1},
                        Case{"controllers_put_down", "at 30 profile none\n", "attached", 1},
                        Case{"both_hands_lost_and_found",
                             "at 30 drop left\nat 30 drop right\nat 60 heal left\nat 60 heal right\n", "attached", 1}),
        testing::Values("refuse", "ignore", "allow")),
    [](const auto& param_info) {
        return std::get<0>(param_info.param).name + std::string("_") + std::get<1>(param_info.param);
    });

struct BadHand {
    const char* name;
    const char* cause;
};
void PrintTo(const BadHand& row, std::ostream* out) {
    *out << row.name;
}
class BadHands : public testing::TestWithParam<BadHand> {};
TEST_P(BadHands, AreQuarantinedAndNeverFelt) {
    const std::string fault = GetParam().name;
    const Session run = headless("at 30 " + fault + " left\nat 30 " + fault + " right\n");
    expect_clean(run);
    EXPECT_GT(run.report["quarantine"][GetParam().cause], 30) << run.report["quarantine"].dump();
    // After the longest bridge (100 ms to notice a frozen hand, 100 ms held) nothing is felt any more.
    EXPECT_EQ(run.report["event_counts"]["touch_begin"], run.report["event_counts"]["touch_end"]);
    EXPECT_THAT(run.report["events"].back()["lost"], true);
    const auto end = run.ran.log.find("state VISIBLE", run.ran.log.rfind("state FOCUSED"));
    const std::string second_half = run.ran.log.substr(run.ran.log.size() / 2, end);
    EXPECT_THAT(second_half, Not(HasSubstr("nan")));
    expect_released(run.ran);
}
INSTANTIATE_TEST_SUITE_P(GloveboxVr, BadHands,
                         testing::Values(BadHand{"nan", "non_finite"}, BadHand{"zeros", "lost"},
                                         BadHand{"nonunit", "non_unit"}, BadHand{"freeze", "frozen"},
                                         BadHand{"drop", "lost"}),
                         [](const auto& param_info) { return std::string(param_info.param.name); });

TEST(GloveboxVr, ClosedFromTheHeadsetItEndsWell) {
    const Session run = headless("at 30 exiting\n");
    expect_clean(run);
    EXPECT_LT(run.report["headset"]["frames"], 90);
    expect_released(run.ran);
}

TEST(GloveboxVr, InterruptedOrHungUpItReleasesEveryFingerAndReports) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        RunOptions options;
        options.interrupt_after_s = 1.2;
        options.interrupt_with = signal;
        const Session run = glovebox_vr(kTaps, {"--headless", "--record", "{folder}/live.glove"}, options);
        expect_clean(run);
        EXPECT_GT(run.ran.count("haptic apply"), 3) << signal;
        EXPECT_THAT(run.ran.out, HasSubstr("recorded ")) << signal;
        expect_released(run.ran);
    }
}

// A second is no limit: what takes longer has missed all the more frames.
TEST(GloveboxVr, CountsEveryFrameOfALongStallAsMissed) {
    const Session run = headless("at 30 stall 1.3\n");
    expect_clean(run);
    EXPECT_GT(run.report["headset"]["frames_missed"], 100);
    EXPECT_GT(run.report["recording"]["longest_gap_s"], 1.2);
}

// Without a conversion of time it comes from the runtime's frames. Where those are refused too, that is said.
TEST(GloveboxVr, ARuntimeThatRefusesEveryFrameEndsTheSessionWithAWord) {
    const Session allowed =
        headless(std::string(kTaps) + "headless_frames allow\nwithout XR_KHR_convert_timespec_time\n");
    expect_clean(allowed);
    EXPECT_EQ(allowed.report["headset"]["frames"], 90);
    const Session refused = headless(std::string(kTaps) + "without XR_KHR_convert_timespec_time\n");
    EXPECT_EQ(refused.ran.exit_code, 1);
    EXPECT_FALSE(refused.ran.timed_out);
    EXPECT_THAT(refused.ran.err, HasSubstr("glovebox: the runtime refuses every frame (xr"));
    EXPECT_THAT(refused.ran.err, HasSubstr(": XR_ERROR_CALL_ORDER_INVALID)"));
    EXPECT_TRUE(refused.report.contains("headset")) << "what was asked for is written";
}

TEST(GloveboxVr, ARuntimeWithoutWhatIsNeededIsNotToldToBeInstalled) {
    RunOptions options;
    options.validation = false;
    const Session run = headless("without XR_MND_headless\n", options);
    EXPECT_EQ(run.ran.exit_code, 1);
    EXPECT_THAT(run.ran.err, testing::StartsWith("glovebox: this runtime makes no session without graphics"));
    EXPECT_THAT(run.ran.err, Not(HasSubstr("install")));
}

TEST(GloveboxVr, RefusesOptionsOfOutputsThatItWasNotGiven) {
    RunOptions options;
    options.validation = false;
    const auto refused = [&](const std::vector<std::string>& arguments) {
        std::vector<std::string> all{"--headless", "--frames", "5"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        const Session run = glovebox_vr("", all, options);
        EXPECT_EQ(run.ran.exit_code, 2) << testing::PrintToString(arguments);
        return run.ran.err;
    };
    EXPECT_THAT(refused({"--haptics-log", "{folder}/felt.csv"}), HasSubstr("add --haptics log"));
    EXPECT_THAT(refused({"--haptics", "log,log-radio"}), HasSubstr("the same file"));
    EXPECT_THAT(refused({"--haptics", "opengloves"}), HasSubstr("--haptics-port"));
    EXPECT_THAT(refused({"--haptics-port", "/dev/null"}), HasSubstr("add --haptics opengloves"));
    const Session run = glovebox_vr(
        kTaps, {"--headless", "--frames", "60", "--haptics", "controller,log", "--haptics-log", "{folder}/felt.csv"});
    expect_clean(run);
    EXPECT_THAT(text_of_file(run.ran.folder / "felt.csv"), testing::StartsWith("time_s,hand,stop"));
}

TEST(GloveboxVr, GoesOnToItsEndWhereTheDiskIsFullForTheHapticsLog) {
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
    const Session run = glovebox_vr(
        kTaps, {"--headless", "--frames", "60", "--haptics", "controller,log", "--haptics-log", "/dev/full"});
    EXPECT_EQ(run.ran.exit_code, 1);
    EXPECT_THAT(run.ran.err, HasSubstr("/dev/full: writing stopped"));
    EXPECT_EQ(run.report["frames"], 60);
}

TEST(GloveboxVr, FailsWhenToldTo) {
    const Session run = glovebox_vr("", {"--headless", "--frames", "10", "--fail-if", "headset.frames<1000"});
    EXPECT_EQ(run.ran.exit_code, 3);
}

TEST(GloveboxVr, ControllersServeWhereHandsAreNotTracked) {
    const Session run = headless("hand_tracking off\nat 20 squeeze right 1\n");
    expect_clean(run);
    EXPECT_EQ(run.report["headset"]["hand_tracking"], false);
    EXPECT_EQ(run.report["headset"]["controllers"][0], "simple_controller");
    EXPECT_GT(run.report["counts"]["n_u"], 0) << "hands were there and their boxes were refitted";
    EXPECT_THAT(run.report["recording"]["notes"].dump(), HasSubstr("this headset tracks no hands"));
}

struct Controller {
    const char* name;
    const char* profile;
};
void PrintTo(const Controller& row, std::ostream* out) {
    *out << row.name;
}
class Controllers : public testing::TestWithParam<Controller> {};
TEST_P(Controllers, BendAHandThatIsMarkedSynthetic) {
    const Session run =
        // Always in motion: a controller that stands still to the bit counts as frozen.
        headless(std::string("hand left off\nhand left key 0 -0.05 1.16 -0.43\nhand left key 3 -0.05 1.2 -0.43\n"
                             "hand right off\nhand right key 0 0.03 1.16 -0.43\nhand right key 3 0.03 1.2 -0.43\n"
                             "hand_tracking off\nprofile /interaction_profiles/") +
                 GetParam().profile + "/" + GetParam().name +
                 "\nat 20 trigger right 1\nat 30 squeeze left 1\nat 60 squeeze left 0\n");
    expect_clean(run);
    EXPECT_EQ(run.report["headset"]["controllers"][0], GetParam().name);
    EXPECT_EQ(run.report["headset"]["controllers"][1], GetParam().name);
    EXPECT_GT(run.report["headset"]["hands"]["synthetic"], 100);
    EXPECT_EQ(run.report["headset"]["hands"]["live"], 0);
    EXPECT_GT(run.report["counts"]["n_u"], 0) << "its boxes were refitted";
}
INSTANTIATE_TEST_SUITE_P(GloveboxVr, Controllers,
                         testing::Values(Controller{"simple_controller", "khr"},
                                         Controller{"touch_controller", "oculus"},
                                         Controller{"index_controller", "valve"}, Controller{"vive_controller", "htc"},
                                         Controller{"motion_controller", "microsoft"},
                                         Controller{"hand_interaction_ext", "ext"}),
                         [](const auto& param_info) { return std::string(param_info.param.name); });

// --- pictures ---

struct EyePicture {
    int width = 0, height = 0;
    std::vector<unsigned char> rgb;
    const unsigned char* at(int x, int y) const { return &rgb[static_cast<std::size_t>(3 * (y * width + x))]; }
};

EyePicture load_eye(const std::filesystem::path& path) {
    EyePicture eye;
    int channels = 0;
    unsigned char* pixels = stbi_load(path.c_str(), &eye.width, &eye.height, &channels, 3);
    if (pixels == nullptr) return eye;
    eye.rgb.assign(pixels, pixels + 3 * eye.width * eye.height);
    stbi_image_free(pixels);
    return eye;
}

// The middle of all pixels of a kind, and how many there are.
template <typename Kind>
std::pair<double, int> middle_x(const EyePicture& eye, Kind kind) {
    double sum = 0.0;
    int count = 0;
    for (int y = 0; y < eye.height; ++y)
        for (int x = 0; x < eye.width; ++x)
            if (const auto* p = eye.at(x, y); kind(int{p[0]}, int{p[1]}, int{p[2]})) {
                sum += x;
                ++count;
            }
    return {count > 0 ? sum / count : -1.0, count};
}

Session with_pictures(const std::string& script, const char* frames) {
    RunOptions options;
    options.environment["DISPLAY"] = tests::x_display();
    options.timeout_s = 120.0;
    return glovebox_vr("eyes {folder} " + std::string(frames) + "\n" + script, {"--frames", frames}, options);
}

#define NEEDS_X_SERVER() \
    if (tests::x_display().empty()) GTEST_SKIP() << "no X server: neither DISPLAY nor Xvfb"

TEST(GloveboxVr, ShowsTheBallInStereoWhereItIs) {
    NEEDS_X_SERVER();
    const Session run = with_pictures("eye_size 480 480\nhand left off\nhand right off\n", "3");
    expect_clean(run);
    const auto teal = [](int r, int g, int b) { return g > r + 20 && g > b && g > 60; };
    std::array<double, 2> x{};
    for (const std::size_t eye : {0U, 1U}) {
        const EyePicture picture =
            load_eye(run.ran.folder / (eye == 0 ? "eye_left_000003.png" : "eye_right_000003.png"));
        ASSERT_EQ(picture.width, 480);
        const auto [middle, count] = middle_x(picture, teal);
        EXPECT_GT(count, 300) << "the ball is about 30 pixels wide";
        x[eye] = middle;
    }
    // Head at 1.5 m looking 35 degrees down, ball 0.365 m below and 0.42 m ahead: 0.5535 m along the view.
    const double pixels_per_tangent = 240.0 / std::tan(0.76);
    EXPECT_NEAR(x[0] - x[1], pixels_per_tangent * 0.063 / 0.5535, 1.5);
    EXPECT_NEAR(0.5 * (x[0] + x[1]), 240.0, 6.0) << "a fifth of the ball: the side in shadow is less teal";
}

TEST(GloveboxVr, ShowsHandsOnTheBallAndThePanelToBothEyes) {
    NEEDS_X_SERVER();
    const Session run = with_pictures("eye_size 640 640\n", "6");
    expect_clean(run);
    const auto orange = [](int r, int g, int b) { return r > 180 && g > 60 && g < 140 && b < 60; };
    const auto skin = [](int r, int g, int b) { return r > 150 && r > g + 15 && g > b && b > 90; };
    const auto card = [](int r, int g, int b) { return r >= 250 && g >= 250 && b >= 250; };
    for (const char* name : {"eye_left_000006.png", "eye_right_000006.png"}) {
        const EyePicture picture = load_eye(run.ran.folder / name);
        ASSERT_EQ(picture.width, 640);
        EXPECT_GT(middle_x(picture, skin).second, 4000) << name;
        EXPECT_GT(middle_x(picture, orange).second, 40) << name << ": boxes and arrows of what touches";
        EXPECT_GT(middle_x(picture, card).second, 5000) << name << ": the panel";
    }
    EXPECT_EQ(run.report["headset"]["frames_rendered"], 6 - 1) << "the first frame is not shown: not yet visible";
}

// A way of a runtime's with pictures: its rate, and the call that is the first to tell of a loss.
struct Strictness {
    const char* name;
    const char* script;
};
void PrintTo(const Strictness& row, std::ostream* out) {
    *out << row.name;
}
// Each fault at a display's rate and at that of a runtime without a display; each loss also where an image's call or
// the frame's end is the first to tell of it.
class PictureFaults : public testing::TestWithParam<std::tuple<Case, Strictness>> {};
TEST_P(PictureFaults, AreSurvivedAndDrawnAgain) {
    NEEDS_X_SERVER();
    const auto& [fault, strictness] = GetParam();
    const Session run = with_pictures(std::string("eye_size 64 64\n") + strictness.script + fault.script, "14");
    expect_clean(run);
    EXPECT_EQ(run.report["headset"][fault.key], fault.value) << run.ran.err;
    EXPECT_EQ(run.ran.count("session made with OpenGL"), run.report["headset"]["attached"].get<int>());
    EXPECT_TRUE(std::filesystem::exists(run.ran.folder / "eye_left_000014.png"));
}
const std::vector<Case> kPictureLosses = {
    {"session_lost", "at 5 session_lost\n", "attached", 2},
    {"headset_away", "at 5 session_lost 0.4\n", "attached", 2},
    {"session_loss_pending", "at 5 session_loss_pending 0.05\n", "sessions_lost", 1},
    {"instance_lost", "at 5 instance_lost 0.2\n", "instances_lost", 1},
    {"instance_loss_pending", "at 5 loss_pending 0.05\n", "instances_lost", 1}};
const std::vector<Case> kOtherPictureFaults = {
    {"stopping", "at 5 stopping 0.1\n", "attached", 1},
    {"invisible", "at 5 synchronized\nat 8 focused\n", "attached", 1},
    {"focus_lost_and_back", "at 5 visible\nat 8 focused\n", "attached", 1},
    {"recentered", "at 5 recenter\n", "recentered", 1},
    {"no_velocities", "velocities off\n", "attached", 1},
    {"slow_frames", "at 5 stall 0.2\nat 8 stall 0.1\n", "attached", 1},
    {"controllers_put_down", "at 5 profile none\n", "attached", 1},
    {"both_hands_lost_and_found", "at 5 drop left\nat 5 drop right\nat 9 heal left\nat 9 heal right\n", "attached", 1},
    {"no_depth", "without XR_KHR_composition_layer_depth\n", "attached", 1},
    {"images_late", "at 4 late_images 7\n", "attached", 1},
    {"predictions_not_finite", "at 4 nan_ahead left\nat 4 nan_ahead right\n", "attached", 1},
    {"see_through", "blend additive\n", "attached", 1}};
std::string name_of_picture_fault(const testing::TestParamInfo<std::tuple<Case, Strictness>>& info) {
    return std::get<0>(info.param).name + std::string("_") + std::get<1>(info.param).name;
}
const auto kRates = testing::Values(Strictness{"90_hz", "rate 90\n"}, Strictness{"20_hz", "rate 20\n"});
INSTANTIATE_TEST_SUITE_P(GloveboxVr, PictureFaults, testing::Combine(testing::ValuesIn(kOtherPictureFaults), kRates),
                         name_of_picture_fault);
INSTANTIATE_TEST_SUITE_P(GloveboxVrLosses, PictureFaults, testing::Combine(testing::ValuesIn(kPictureLosses), kRates),
                         name_of_picture_fault);
// Only a loss has a call that is the first to tell of it.
INSTANTIATE_TEST_SUITE_P(
    GloveboxVrLossesTold, PictureFaults,
    testing::Combine(testing::ValuesIn(kPictureLosses),
                     testing::Values(Strictness{"by_an_image", "loss_seen_in xrAcquireSwapchainImage\n"},
                                     Strictness{"at_the_frames_end", "loss_seen_in xrEndFrame\n"})),
    name_of_picture_fault);

TEST(GloveboxVr, ReattachesWithPicturesTwentyTimesOfTwenty) {
    NEEDS_X_SERVER();
    constexpr int kApart = 4;
    // Whichever call is the first to hear of it.
    for (const auto& [first, losses] :
         {std::pair{"", 20}, {"loss_seen_in xrAcquireSwapchainImage\n", 6}, {"loss_seen_in xrEndFrame\n", 6}}) {
        std::string script = std::string("eye_size 64 64\n") + first;
        for (int i = 1; i <= losses; ++i)
            script += "at " + std::to_string(kApart * i) + (i % 2 == 0 ? " session_lost\n" : " instance_lost 0.05\n");
        const std::string last = std::to_string(kApart * (losses + 1));
        const Session run = with_pictures(script, last.c_str());
        expect_clean(run);
        EXPECT_EQ(run.report["headset"]["attached"], losses + 1) << first;
        EXPECT_EQ(run.report["headset"]["instances_lost"], losses / 2) << first;
        EXPECT_EQ(run.report["headset"]["sessions_lost"], losses / 2) << first;
        EXPECT_EQ(run.ran.count("session made with OpenGL"), losses + 1) << first;
        EXPECT_TRUE(std::filesystem::exists(run.ran.folder / ("eye_left_0000" + last + ".png")))
            << "drawn again at the end";
    }
}

// Calls of the runtime's that take as long as a slow renderer needs, picture after picture: a thread that makes frames
// is held there.
struct SlowCall {
    const char* name;
    double held_s;
    int calls;  ///< in every frame
};
void PrintTo(const SlowCall& row, std::ostream* out) {
    *out << row.name << " " << row.held_s << " s";
}
class SlowPictures : public testing::TestWithParam<SlowCall> {};

// Both hands come to the ball from outside and stay on it, trembling.
std::string lasting_touch() {
    std::string script = "hand left off\nhand right off\n";
    for (const auto& [side, x, yaw] : {std::tuple{"left", "-0.085", "-12"}, {"right", "0.065", "12"}})
        for (const auto& [time, y] : {std::pair{"0", "1.27"}, {"0.6", "1.21"}, {"30", "1.21"}})
            script += std::string("hand ") + side + " key " + time + " " + x + " " + y + " -0.27 yaw " + yaw +
                      " pitch -12 curl 0.25 thumb 0.2\n";
    return script;
}

// How many haptic calls the runtime took in each interval in which it held the frame's thread.
std::vector<int> commands_while_held(const std::string& log) {
    std::vector<int> counts;
    bool held = false;
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);) {
        if (line.find(" held xr") != std::string::npos) counts.push_back(0);
        held = held ? line.find(" let go xr") == std::string::npos : line.find(" held xr") != std::string::npos;
        if (held && line.find(" haptic ") != std::string::npos) ++counts.back();
    }
    return counts;
}

TEST_P(SlowPictures, DoNotHoldUpForcesAndCommands) {
    NEEDS_X_SERVER();
    const SlowCall& slow = GetParam();
    const double frame_s = slow.held_s * slow.calls;
    RunOptions options;
    options.environment["DISPLAY"] = tests::x_display();
    options.timeout_s = 120.0;
    const Session run =
        glovebox_vr(lasting_touch() + "eye_size 64 64\nslow " + slow.name + " " + std::to_string(slow.held_s) + "\n",
                    {"--frames", "30", "--record", "{folder}/live.glove"}, options);
    expect_clean(run);
    const recordings::Recording take = recordings::load(run.ran.folder / "live.glove");
    ASSERT_GT(take.samples.size(), 25U);
    int frames_held = 0, stale = 0;
    for (std::size_t i = 1; i < take.samples.size(); ++i) {
        const double gap_s = 1e-9 * static_cast<double>(take.samples[i].time_ns - take.samples[i - 1].time_ns);
        frames_held += gap_s >= frame_s ? 1 : 0;
        stale += gap_s > 0.095 ? 1 : 0;
    }
    EXPECT_GT(frames_held, 22) << "pictures were quick: nothing was tested";

    // A millisecond after another, run or counted as skipped, however long the frames take.
    const auto& loop = run.report["haptic_loop"];
    const double ticks = loop["ticks"].get<double>(), skipped = loop["skipped_ticks"].get<double>();
    EXPECT_GE(ticks + skipped, 1000.0 * take.duration_s());
    EXPECT_GT(ticks, 0.8 * (ticks + skipped));

    // Pulses of 50 ms are renewed every 20 ms, two hands' on two outputs, in every hold after the touch began.
    std::vector<int> commands = commands_while_held(run.ran.log);
    ASSERT_GT(commands.size(), 25U);
    commands.erase(commands.begin(), commands.begin() + static_cast<std::ptrdiff_t>(commands.size() / 2));
    std::sort(commands.begin(), commands.end());
    if (slow.held_s > 0.05) {
        EXPECT_GT(commands[commands.size() / 2], slow.held_s / 0.02) << "in the median hold";
    }

    // The hands are located again while the frame's thread is held, so that forces neither fade nor stop.
    EXPECT_GT(loop["samples_between_frames"].get<double>(), 0.5 * (take.duration_s() - 0.02 * 30) / 0.011);
    EXPECT_LE(loop["interventions"]["watchdog"].get<int>(), stale / 10);
    const auto& late_us = run.report["headset"]["tick_to_command_us"];
    EXPECT_GT(late_us["count"].get<int>(), 40);
    EXPECT_LT(late_us["p90"].get<double>(), 0.2e6 * frame_s) << "the courier does not wait for the picture";
    RecordProperty("tick_to_command_us", late_us.dump());
}
INSTANTIATE_TEST_SUITE_P(GloveboxVr, SlowPictures,
                         testing::Values(SlowCall{"xrLocateViews", 0.08, 1}, SlowCall{"xrEndFrame", 0.06, 1},
                                         SlowCall{"xrWaitSwapchainImage", 0.015, 4}, SlowCall{"xrWaitFrame", 0.15, 1},
                                         SlowCall{"xrEndFrame", 0.3, 1}),
                         [](const auto& param_info) {
                             return std::string(param_info.param.name) + "_" +
                                    std::to_string(std::lround(1e3 * param_info.param.held_s)) + "_ms";
                         });

// A runtime that needs 30 ms to locate a hand: frames take long, so hands are located between them too.
TEST(GloveboxVr, LocatingHandsSlowlyDelaysNoCommand) {
    NEEDS_X_SERVER();
    RunOptions options;
    options.environment["DISPLAY"] = tests::x_display();
    options.timeout_s = 120.0;
    const Session run =
        glovebox_vr(lasting_touch() + "eye_size 64 64\nslow xrLocateHandJointsEXT 0.03\n", {"--frames", "30"}, options);
    expect_clean(run);
    EXPECT_GT(run.report["haptic_loop"]["samples_between_frames"].get<int>(), 10) << "nothing was tested";
    const auto& late_us = run.report["headset"]["tick_to_command_us"];
    EXPECT_GT(late_us["count"].get<int>(), 40);
    EXPECT_LT(late_us["p90"].get<double>(), 10e3) << "a third of the time for one hand";
}

TEST(GloveboxVr, ImagesThatCannotBeMadeAreSaidOnceAndNothingIsLeftBehind) {
    NEEDS_X_SERVER();
    RunOptions options;
    options.environment["DISPLAY"] = tests::x_display();
    const Session run = glovebox_vr("eye_size 160 160\nswapchains 3\n", {"--frames", "20"}, options);
    expect_clean(run);
    EXPECT_EQ(run.report["headset"]["frames"], 20);
    EXPECT_EQ(run.report["headset"]["no_picture"], "making the eyes' images: XR_ERROR_OUT_OF_MEMORY");
    EXPECT_EQ(run.ran.count("answered xrCreateSwapchain"), 1) << "not in every frame";
    EXPECT_THAT(run.ran.err, HasSubstr("no picture in the headset: making the eyes' images"));
}

struct Eyes {
    const char* name;
    float canted_deg;
    std::array<std::array<float, 4>, 2> fov_deg;  ///< left, right, up, down
};
void PrintTo(const Eyes& row, std::ostream* out) {
    *out << row.name;
}
class OddEyes : public testing::TestWithParam<Eyes> {};
TEST_P(OddEyes, SeeTheBallWhereItIs) {
    NEEDS_X_SERVER();
    constexpr float kRadians = 0.0174532925F;
    std::string script = "eye_size 480 360\nhand left off\nhand right off\n";
    script += "canted " + std::to_string(GetParam().canted_deg) + "\n";
    for (const std::size_t eye : {0U, 1U}) {
        script += eye == 0 ? "fov left" : "fov right";
        for (const float angle : GetParam().fov_deg[eye]) script += " " + std::to_string(angle);
        script += "\n";
    }
    const Session run = with_pictures(script, "3");
    expect_clean(run);
    for (const std::size_t eye : {0U, 1U}) {
        const EyePicture picture =
            load_eye(run.ran.folder / (eye == 0 ? "eye_left_000003.png" : "eye_right_000003.png"));
        ASSERT_EQ(picture.width, 480);
        double x = 0.0, y = 0.0;
        int count = 0;
        for (int row = 0; row < picture.height; ++row)
            for (int column = 0; column < picture.width; ++column) {
                const auto* p = picture.at(column, row);
                if (p[1] <= p[0] + 20 || p[1] <= p[2] || p[1] <= 60) continue;
                x += column + 0.5;
                y += row + 0.5;
                ++count;
            }
        ASSERT_GT(count, 150);
        // Faces are seen from their front: the table's far side is bright, the inside of its edges is not.
        EXPECT_GT(int{*picture.at(40, 330)}, 200);
        EXPECT_GT(int{*picture.at(440, 330)}, 200);
        // The ball is 0.365 m below the head and 0.42 m ahead of it; the head looks 35 degrees down.
        const float outwards = eye == 0 ? 1.0F : -1.0F;
        const Eigen::Matrix3f head = Eigen::AngleAxisf(-35.0F * kRadians, Eigen::Vector3f::UnitX()).toRotationMatrix();
        const Eigen::Matrix3f eye_in_head =
            Eigen::AngleAxisf(outwards * GetParam().canted_deg * kRadians, Eigen::Vector3f::UnitY()).toRotationMatrix();
        const Eigen::Vector3f from_head = head.transpose() * Eigen::Vector3f(0.0F, -0.365F, -0.42F);
        const Eigen::Vector3f ball = eye_in_head.transpose() * (from_head + outwards * Eigen::Vector3f(0.0315F, 0, 0));
        const auto share = [](float at, float from_deg, float to_deg) {
            const float from = std::tan(from_deg * kRadians), to = std::tan(to_deg * kRadians);
            return (at - from) / (to - from);
        };
        const auto& fov = GetParam().fov_deg[eye];
        // The side in shadow is less teal: up to a sixth of its width of 25 to 35 pixels.
        EXPECT_NEAR(x / count, 480.0 * static_cast<double>(share(-ball.x() / ball.z(), fov[0], fov[1])), 6.0) << eye;
        EXPECT_NEAR(y / count, 360.0 * static_cast<double>(share(-ball.y() / ball.z(), fov[2], fov[3])), 6.0) << eye;
    }
}
INSTANTIATE_TEST_SUITE_P(GloveboxVr, OddEyes,
                         testing::Values(Eyes{"not_alike", 0.0F, {{{-52, 38, 45, -50}, {-38, 52, 42, -53}}}},
                                         Eyes{"canted", 10.0F, {{{-50, 40, 45, -45}, {-40, 50, 45, -45}}}},
                                         Eyes{"mirrored", 0.0F, {{{40, -45, 40, -40}, {-45, 40, -40, 40}}}}),
                         [](const auto& param_info) { return std::string(param_info.param.name); });

// A right hand on its own, beside the ball and always in motion: the panel stays where it is without a left one.
constexpr const char* kOneHand =
    "hand left off\nhand right off\nhand right key 0 0.12 1.2 -0.32\nhand right key 3 0.12 1.22 -0.32\n"
    "eye_size 200 200\nrate 15\n";
constexpr int kWellFrame = 4;      // the last but one before a hand breaks
constexpr int kBrokenFrames = 16;  // all of them; 0.6 s with a broken hand: longer than the longest bridge

struct BrokenHand {
    const char* name;
    const char* script;
    const char* cause;  ///< counter of the guard's; empty: there is nothing to refuse
    bool seen;          ///< at the end
};
void PrintTo(const BrokenHand& row, std::ostream* out) {
    *out << row.name;
}
class BrokenHandPictures : public testing::TestWithParam<BrokenHand> {};
TEST_P(BrokenHandPictures, ShowTheHandOrNoneAndNeverGarbage) {
    NEEDS_X_SERVER();
    RunOptions options;
    options.environment["DISPLAY"] = tests::x_display();
    options.timeout_s = 120.0;
    // One before the fault, two while it is bridged, the last.
    const Session run = glovebox_vr(std::string(kOneHand) + GetParam().script + "eyes {folder} 4 7 9 16\n",
                                    {"--frames", std::to_string(kBrokenFrames)}, options);
    expect_clean(run);
    EXPECT_EQ(run.report["headset"]["frames"], kBrokenFrames);
    if (*GetParam().cause != 0) {
        EXPECT_GT(run.report["quarantine"][GetParam().cause], 0) << run.report["quarantine"].dump();
    }
    const auto skin = [](const unsigned char* p) { return p[0] > 150 && p[0] > p[1] + 15 && p[1] > p[2] && p[2] > 90; };
    constexpr int kFar_px = 24;  // a hand that is somewhere else by right: it goes on moving, or has jumped by 8 cm
    for (const char* side : {"left", "right"}) {
        std::array<int, 4> well{};  // left, right, top, bottom of where the hand was
        for (const int frame : {kWellFrame, 7, 9, kBrokenFrames}) {
            std::array<char, 40> name{};
            std::snprintf(name.data(), name.size(), "eye_%s_%06d.png", side, frame);
            const EyePicture eye = load_eye(run.ran.folder / name.data());
            ASSERT_EQ(eye.width, 200) << name.data();
            std::array<int, 4> box{eye.width, -1, eye.height, -1};
            int count = 0;
            for (int y = 0; y < eye.height; ++y)
                for (int x = 0; x < eye.width; ++x) {
                    if (!skin(eye.at(x, y))) continue;
                    box = {std::min(box[0], x), std::max(box[1], x), std::min(box[2], y), std::max(box[3], y)};
                    ++count;
                }
            if (frame == kWellFrame) {
                ASSERT_GT(count, 100) << name.data() << ": without a hand this would prove nothing";
                well = box;
                continue;
            }
            if (frame == kBrokenFrames) {
                EXPECT_EQ(count > 80, GetParam().seen) << name.data() << ": " << count << " pixels of skin";
            }
            if (count == 0) continue;
            EXPECT_GE(box[0], well[0] - kFar_px) << name.data();
            EXPECT_LE(box[1], well[1] + kFar_px) << name.data();
            EXPECT_GE(box[2], well[2] - kFar_px) << name.data();
            EXPECT_LE(box[3], well[3] + kFar_px) << name.data();
        }
    }
}
INSTANTIATE_TEST_SUITE_P(GloveboxVr, BrokenHandPictures,
                         testing::Values(BrokenHand{"drop", "at 6 drop right\n", "lost", false},
                                         BrokenHand{"drop_and_heal", "at 6 drop right\nat 10 heal right\n", "lost",
                                                    true},
                                         BrokenHand{"nan", "at 6 nan right\n", "non_finite", false},
                                         BrokenHand{"zeros", "at 6 zeros right\n", "lost", false},
                                         BrokenHand{"nonunit", "at 6 nonunit right\n", "non_unit", false},
                                         BrokenHand{"freeze", "at 6 freeze right\n", "frozen", false},
                                         BrokenHand{"invalid", "at 6 invalid right\n", "lost", false},
                                         BrokenHand{"no_radii", "at 6 no_radii right\n", "", true},
                                         BrokenHand{"jump", "at 6 jump right 0.06 0.05 0\n", "", true},
                                         BrokenHand{"noise", "noise 0.003\n", "", true},
                                         BrokenHand{"velocities_off", "velocities off\n", "", true},
                                         BrokenHand{"hand_tracking_off", "hand_tracking off\n", "", true}),
                         [](const auto& param_info) { return std::string(param_info.param.name); });

TEST(GloveboxVr, DrawsWithoutAnXServerWhereTheRuntimeTakesEgl) {
    RunOptions options;
    options.environment["SDL_VIDEODRIVER"] = "offscreen";
    options.timeout_s = 120.0;
    options.validation = false;  // the layer knows no binding but X11's and refuses the session
    const Session run = glovebox_vr("eye_size 320 320\neyes {folder} 4\n", {"--frames", "4"}, options);
    if (run.ran.err.find("no OpenGL") != std::string::npos) GTEST_SKIP() << run.ran.err;
    expect_clean(run);
    EXPECT_EQ(run.ran.count("session made with OpenGL"), 1);
    const auto skin = [](int r, int g, int b) { return r > 150 && r > g + 15 && g > b && b > 90; };
    EXPECT_GT(middle_x(load_eye(run.ran.folder / "eye_left_000004.png"), skin).second, 900);
}

TEST(GloveboxVr, WithoutAnXServerAndWithoutEglItSaysWhatIsMissing) {
    RunOptions options;
    options.environment["SDL_VIDEODRIVER"] = "offscreen";
    options.validation = false;
    const Session run = glovebox_vr("without XR_MNDX_egl_enable\n", {"--frames", "4", "--wait", "1"}, options);
    EXPECT_EQ(run.ran.exit_code, 1);
    EXPECT_THAT(run.ran.err, HasSubstr("XR_ERROR_GRAPHICS_DEVICE_INVALID"));
}

struct SkinCase {
    const char* name;
    const char* script;
    const char* skin;
};
void PrintTo(const SkinCase& row, std::ostream* out) {
    *out << row.name;
}
class HandSkins : public testing::TestWithParam<SkinCase> {};
TEST_P(HandSkins, AreTheRuntimesWhereItHasThem) {
    NEEDS_X_SERVER();
    RunOptions options;
    options.environment["DISPLAY"] = tests::x_display();
    options.timeout_s = 120.0;
    options.script = std::string("noise 0.0002\nhand right still at 0.03 1.16 -0.43\neye_size 400 400\n") +
                     GetParam().script + "eyes {folder} 4\n";
    Session run;
    run.ran = tests::run_with_runtime(
        {GLOVEBOX_PROGRAM, "vr", "--scene", "held-ball", "--frames", "4", "--report", "{folder}/report.json"}, options);
    std::ifstream file(run.ran.folder / "report.json");
    if (file) run.report = nlohmann::json::parse(file);
    expect_clean(run);
    EXPECT_EQ(run.report["headset"]["hand_skin"], GetParam().skin);
    const auto skin = [](int r, int g, int b) { return r > 150 && r > g + 15 && g > b && b > 90; };
    EXPECT_GT(middle_x(load_eye(run.ran.folder / "eye_left_000004.png"), skin).second, 150);
}
INSTANTIATE_TEST_SUITE_P(GloveboxVr, HandSkins,
                         testing::Values(SkinCase{"offered", "", "runtime"},
                                         SkinCase{"refused", "without XR_FB_hand_tracking_mesh\n", "own"}),
                         [](const auto& param_info) { return std::string(param_info.param.name); });

// --- the scene where the person wants it, the room behind it, the person's own hands ---

// The hands of kGrasp, so much further right.
std::string grasp_at(double right_m) {
    const auto at = [right_m](double x) { return std::to_string(x + right_m) + " 1.16 -0.43\n"; };
    return "hand left off\nhand right off\nhand left still at " + at(-0.05) + "hand right still at " + at(0.03);
}

TEST(GloveboxVr, StandsWhereTheOptionSaysAndRemembersIt) {
    const std::vector<std::string> short_run = {"--headless", "--frames", "40"};
    std::vector<std::string> placed = short_run;
    placed.insert(placed.end(), {"--place", "0.3,-0.4,-0.42"});
    const Session elsewhere = glovebox_vr(grasp_at(0.0), placed);
    expect_clean(elsewhere);
    EXPECT_EQ(elsewhere.report["counts"]["true"], 0) << "the ball is not where the hands are";
    const Session there = glovebox_vr(grasp_at(0.3), placed);
    expect_clean(there);
    EXPECT_GT(there.report["counts"]["true"], 40);
    // The next session knows it, and one of someone else does not.
    RunOptions same_person;
    same_person.environment["XDG_CONFIG_HOME"] = there.ran.folder;
    const Session again = glovebox_vr(grasp_at(0.3), short_run, same_person);
    expect_clean(again);
    EXPECT_GT(again.report["counts"]["true"], 40);
    const Session other = glovebox_vr(grasp_at(0.3), short_run);
    expect_clean(other);
    EXPECT_EQ(other.report["counts"]["true"], 0);
}

TEST(GloveboxVr, APlaceInTheRoomStaysThereThroughARecentring) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "place_in_room";
    std::filesystem::create_directories(folder / "glovebox");
    std::ofstream(folder / "glovebox" / "headset.json")
        << R"({"scene": {"space": "stage", "position_m": [0.3, 1.1, -0.42], "quaternion_xyzw": [0, 0, 0, 1]}})";
    RunOptions options;
    options.environment["XDG_CONFIG_HOME"] = folder;
    const std::string recentred = "at 10 recenter 1 0 1 yaw 90\n";
    const Session run = glovebox_vr(grasp_at(0.3) + recentred, {"--headless", "--frames", "90"}, options);
    expect_clean(run);
    EXPECT_GT(run.report["counts"]["true"], 120) << run.ran.err;
    EXPECT_EQ(run.report["headset"]["recentered"], 0) << "what stands in the room is not moved by it";
    std::filesystem::remove_all(folder);
}

TEST(GloveboxVr, RefusesAPlaceThatIsNone) {
    const Session run = glovebox_vr("", {"--headless", "--frames", "1", "--place", "here"});
    EXPECT_EQ(run.ran.exit_code, 2);
    EXPECT_THAT(run.ran.err, HasSubstr("such as 0,-0.4,-0.42"));
}

TEST(GloveboxVr, TakesTheFingersThicknessAndAControllersHandFromTheProfile) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "own_profile";
    std::filesystem::create_directories(folder);
    tracking::UserProfile user;
    tracking::HandProfile large = tracking::scaled_profile(1.25F);
    for (float& radius_m : large.radius_m) radius_m *= 1.3F;
    for (const tracking::Side side : tracking::kSides) user[side].hand = large;
    recordings::save_user_profile(user, folder / "me.json");
    const std::string profile = (folder / "me.json").string();

    const auto deepest_m = [](const Session& run) {
        double deepest = 0.0;
        for (const auto& touch : run.report["touches"]) deepest = std::max(deepest, touch["deepest_m"].get<double>());
        return deepest;
    };
    const std::string without_radii = "at 1 no_radii left\nat 1 no_radii right\n";
    const Session usual = headless(without_radii);
    const Session own = glovebox_vr(without_radii, {"--headless", "--frames", "90", "--profile", profile});
    expect_clean(own);
    EXPECT_GT(deepest_m(own), deepest_m(usual) + 0.002) << "fingers that are thicker";

    const Session bent = glovebox_vr("hand_tracking off\n", {"--headless", "--frames", "30", "--profile", profile,
                                                             "--record", "{folder}/live.glove"});
    expect_clean(bent);
    const recordings::Recording take = recordings::load(bent.ran.folder / "live.glove");
    int seen = 0;
    for (const tracking::HandPair& sample : take.samples) {
        const tracking::HandFrame& hand = sample[tracking::Side::right];
        if (!hand.active) continue;
        const auto length_m = [&hand](tracking::Joint joint) {
            return (hand[joint].position_m - hand[tracking::parent_of(joint)].position_m).norm();
        };
        const auto joint = tracking::Joint::index_intermediate;
        EXPECT_NEAR(length_m(joint), large.length_to_parent_m[static_cast<std::size_t>(joint)], 1e-4F);
        ++seen;
    }
    EXPECT_GT(seen, 5);
    std::filesystem::remove_all(folder);
}

TEST(GloveboxVr, ShowsTheRoomBehindTheSceneWhereTheRuntimeCan) {
    NEEDS_X_SERVER();
    const auto pink = [](int r, int g, int b) { return r > 150 && g < 90 && b > 140; };
    const auto teal = [](int r, int g, int b) { return g > r + 20 && g > b && g > 60; };
    const auto seen = [&](const char* modes, const std::vector<std::string>& wish, bool expected) {
        RunOptions options;
        options.environment["DISPLAY"] = tests::x_display();
        options.timeout_s = 120.0;
        std::vector<std::string> arguments = {"--frames", "3"};
        arguments.insert(arguments.end(), wish.begin(), wish.end());
        const Session run = glovebox_vr(
            "eyes {folder} 3\neye_size 320 320\nhand left off\nhand right off\nblend " + std::string(modes) + "\n",
            arguments, options);
        expect_clean(run);
        EXPECT_EQ(run.report["headset"]["sees_through"], expected) << modes;
        const bool is_said = run.report["recording"]["notes"].dump().find("no passthrough") != std::string::npos;
        EXPECT_EQ(is_said, !wish.empty() && !expected) << modes;
        const EyePicture eye = load_eye(run.ran.folder / "eye_left_000003.png");
        EXPECT_GT(middle_x(eye, teal).second, 100) << modes << ": the ball is there all the same";
        return middle_x(eye, pink).second;
    };
    EXPECT_GT(seen("opaque alpha_blend", {"--passthrough"}, true), 320 * 320 / 4);
    EXPECT_EQ(seen("opaque alpha_blend", {}, false), 0) << "not asked for";
    EXPECT_EQ(seen("opaque", {"--passthrough"}, false), 0) << "the display has no such mode";
}

// The period that the runtime states is stretched, as in Monado; the display's is not.
TEST(GloveboxVr, CountsTheDisplayTimesThatASlowPictureMisses) {
    NEEDS_X_SERVER();
    RunOptions options;
    options.environment["DISPLAY"] = tests::x_display();
    options.timeout_s = 120.0;
    const Session run =
        glovebox_vr("eye_size 320 320\nstretch on\nslow xrEndFrame 0.1\nwithout XR_FB_display_refresh_rate\n",
                    {"--frames", "20"}, options);
    expect_clean(run);
    const std::string& said = run.ran.log;
    const double missed = std::stod(said.substr(said.find(" missed ", said.find("summary frames")) + 8));
    EXPECT_GT(missed, 20 * 8);
    EXPECT_NEAR(run.report["headset"]["frames_missed"].get<double>(), missed, 0.2 * missed);
    EXPECT_NEAR(run.report["headset"]["refresh_hz"].get<double>(), 90.0, 1.0);
}

// An object that a hand is about to touch is lighter.
TEST(GloveboxVr, HighlightsWhatAHandIsAboutToTouch) {
    NEEDS_X_SERVER();
    const auto lightness = [](const char* height) {
        const Session run = with_pictures("eye_size 320 320\nhand left off\nhand right off\nhand right still at 0.03 " +
                                              std::string(height) + " -0.43\n",
                                          "8");
        expect_clean(run);
        const EyePicture eye = load_eye(run.ran.folder / "eye_left_000008.png");
        double sum = 0.0;
        int count = 0;
        for (int i = 0; i < eye.width * eye.height; ++i) {
            const unsigned char* p = eye.at(i % eye.width, i / eye.width);
            if (!(p[1] > p[0] + 12 && p[1] > p[2] && p[1] > 60)) continue;
            sum += p[0];  // of teal, red is what white adds most to
            ++count;
        }
        EXPECT_GT(count, 80);
        return sum / std::max(1, count);
    };
    const double far = lightness("1.30"), near = lightness("1.215");
    EXPECT_GT(near, far + 20.0);
}

// When, and how far before the panel; negative: behind it.
using Gaps = std::vector<std::pair<double, float>>;
const Gaps kPoke = {{0.0, 0.08F}, {1.2, -0.006F}, {2.0, -0.006F}, {3.0, 0.08F}, {4.0, 0.08F}};
// Late enough for pictures of what was before, and not again.
const Gaps kPokeOnce = {{0.0, 0.08F}, {2.0, 0.08F}, {2.8, -0.006F}, {3.4, -0.006F}, {4.0, 0.08F}, {600.0, 0.08F}};

// A fingertip on the normal of a point of the panel; as a rule it comes to it, rests 6 mm deep, and leaves again, in a
// loop of 4 s. The panel is where it is without a left hand, the head at (0, 1.5, 0) of the stage.
std::string poke(double x_share, double y_share, const Gaps& gaps = kPoke) {
    const Eigen::Vector3f head(0.0F, 1.5F, 0.0F), center = head + Eigen::Vector3f(-0.34F, -0.16F, -0.52F);
    const Eigen::Vector3f z = (head - center).normalized(), x = Eigen::Vector3f::UnitY().cross(z).normalized();
    const Eigen::Vector3f y = z.cross(x);
    constexpr float kHeight_m = 0.32F, kWidth_m = kHeight_m * 372.0F / 692.0F;
    const Eigen::Vector3f target = center + (static_cast<float>(x_share) - 0.5F) * kWidth_m * x +
                                   (0.5F - static_cast<float>(y_share)) * kHeight_m * y;
    const float yaw = std::atan2(z.x(), z.z()), pitch = -std::asin(z.y());
    tests::runtime::HandKey key;
    key.curl = key.thumb_curl = 0.0F;
    key.stage_from_wrist = tests::runtime::operator*(XrPosef{tests::runtime::turn({0, 1, 0}, yaw), {0, 0, 0}},
                                                     XrPosef{tests::runtime::turn({1, 0, 0}, pitch), {0, 0, 0}});
    tests::runtime::HandMotion motion;
    motion.keys = {key};
    const tests::runtime::JointSample tip = tests::runtime::sample(motion, true, 0.0)[XR_HAND_JOINT_INDEX_TIP_EXT];
    const XrVector3f& at = tip.stage_from_joint.position;
    std::string script = "hand left off\nhand right off\n";
    for (const auto& [time_s, gap_m] : gaps) {
        const Eigen::Vector3f wrist = target + (gap_m + tip.radius_m) * z - Eigen::Vector3f(at.x, at.y, at.z);
        std::array<char, 200> line{};
        std::snprintf(line.data(), line.size(), "hand right key %.2f %.5f %.5f %.5f yaw %.4f pitch %.4f curl 0\n",
                      time_s, static_cast<double>(wrist.x()), static_cast<double>(wrist.y()),
                      static_cast<double>(wrist.z()), static_cast<double>(yaw) * 57.29578,
                      static_cast<double>(pitch) * 57.29578);
        script += line.data();
    }
    return script;
}

TEST(GloveboxVr, AFingertipPressesThePanelAndTheMethodSwitches) {
    NEEDS_X_SERVER();
    const Session run = with_pictures("rate 15\neye_size 160 160\n" + poke(180.0 / 372.0, 81.0 / 692.0), "40");
    expect_clean(run);
    EXPECT_NE(run.report["method"], "cab") << "the third method of the row was pressed";
    const Session beside = with_pictures("rate 15\neye_size 160 160\n" + poke(180.0 / 372.0, 30.0 / 692.0), "30");
    EXPECT_EQ(beside.report["method"], "cab") << "beside the buttons nothing is pressed";
}

struct Replayed {
    ProgramResult ran;
    nlohmann::json report;
};
Replayed replay_of(const Session& live, const std::string& more = "") {
    Replayed again;
    again.ran = run_program("replay live.glove --headless --report again.json " + more, live.ran.folder);
    std::ifstream file(live.ran.folder / "again.json");
    if (file) again.report = nlohmann::json::parse(file);
    return again;
}

// The large buttons below the methods, in two rows of three, of a runtime that shows no room.
struct Button {
    double x, y;
};
constexpr double kFirstRow = 178.0 / 692.0, kSecondRow = 228.0 / 692.0;
constexpr Button kPlaceButton = {70.0 / 372.0, kFirstRow}, kNextButton = {186.0 / 372.0, kFirstRow},
                 kPauseButton = {301.0 / 372.0, kFirstRow}, kBoxesButton = {70.0 / 372.0, kSecondRow},
                 kHideButton = {186.0 / 372.0, kSecondRow};
std::string poke(const Button& button, const Gaps& gaps = kPokeOnce) {
    return poke(button.x, button.y, gaps);
}

Session until_closed(const std::string& script, std::vector<std::string> arguments) {
    RunOptions options;
    options.environment["DISPLAY"] = tests::x_display();
    options.timeout_s = 120.0;
    return glovebox_vr("rate 15\neye_size 160 160\n" + script, std::move(arguments), options);
}

TEST(GloveboxVr, PutsTheSceneWhereAHandPinchesAndTheLogReplays) {
    NEEDS_X_SERVER();
    // The button, then an open hand, then a pinch at the same place; the loop begins again after that.
    const Gaps gaps = {{0.0, 0.08F}, {1.2, -0.006F}, {2.0, -0.006F}, {2.8, 0.08F}};
    const Session run = until_closed("eye_size 64 64\n" + poke(kPlaceButton, gaps) +
                                         "hand right key 3.6 0.1 1 -0.3 curl 0 thumb 0\n"
                                         "hand right key 4.4 0.1 1 -0.3 curl 0 thumb 0\n"
                                         "hand right key 5.4 0.1 1 -0.3 curl 0.6 thumb 0.75\n"
                                         "hand right key 600 0.1 1 -0.3 curl 0.6 thumb 0.75\n"
                                         "at 105 exiting\n",
                                     {"--record", "{folder}/live.glove"});
    expect_clean(run);
    std::ifstream file(run.ran.folder / "glovebox" / "headset.json");
    ASSERT_TRUE(file) << "the place is remembered: " << run.ran.err;
    const auto scene = nlohmann::json::parse(file)["scene"];
    EXPECT_EQ(scene["space"], "stage");
    tests::runtime::HandKey key;
    key.stage_from_wrist = {{0, 0, 0, 1}, {0.1F, 1.0F, -0.3F}};
    key.curl = 0.6F;
    key.thumb_curl = 0.75F;
    tests::runtime::HandMotion motion;
    motion.keys = {key};
    const auto hand = tests::runtime::sample(motion, true, 0.0);
    const XrVector3f thumb = hand[XR_HAND_JOINT_THUMB_TIP_EXT].stage_from_joint.position;
    const XrVector3f index = hand[XR_HAND_JOINT_INDEX_TIP_EXT].stage_from_joint.position;
    // The pinch closes on its way to the last key, a centimetre or so before it.
    EXPECT_NEAR(scene["position_m"][0].get<double>(), 0.5 * (thumb.x + index.x), 0.015);
    EXPECT_NEAR(scene["position_m"][1].get<double>(), 0.5 * (thumb.y + index.y), 0.015);
    EXPECT_NEAR(scene["position_m"][2].get<double>(), 0.5 * (thumb.z + index.z), 0.015);
    EXPECT_NEAR(std::abs(scene["quaternion_xyzw"][3].get<double>()), 1.0, 1e-3) << "as the head looks: ahead";
    const Replayed again = replay_of(run, "--fail-if \"recorded.different>0\"");
    EXPECT_EQ(again.ran.exit_code, 0) << again.ran.out << again.ran.error;
    EXPECT_GT(again.report["recorded"]["compared"], 5);
}

TEST(GloveboxVr, APressOnThePanelChangesTheSceneInTheSameLink) {
    NEEDS_X_SERVER();
    const auto teal = [](int r, int g, int b) { return g > r + 20 && g > b && g > 60; };
    const Session run = until_closed("eyes {folder} every 5\n" + poke(kNextButton) + "at 75 exiting\n", {});
    expect_clean(run);
    EXPECT_EQ(run.ran.count("session made with OpenGL"), 1) << "the link has stayed";
    EXPECT_EQ(run.report["scene"], "held-ball") << "the report is of the scene that the session began with";
    std::vector<std::filesystem::path> pictures;
    for (const auto& entry : std::filesystem::directory_iterator(run.ran.folder))
        if (entry.path().filename().string().starts_with("eye_left")) pictures.push_back(entry.path());
    std::sort(pictures.begin(), pictures.end());
    ASSERT_GT(pictures.size(), 2U);
    EXPECT_GT(middle_x(load_eye(pictures.front()), teal).second, 10) << "the ball";
    EXPECT_LT(middle_x(load_eye(pictures.back()), teal).second, 4) << "an empty table: " << pictures.back();
    EXPECT_THAT(run.ran.out, HasSubstr("empty-table"));
}

// One press each, though the finger rests in the panel for most of a second.
TEST(GloveboxVr, AFingertipPausesHidesTheBoxesAndHidesThePanel) {
    NEEDS_X_SERVER();
    const auto presses = [](const Session& run) {
        return run.report["headset"].value("panel_presses", nlohmann::json::object());
    };
    const auto with = [](const Button& button) {
        return with_pictures("eyes {folder} 3\nrate 15\neye_size 320 320\n" + poke(button), "60");
    };
    const auto at = [](const Session& run, int frame) {
        std::array<char, 40> name{};
        std::snprintf(name.data(), name.size(), "eye_left_%06d.png", frame);
        return load_eye(run.ran.folder / name.data());
    };
    const Session paused = with(kPauseButton);
    expect_clean(paused);
    EXPECT_EQ(presses(paused), (nlohmann::json{{"pause", 1}}));
    EXPECT_LT(paused.report["frames"].get<int>(), 50) << "the world stands still from then on";
    EXPECT_GT(paused.report["frames"].get<int>(), 5);

    const Session boxes = with(kBoxesButton);
    expect_clean(boxes);
    EXPECT_EQ(presses(boxes), (nlohmann::json{{"boxes", 1}}));
    // The lines of the ball's box, bluish grey; the panel is left of them.
    const auto lines = [&](int frame) {
        const EyePicture eye = at(boxes, frame);
        int count = 0;
        for (int y = 0; y < eye.height; ++y)
            for (int x = eye.width / 2 - 20; x < eye.width; ++x) {
                const unsigned char* p = eye.at(x, y);
                count += p[0] < 200 && p[2] > p[0] + 8 && p[2] > p[1] + 3 ? 1 : 0;
            }
        return count;
    };
    EXPECT_GT(lines(3), 40);
    EXPECT_LT(lines(60), 10);

    const Session hidden = with(kHideButton);
    expect_clean(hidden);
    EXPECT_EQ(presses(hidden), (nlohmann::json{{"panel", 1}}));
    const auto card = [](int r, int g, int b) { return r >= 250 && g >= 250 && b >= 250; };
    const int shown = middle_x(at(hidden, 3), card).second;
    EXPECT_GT(shown, 3000);
    EXPECT_LT(middle_x(at(hidden, 60), card).second, shown / 5);
}

TEST(GloveboxVr, AFastFingertipPressesAndOneFromBehindDoesNot) {
    NEEDS_X_SERVER();
    const auto presses = [](const Gaps& gaps) {
        const Session run = with_pictures("rate 15\neye_size 64 64\n" + poke(kPauseButton, gaps), "45");
        expect_clean(run);
        return run.report["headset"].value("panel_presses", nlohmann::json::object()).value("pause", 0);
    };
    EXPECT_EQ(presses({{0.0, 0.10F}, {2.0, 0.10F}, {2.03, -0.10F}, {600.0, -0.10F}}), 1) << "20 cm in half of a frame";
    EXPECT_EQ(presses({{0.0, -0.10F}, {1.5, 0.003F}, {1.7, -0.003F}, {2.5, 0.10F}, {600.0, 0.10F}}), 0);
}

TEST(GloveboxVr, TheMouseInTheMirrorPressesThePanelToo) {
    NEEDS_X_SERVER();
    if (std::system("command -v xdotool >/dev/null") != 0) GTEST_SKIP() << "xdotool is not installed";
    RunOptions options;
    options.environment["DISPLAY"] = tests::x_display();
    options.timeout_s = 120.0;
    int looks = 0;
    // Once pictures are drawn; the mirror fills the screen, the panel its right.
    options.meanwhile = [&looks](const std::filesystem::path& folder) {
        if (text_of_file(folder / "log.txt").find("state FOCUSED") == std::string::npos || ++looks < 200) return false;
        const std::string command = "DISPLAY=" + tests::x_display() + " xdotool mousemove 1080 84 click 1";
        return std::system(command.c_str()) == 0;
    };
    const Session run = glovebox_vr("rate 15\neye_size 160 160\n", {"--frames", "60"}, options);
    expect_clean(run);
    EXPECT_NE(run.report["method"], "cab");
}

TEST(GloveboxVr, TellsWhatTheRuntimeHasToSay) {
    const Session run = headless("at 20 message battery_low\n");
    expect_clean(run);
    EXPECT_THAT(run.ran.err, HasSubstr("OpenXR warning in xrWaitFrame: battery_low"));
    EXPECT_GE(run.report["headset"]["messages"], 1) << "the loader may have something to say, too";
    const Session silent = headless("without XR_EXT_debug_utils\nat 20 message battery_low\n");
    expect_clean(silent);
    EXPECT_THAT(silent.ran.err, Not(HasSubstr("battery_low")));
}

TEST(GloveboxVr, AsksTheDisplayForTheRateThatIsNearest) {
    const Session run = glovebox_vr("rates 72 90 120\n", {"--headless", "--frames", "40", "--rate", "70"});
    expect_clean(run);
    EXPECT_EQ(run.report["headset"]["refresh_hz"], 72.0);
    EXPECT_EQ(run.ran.count("display rate 72"), 1);
    const Session without = glovebox_vr(
        "headless_frames allow\nwithout XR_KHR_convert_timespec_time\n"
        "without XR_FB_display_refresh_rate\nrates 72 90 120\n",
        {"--headless", "--frames", "40", "--rate", "70"});
    expect_clean(without);
    EXPECT_EQ(without.report["headset"]["refresh_hz"], 90.0) << "taken from the frames";
}

TEST(GloveboxVr, WithoutTimeConversionItRunsAndSaysWhatItLacks) {
    const Session run = headless("headless_frames allow\nwithout XR_KHR_convert_timespec_time\n");
    expect_clean(run);
    EXPECT_THAT(run.report["recording"]["notes"].dump(), HasSubstr("pose ages are measured from arrival"));
    EXPECT_GT(run.report["counts"]["true"], 90);
}

// --- a glove on a port ---

TEST(GloveboxVr, KilledItHoldsNoFingerOfAGloveOnAPort) {
    tracking::ByteStream glove = tracking::ByteStream::make_pty();
    tracking::LineAssembler lines;
    int held = 0;
    tracking::FingerForces last{};
    const auto listen = [&] {
        std::array<char, 512> buffer{};
        for (std::string_view bytes; !(bytes = glove.read(buffer.data(), buffer.size(), 0)).empty();)
            lines.add(bytes, [&](std::string_view line) {
                last = tracking::decode_opengloves_forces(line).value_or(last);
                held += last != tracking::FingerForces{} ? 1 : 0;
            });
        return false;
    };
    RunOptions options;
    options.validation = false;
    options.kill_after_s = 2.0;
    options.meanwhile = [&listen](const std::filesystem::path&) { return listen(); };
    const Session run =
        glovebox_vr(kTaps, {"--headless", "--haptics", "opengloves", "--haptics-port", glove.name()}, options);
    EXPECT_EQ(run.ran.signal, 9);
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    listen();
    EXPECT_GT(held, 3) << "the ball was felt";
    EXPECT_EQ(last, tracking::FingerForces{}) << "the keeper has let go";
}

// Fingers from a glove at a pty, the wrist from the headset; the other hand is the headset's own. When the glove falls
// silent its hand is lost, and the session goes on.
TEST(GloveboxVr, TakesTheFingersFromAGloveAndTheWristFromTheHeadset) {
    tracking::ByteStream glove = tracking::ByteStream::make_pty();
    RunOptions options;
    options.validation = false;
    int packets = 0;
    options.meanwhile = [&](const std::filesystem::path&) {
        if (!glove.other_side_open() || packets >= 60) return false;
        packets += glove.write("A500B500C500D500E500\n", 0) ? 1 : 0;
        return false;
    };
    const Session run = glovebox_vr("",
                                    {"--headless", "--frames", "180", "--glove", glove.name(), "--glove-hand", "right",
                                     "--record", "{folder}/live.glove"},
                                    options);
    expect_clean(run);
    EXPECT_EQ(run.report["source"]["kind"], "glove+headset");
    EXPECT_EQ(run.report["source"]["packets"], packets);
    EXPECT_GT(packets, 20);
    EXPECT_GT(run.report["headset"]["hands"]["glove"], 20) << "the right hand while the glove speaks";
    EXPECT_GT(run.report["headset"]["hands"]["live"], 150) << "the left hand all the time";
    EXPECT_EQ(run.report["source"]["silences"], 1);
    EXPECT_EQ(run.report["source"]["wrist_lost"], 0);
    const ProgramResult again = run_program("replay live.glove --headless", run.ran.folder);
    EXPECT_EQ(again.exit_code, 0) << again.error;
    EXPECT_THAT(again.out, HasSubstr("recorded state hashes: the same in all 180 frames"));
}

// --- recorded, then replayed ---

// A recording as the test runtime plays it: a time, then 26 joints as x y z qw qx qy qz.
void write_for_runtime(const recordings::Recording& take, tracking::Side side, const std::filesystem::path& path) {
    std::ofstream file(path);
    file.precision(9);
    for (const tracking::HandPair& sample : take.samples) {
        file << sample.time_ns - take.samples.front().time_ns;
        for (const tracking::JointPose& joint : sample[side].joints) {
            const auto& [p, q] = std::tie(joint.position_m, joint.orientation);
            file << ',' << p.x() << ',' << p.y() << ',' << p.z() << ',' << q.w() << ',' << q.x() << ',' << q.y() << ','
                 << q.z();
        }
        file << '\n';
    }
}

// {finger, object}, and when each began to touch after the first of them.
std::map<std::pair<std::string, std::string>, double> first_touches(const nlohmann::json& report) {
    std::map<std::pair<std::string, std::string>, double> first;
    double begin_s = std::numeric_limits<double>::infinity();
    for (const auto& event : report["events"]) {
        if (event["kind"] != "touch_begin") continue;
        const std::string bone = event["bone"];
        const double time_s = event["time_s"];
        begin_s = std::min(begin_s, time_s);
        first.try_emplace({bone.substr(0, bone.find(' ')), event["object"]}, time_s);
    }
    for (auto& [pair, time_s] : first) time_s -= begin_s;
    return first;
}

// A hand that closes round the ball is recorded through a headset. The recording, replayed as a file, and played by the
// runtime to another session touch the same.
TEST(GloveboxVr, TouchesWhatReplayingTheFileTouches) {
    const std::string close =
        "hand left off\nhand right off\n"
        "hand right key 0 0.065 1.3 -0.24 yaw 12 pitch -12 curl 0.1 thumb 0.1\n"
        "hand right key 0.4 0.065 1.3 -0.24 yaw 12 pitch -12 curl 0.1 thumb 0.1\n"
        "hand right key 1.2 0.065 1.19 -0.29 yaw 12 pitch -12 curl 0.1 thumb 0.1\n"
        "hand right key 2.0 0.065 1.19 -0.29 yaw 12 pitch -12 curl 0.6 thumb 0.5\n"
        "hand right key 30 0.065 1.19 -0.29 yaw 12 pitch -12 curl 0.6 thumb 0.5\n";
    const Session first = glovebox_vr(close, {"--headless", "--frames", "200", "--record", "{folder}/live.glove"});
    expect_clean(first);
    const auto file = first_touches(replay_of(first, "").report);
    ASSERT_GE(file.size(), 3U) << "fingers that touch the ball, one after the other";

    const recordings::Recording take = recordings::load(first.ran.folder / "live.glove");
    const std::filesystem::path csv = first.ran.folder / "take.csv";
    write_for_runtime(take, tracking::Side::right, csv);
    const Session again = glovebox_vr("noise 0\nhand left off\nhand right csv " + csv.string() + " at 0 1.5 0\n",
                                      {"--headless", "--frames", std::to_string(take.samples.size())});
    expect_clean(again);
    const auto headset = first_touches(again.report);
    EXPECT_EQ(headset.size(), file.size());
    for (const auto& [pair, time_s] : file) {
        ASSERT_TRUE(headset.contains(pair)) << pair.first << " on " << pair.second;
        EXPECT_NEAR(headset.at(pair), time_s, 2.0 / 90.0) << pair.first << " on " << pair.second;
    }
}

class Recorded : public testing::TestWithParam<Case> {};
TEST_P(Recorded, ReplaysToTheSameHashInEveryFrame) {
    const Session live =
        glovebox_vr(GetParam().script, {"--headless", "--frames", "120", "--record", "{folder}/live.glove"});
    expect_clean(live);
    EXPECT_THAT(live.ran.out, HasSubstr("recorded "));
    EXPECT_EQ(live.report["headset"][GetParam().key], GetParam().value);
    const Replayed again = replay_of(live, "--fail-if \"recorded.different>0\"");
    ASSERT_EQ(again.ran.exit_code, 0) << again.ran.out << again.ran.error;
    EXPECT_EQ(again.report["scene"], "held-ball") << "the log says which scene";
    EXPECT_EQ(again.report["frames"], live.report["frames"]);
    EXPECT_EQ(again.report["recorded"]["compared"], live.report["frames"]);
    EXPECT_EQ(again.report["recorded"]["different"], 0);
    EXPECT_EQ(again.report["state_hash"], live.report["state_hash"]);
    EXPECT_EQ(again.report["counts"]["true"], live.report["counts"]["true"]);
    const bool moves = std::string(GetParam().name) != "controllers";  // those stand still and count as frozen
    EXPECT_GT(again.report["counts"]["true"], moves ? 60 : -1) << "a recording that touches nothing proves nothing";
    EXPECT_THAT(again.ran.out, HasSubstr("recorded state hashes: the same in all"));
}
INSTANTIATE_TEST_SUITE_P(
    GloveboxVr, Recorded,
    testing::Values(Case{"a_quiet_session", "", "attached", 1},
                    Case{"hands_lost_nan_and_jumps",
                         "at 20 drop right\nat 40 heal right\nat 50 nan left\nat 60 heal left\nat 70 jump right 0.3 0 "
                         "0\nat 90 jump right 0 0 0\nat 95 nonunit left\nat 100 freeze right\n",
                         "attached", 1},
                    Case{"a_session_lost", "at 30 session_lost 0.2\n", "sessions_lost", 1},
                    Case{"recentred", "at 30 recenter 0.02 0.01 0 yaw 8\n", "recentered", 1},
                    Case{"a_runtime_that_dies", "at 30 instance_lost 0.3\nat 70 visible\nat 90 focused\n",
                         "instances_lost", 1},
                    Case{"controllers", "hand_tracking off\nat 20 squeeze right 1\n", "attached", 1}),
    [](const auto& param_info) { return std::string(param_info.param.name); });

TEST(RecordedSession, AReplaysOwnLogIsTheSameAgainByDiff) {
    const TestFolder folder("record_diff");
    const ProgramResult first =
        run_program("replay grasp --headless --haptics null --record a.glove --report r.json", folder.path);
    ASSERT_EQ(first.exit_code, 0) << first.error;
    ASSERT_EQ(run_program("replay a.glove --headless --record b.glove", folder.path).exit_code, 0);
    const ProgramResult same = run_program("diff a.glove b.glove", folder.path);
    EXPECT_EQ(same.exit_code, 0) << same.out;
    // The same hands in another scene: every sample is the same, what was made of them is not.
    ASSERT_EQ(run_program("replay a.glove --scene empty-table --headless --record c.glove", folder.path).exit_code, 0);
    const ProgramResult other = run_program("diff a.glove c.glove", folder.path);
    EXPECT_EQ(other.exit_code, 3);
    EXPECT_THAT(other.out, HasSubstr("state hashes"));
    const ProgramResult told = run_program("replay a.glove --scene empty-table --headless", folder.path);
    EXPECT_THAT(told.out, HasSubstr("Recorded in another scene"));
}

TEST(RecordedSession, HoldsWhatTheSessionFelt) {
    const Session live = glovebox_vr(kTaps, {"--headless", "--frames", "90", "--record", "{folder}/live.glove"});
    expect_clean(live);
    const recordings::Recording recording = recordings::load(live.ran.folder / "live.glove");
    EXPECT_EQ(recording.samples.size(), live.report["frames"].get<std::size_t>());
    EXPECT_EQ(recording.state_hashes.size(), recording.samples.size());
    EXPECT_EQ(recording.meta.at("scene"), "held-ball");
    EXPECT_THAT(recording.meta.at("device"), HasSubstr("Hand test runtime"));
    int live_hands = 0;
    for (const tracking::HandPair& sample : recording.samples)
        for (const tracking::HandFrame& hand : sample.hands)
            live_hands += hand.active && hand.source == tracking::Source::live ? 1 : 0;
    EXPECT_GT(live_hands, 150);
    const recordings::LogReader reader(live.ran.folder / "live.glove");
    EXPECT_GT(reader.forces().size(), 90U) << "haptic commands";
    recordings::Database tables(live.ran.folder / "live.glove", recordings::OpenMode::read);
    EXPECT_GT(tables.number("SELECT count(*) FROM contact"), 90);
    EXPECT_GT(tables.number("SELECT count(*) FROM event"), 1);
    EXPECT_EQ(tables.number("SELECT count(*) FROM frame"), reader.sample_count());
}

// The force loop runs before the first frame, and what it says then has no time in the session.
TEST(RecordedSession, HoldsNoForceFromBeforeItsBeginning) {
    const Session live = glovebox_vr(std::string(kTaps) + "at 1 stall 0.3\n",
                                     {"--headless", "--frames", "60", "--record", "{folder}/live.glove"});
    expect_clean(live);
    const recordings::LogReader reader(live.ran.folder / "live.glove");
    sqlite3* log = nullptr;
    ASSERT_EQ(sqlite3_open((live.ran.folder / "live.glove").c_str(), &log), SQLITE_OK);
    std::vector<std::int64_t> times_ns;
    const auto keep = [](void* kept, int, char** columns, char**) {
        static_cast<std::vector<std::int64_t>*>(kept)->push_back(std::stoll(columns[0]));
        return 0;
    };
    sqlite3_exec(log, "SELECT time_ns FROM force", keep, &times_ns, nullptr);
    sqlite3_close(log);
    EXPECT_GT(times_ns.size(), 20U);
    EXPECT_THAT(times_ns,
                testing::Each(testing::AllOf(testing::Ge(0), testing::Le(reader.duration_ns() + 200'000'000))));
}

// What a runtime's log says that each hand was told, by side.
std::array<std::vector<std::string>, 2> haptics_told(const std::string& log) {
    std::array<std::vector<std::string>, 2> told;
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string time, what, kind, hand, rest, word;
        if (!(words >> time >> what >> kind >> hand) || what != "haptic") continue;
        if (kind == "apply") words >> word >> rest;                // "amplitude 0.500 ..."
        if (kind == "curl") std::getline(words >> std::ws, rest);  // "0.000 0.700 ..."
        if (kind == "stop") rest = "0.000";
        told[hand == "right" ? 1 : 0].push_back((kind == "curl" ? "force-feedback " : "controller ") + rest);
    }
    return told;
}

// What the runtime says that it was told is what the log says, call by call.
TEST(RecordedSession, HoldsEveryVibrationAndEveryForceThatTheHeadsetWasTold) {
    const auto run = [] {
        return glovebox_vr(std::string(kTaps) + "at 40 drop left\nat 60 heal left\n",
                           {"--headless", "--frames", "90", "--record", "{folder}/live.glove"});
    };
    Session live = run();
    // Where frames come too late the force loop's watchdog silences all: a machine that is busy gets two more chances.
    const auto little = [&live] {
        const auto told = haptics_told(live.ran.log);
        return told[0].size() <= 20 || told[1].size() <= 20;
    };
    for (int again = 0; again < 2 && little(); ++again) live = run();
    expect_clean(live);
    const std::array<std::vector<std::string>, 2> told = haptics_told(live.ran.log);
    std::array<std::vector<std::string>, 2> kept;
    const recordings::LogReader reader(live.ran.folder / "live.glove");
    for (const recordings::HapticRecord& record : reader.haptics()) {
        std::string text = record.output.data();
        const auto add = [&text](float value) {
            std::array<char, 16> number{};
            std::snprintf(number.data(), number.size(), " %.3f", static_cast<double>(value));
            text += number.data();
        };
        if (record.vibration) add(*record.vibration);
        if (record.force)
            for (const float force : *record.force) add(force);
        kept[static_cast<std::size_t>(record.side)].push_back(text);
        EXPECT_GE(record.time_ns, 0);
        EXPECT_LE(record.time_ns, reader.duration_ns() + 200'000'000);
    }
    for (const std::size_t side : {0U, 1U}) {
        EXPECT_GT(told[side].size(), 20U) << "little was felt";
        EXPECT_THAT(told[side], testing::Contains(testing::StartsWith("controller 0.")));
        EXPECT_EQ(kept[side], told[side]);
    }
}

TEST(RecordedSession, ASessionWhoseLogIsTakenAwayGoesOnAndSaysSo) {
    RunOptions options;
    options.meanwhile = [](const std::filesystem::path& folder) {
        return std::filesystem::remove(folder / "live.glove");
    };
    const Session live = glovebox_vr("", {"--headless", "--frames", "120", "--record", "{folder}/live.glove"}, options);
    EXPECT_EQ(live.ran.exit_code, 1) << "at the end it cannot say that all was kept";
    EXPECT_EQ(live.report["headset"]["frames"], 120);
    EXPECT_THAT(live.ran.err, HasSubstr("recording stopped: the file was removed"));
    expect_released(live.ran);
}

TEST(RecordedSession, IntoAFolderThatIsNotThereIsOneLine) {
    RunOptions options;
    options.validation = false;
    const Session live = glovebox_vr("", {"--headless", "--record", "/nowhere/at/all.glove"}, options);
    EXPECT_EQ(live.ran.exit_code, 1);
    EXPECT_THAT(live.ran.err, HasSubstr("/nowhere/at/all.glove: cannot be written"));
}

// --- the keys of the mirror ---

// Slow enough for a machine that draws six pictures a second: a touch is felt only if it was seen to begin.
std::string slow_taps() {
    std::string script = "hand left off\nhand right off\n";
    for (const auto& [side, x, yaw] : {std::tuple{"left", "-0.085", "-12"}, {"right", "0.065", "12"}})
        for (const auto& [time, y] : {std::pair{"0", "1.27"}, {"0.6", "1.21"}, {"1.6", "1.21"}, {"2.2", "1.27"}})
            script += std::string("hand ") + side + " key " + time + " " + x + " " + y + " -0.27 yaw " + yaw +
                      " pitch -12 curl 0.25 thumb 0.2\n";
    return script;
}

TEST(GloveboxVr, SpaceInTheMirrorPausesWithAStopAndGoesOnAndQEnds) {
    NEEDS_X_SERVER();
    if (std::system("command -v xdotool >/dev/null") != 0) GTEST_SKIP() << "xdotool is not installed";
    using Clock = std::chrono::steady_clock;
    const auto press = [](const std::string& key) {
        // Without a window manager no one gives the keys to the window.
        const std::string tool = "DISPLAY=" + tests::x_display() + " timeout 20 xdotool ";
        const std::string command =
            tool + "search --onlyvisible --name Glovebox windowfocus --sync key " + key + " >/dev/null 2>&1";
        return std::system(command.c_str()) == 0;
    };
    const auto count_of = [](const std::string& text, const std::string& what) {
        int count = 0;
        for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size()) ++count;
        return count;
    };
    // The pause counts once no force came for longer than between two taps, as a busy machine sees the key late.
    constexpr std::chrono::milliseconds kQuiet{2500}, kPatience{80'000};
    enum class Step { feel, pause, again, ended };
    Step step = Step::feel;
    Clock::time_point since = Clock::now(), quiet_since;
    bool too_slow = false;
    std::size_t last_force = 0, resumed_at = 0;
    RunOptions options;
    options.environment["DISPLAY"] = tests::x_display();
    options.timeout_s = 300.0;
    options.meanwhile = [&](const std::filesystem::path& folder) {
        const std::string log = text_of_file(folder / "log.txt");
        const Clock::time_point now = Clock::now();
        // Where a picture takes longer than the force loop waits for one (100 ms), nothing is ever felt.
        if (now - since > kPatience) {
            too_slow = press("q");
            return too_slow;
        }
        const auto advance_to = [&](Step next) {
            since = now;
            step = next;
        };
        if (step == Step::feel && count_of(log, "haptic apply left") >= 2 && count_of(log, "haptic apply right") >= 2) {
            if (press("space")) advance_to(Step::pause);
        } else if (step == Step::pause && log.rfind("haptic apply") != last_force) {
            last_force = log.rfind("haptic apply");
            quiet_since = now;
        } else if (step == Step::pause && now - quiet_since > kQuiet) {
            resumed_at = log.size();
            if (press("space")) advance_to(Step::again);
        } else if (step == Step::again && count_of(log.substr(resumed_at), "haptic apply") >= 2 && press("q")) {
            step = Step::ended;
        }
        return step == Step::ended;
    };
    const Session run = glovebox_vr(slow_taps() + "eye_size 64 64\n", {"--record", "{folder}/live.glove"}, options);
    expect_clean(run);
    ASSERT_FALSE(too_slow) << "no force was felt in time, or the pause did not end it: " << run.ran.log;
    ASSERT_EQ(step, Step::ended) << run.ran.log;
    const std::string paused_text = run.ran.log.substr(0, resumed_at);
    for (const std::string side : {"left", "right"}) {
        EXPECT_GT(paused_text.rfind("haptic stop " + side) + 1, paused_text.rfind("haptic apply " + side) + 1) << side;
        const std::size_t curl = paused_text.rfind("haptic curl " + side);
        ASSERT_NE(curl, std::string::npos);
        EXPECT_THAT(paused_text.substr(curl, 80), HasSubstr("0.000 0.000 0.000 0.000 0.000"));
    }
    // The world stood still: its frames are fewer than the headset's, and the recording has a hole.
    EXPECT_LT(run.report["frames"].get<int>() + 3, run.report["headset"]["frames"].get<int>());
    EXPECT_THAT(run.ran.out, HasSubstr("refit")) << "the table, at the end";
    const recordings::Recording recording = recordings::load(run.ran.folder / "live.glove");
    EXPECT_GT(recording.longest_gap_s(), 1.2);
    EXPECT_GT(recording.duration_s(), recording.longest_gap_s() + 0.3) << "and then it went on";
    const Replayed again = replay_of(run, "--fail-if \"recorded.different>0\"");
    EXPECT_EQ(again.ran.exit_code, 0) << again.ran.out << again.ran.error;
    expect_released(run.ran);
}

TEST(GloveboxVr, WhileItWaitsForAHeadsetTheMirrorAnswers) {
    NEEDS_X_SERVER();
    if (std::system("command -v xdotool >/dev/null") != 0) GTEST_SKIP() << "xdotool is not installed";
    RunOptions options;
    options.environment["DISPLAY"] = tests::x_display();
    options.validation = false;
    options.meanwhile = [](const std::filesystem::path&) {
        const std::string command = "DISPLAY=" + tests::x_display() +
                                    " timeout 20 xdotool search --onlyvisible --name Glovebox windowfocus --sync key q "
                                    ">/dev/null 2>&1";
        return std::system(command.c_str()) == 0;
    };
    const Session run = glovebox_vr("no_headset 1000000\n", {"--wait", "600"}, options);
    EXPECT_EQ(run.ran.exit_code, 0) << run.ran.err;
    EXPECT_EQ(run.report["headset"]["frames"], 0);
}

// --- the panel under a finger ---

TEST(PanelPlace, ThePanelLooksAtTheHeadAndStandsUpright) {
    tracking::HandFrame left;
    left.active = true;
    left[tracking::Joint::wrist].flags = tracking::joint_flags::kAll;
    left[tracking::Joint::wrist].position_m = {-0.1F, 0.05F, 0.15F};
    const Eigen::Vector3f head_m{0.02F, 0.4F, 0.42F};
    const Eigen::Isometry3f place = panel_place(left, head_m, Eigen::Isometry3f::Identity());
    EXPECT_NEAR((head_m - place.translation()).normalized().dot(place.linear().col(2)), 1.0F, 1e-5F);
    EXPECT_NEAR(place.linear().determinant(), 1.0F, 1e-5F);
    EXPECT_NEAR(place.linear().col(0).y(), 0.0F, 1e-6F) << "its lines are level";
    EXPECT_GT(place.linear().col(1).y(), 0.5F);
    left.active = false;
    EXPECT_TRUE(panel_place(left, head_m, Eigen::Isometry3f::Identity()).matrix().allFinite());
}

}  // namespace
}  // namespace glovebox::vr
