// Tests the runtime through a small client in its own process, loaded by the unmodified OpenXR loader.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include <stb/stb_image.h>

#include "tests/runtime/hand_motion.h"
#include "tests/runtime/pose.h"
#include "tests/runtime/run_with_runtime.h"

namespace glovebox::tests {
namespace {

Ran run_client(const std::string& script, std::vector<std::string> arguments = {}, RunOptions options = {}) {
    options.script = script;
    arguments.insert(arguments.begin(), HAND_RUNTIME_CLIENT);
    return run_with_runtime(arguments, options);
}

Ran run_opengl_client(const std::string& script, std::vector<std::string> arguments = {}) {
    RunOptions options;
    options.environment["DISPLAY"] = x_display();
    arguments.push_back("--opengl");
    return run_client(script, arguments, options);
}

#define NEEDS_X_SERVER() \
    if (x_display().empty()) GTEST_SKIP() << "no X server: neither DISPLAY nor Xvfb"

constexpr const char* kTappingHands = "hand left tap\nhand right tap\n";

std::string first_line_with(const std::string& text, const std::string& what) {
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        if (line.find(what) != std::string::npos) return line;
    return {};
}

TEST(HandRuntime, ARightClientPassesTheValidationLayerAndIsNeverRefused) {
    const Ran ran = run_client(kTappingHands);
    EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err << ran.log;
    EXPECT_THAT(ran.validation_errors, testing::IsEmpty());
    EXPECT_EQ(ran.count("refused xr"), 0) << ran.log;
    EXPECT_NE(ran.out.find("seen 30 30"), std::string::npos) << ran.out;
    EXPECT_EQ(ran.count("left_behind 0"), 1) << ran.log;
}

TEST(HandRuntime, LogsHapticsWithTheirValues) {
    const Ran ran = run_client(kTappingHands);
    EXPECT_GT(ran.count("haptic apply right amplitude 0.500 frequency 0.0 duration_ns 20000000"), 10) << ran.log;
    EXPECT_GT(ran.count("haptic stop right"), 10);
    EXPECT_GT(ran.count("haptic curl right 0.000 0.700 0.000"), 10);
    EXPECT_EQ(ran.count("haptic apply left"), 0) << "the client only buzzes the right hand";
}

TEST(HandRuntime, ItsTimeIsNotTheMachinesMonotonicClock) {
    const Ran ran = run_client(kTappingHands);
    EXPECT_NE(ran.out.find("clock agrees"), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("clock has its own epoch"), std::string::npos) << ran.out;
}

TEST(HandRuntime, WithoutTheValidationLayerTheClientIsAsRight) {
    RunOptions options;
    options.validation = false;
    const Ran ran = run_client(kTappingHands, {}, options);
    EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
    EXPECT_EQ(ran.count("refused xr"), 0) << ran.log;
}

struct Wrong {
    const char* name;
    const char* refusal;
    bool opengl = false;
};
void PrintTo(const Wrong& wrong, std::ostream* out) {
    *out << wrong.name;
}

class WrongClients : public testing::TestWithParam<Wrong> {};
TEST_P(WrongClients, AreRefusedWithTheSpecifiedError) {
    const Wrong& wrong = GetParam();
    if (wrong.opengl) NEEDS_X_SERVER();
    RunOptions options;
    options.validation = false;  // the layer would reject some of these calls first
    if (wrong.opengl) options.environment["DISPLAY"] = x_display();
    std::vector<std::string> arguments{"--wrong", wrong.name};
    if (wrong.opengl) arguments.push_back("--opengl");
    const Ran ran = run_client(kTappingHands, arguments, options);
    EXPECT_EQ(ran.exit_code, 1) << ran.out;
    EXPECT_GE(ran.count(wrong.refusal), 1) << ran.log;
}
INSTANTIATE_TEST_SUITE_P(
    HandRuntime, WrongClients,
    testing::Values(Wrong{"wait_twice", "refused xrWaitFrame XR_ERROR_CALL_ORDER_INVALID"},
                    Wrong{"no_begin", "refused xrEndFrame XR_ERROR_CALL_ORDER_INVALID"},
                    Wrong{"end_twice", "refused xrEndFrame XR_ERROR_CALL_ORDER_INVALID"},
                    Wrong{"begin_early", "refused xrWaitFrame XR_ERROR_SESSION_NOT_RUNNING"},
                    Wrong{"not_attached", "refused xrSyncActions XR_ERROR_ACTIONSET_NOT_ATTACHED"},
                    Wrong{"attach_twice", "refused xrAttachSessionActionSets XR_ERROR_ACTIONSETS_ALREADY_ATTACHED"},
                    Wrong{"binding", "refused xrSuggestInteractionProfileBindings XR_ERROR_PATH_UNSUPPORTED"},
                    Wrong{"time", "refused xrLocateHandJointsEXT XR_ERROR_TIME_INVALID"},
                    Wrong{"no_requirements", "refused xrCreateSession XR_ERROR_GRAPHICS_REQUIREMENTS_CALL_MISSING",
                          true},
                    Wrong{"no_image_wait", "refused xrReleaseSwapchainImage XR_ERROR_CALL_ORDER_INVALID", true},
                    Wrong{"rect", "refused xrEndFrame XR_ERROR_SWAPCHAIN_RECT_INVALID", true},
                    Wrong{"pose", "refused xrEndFrame XR_ERROR_POSE_INVALID", true}),
    [](const auto& param_info) { return std::string(param_info.param.name); });

TEST(HandRuntime, DropsBreaksFreezesAndHealsAHand) {
    const Ran ran = run_client(
        "pace_headless on\nhand left still\nhand right tap\nat 6 drop left\nat 11 nan left\nat 16 zeros left\nat 21 "
        "heal left\nat 11 "
        "freeze right\n");
    EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
    std::vector<std::string> left, right;
    std::istringstream stream(ran.out);
    for (std::string line; std::getline(stream, line);) {
        if (line.rfind("hand 0", 0) == 0) left.push_back(line);
        if (line.rfind("hand 1", 0) == 0) right.push_back(line);
    }
    ASSERT_EQ(left.size(), 30U);
    EXPECT_NE(left[4].find("active 1"), std::string::npos);
    EXPECT_NE(left[7].find("active 0"), std::string::npos);
    EXPECT_NE(left[12].find("active 1 tip nan"), std::string::npos) << left[12];
    EXPECT_NE(left[17].find("active 1 tip 0.000000 0.000000 0.000000 q 0.0000"), std::string::npos) << left[17];
    EXPECT_EQ(left[25], left[4]) << "a still hand that has healed is where it was";
    EXPECT_EQ(right[15], right[29]);
    EXPECT_NE(right[2], right[5]);
}

TEST(HandRuntime, GoesThroughTheStatesOfTheScript) {
    const Ran ran =
        run_client(std::string(kTappingHands) + "at 5 visible\nat 10 focused\nat 15 stopping 0.05\nat 20 exiting\n");
    EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err << ran.log;
    std::string states;
    std::istringstream stream(ran.out);
    for (std::string line; std::getline(stream, line);)
        if (line.rfind("state ", 0) == 0) states += line[6];
    // IDLE READY SYNC VISIBLE FOCUSED, down to VISIBLE and up again, down and STOPPING, IDLE, READY again, EXITING.
    EXPECT_EQ(states,
              "1234545436123454361"
              "8")
        << ran.log;
    EXPECT_THAT(ran.validation_errors, testing::IsEmpty());
}

TEST(HandRuntime, LosesSessionsAndInstancesAndIsSometimesNotThere) {
    RunOptions bare;
    bare.validation = false;  // the layer replaces some loss results by its own
    const auto says = [&bare](const std::string& script, const std::string& what) {
        const Ran ran = run_client(script, {}, bare);
        EXPECT_NE(ran.out.find(what), std::string::npos) << script << ran.out;
    };
    says(std::string(kTappingHands) + "at 5 session_lost\n", "gave -17");
    says(std::string(kTappingHands) + "at 5 instance_lost\n", "gave -13");
    says("unavailable 1\n", "gave -51");
    says("no_headset 1\n", "gave -35");
    says("hand_tracking off\n", "gave -8");
    RunOptions none;
    none.validation = false;
    none.no_runtime = true;
    EXPECT_NE(run_client("", {}, none).out.find("gave -51"), std::string::npos);
}

TEST(HandRuntime, OffersWhatTheScriptDoesNotHide) {
    const Ran all = run_client(kTappingHands);
    EXPECT_NE(all.out.find("offers XR_FB_display_refresh_rate"), std::string::npos);
    const Ran less = run_client(std::string(kTappingHands) + "without XR_FB_display_refresh_rate\n");
    EXPECT_EQ(less.out.find("offers XR_FB_display_refresh_rate"), std::string::npos);
}

TEST(HandRuntime, ControllersAnswerToTheScript) {
    const Ran ran = run_client(std::string(kTappingHands) + "at 10 trigger right 1\n");
    EXPECT_NE(ran.out.find("squeeze 1 0.000 grip 15"), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find("squeeze 1 1.000 grip 15"), std::string::npos) << ran.out;
    const Ran none = run_client(std::string(kTappingHands) + "profile none\n");
    EXPECT_NE(none.out.find("squeeze 0 0.000 grip 0"), std::string::npos) << none.out;
}

TEST(HandRuntime, ABadScriptIsNamedWithItsLine) {
    const Ran ran = run_client("rate 90\nat 5 explode\n");
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_NE(ran.err.find("script.txt:2: no event is called 'explode'"), std::string::npos) << ran.err;
}

TEST(HandRuntime, PacesGraphicsButNotHeadlessSessions) {
    const auto seconds = [](const Ran& ran) {  // between the first and last frame, from the runtime's log
        return std::atof(first_line_with(ran.log, "summary").c_str());
    };
    EXPECT_LT(seconds(run_client(std::string(kTappingHands) + "rate 50\n")), 0.5);
    EXPECT_GT(seconds(run_client(std::string(kTappingHands) + "rate 50\npace_headless on\n")), 0.58);
}

TEST(HandRuntime, SeesTheEyesAsTheyWerePainted) {
    NEEDS_X_SERVER();
    const Ran ran =
        run_opengl_client(std::string(kTappingHands) + "eyes {folder} 10\neye_size 128 128\n", {"--frames", "12"});
    ASSERT_EQ(ran.exit_code, 0) << ran.out << ran.err << ran.log;
    EXPECT_THAT(ran.validation_errors, testing::IsEmpty());
    EXPECT_EQ(ran.count("refused xr"), 0) << ran.log;
    for (const bool left : {true, false}) {
        const std::string path = (ran.folder / (left ? "eye_left_000010.png" : "eye_right_000010.png")).string();
        int width = 0, height = 0, channels = 0;
        unsigned char* pixels = stbi_load(path.c_str(), &width, &height, &channels, 4);
        ASSERT_NE(pixels, nullptr) << path;
        ASSERT_EQ(width, 128);
        ASSERT_EQ(height, 128);
        const auto pixel = [&](int x, int y, int c) { return int{pixels[4 * (y * width + x) + c]}; };
        EXPECT_EQ(pixel(2, 2, left ? 0 : 1), 255) << "red in the left eye, green in the right";
        EXPECT_EQ(pixel(2, 2, left ? 1 : 0), 0);
        EXPECT_EQ(pixel(2, 126, left ? 0 : 1), 128) << "the lower half is the darker one";
        // The quad: a metre away, 0.1 m right of the centre, 0.4 m wide; parallax moves it by the eye's 31.5 mm.
        const double middle = 64.0 + 64.0 * (0.1 + (left ? 0.0315 : -0.0315)) / std::tan(0.76);
        const double half = 64.0 * 0.2 / std::tan(0.76);
        const int y = 60;
        int first = -1, last = -1;
        for (int x = 0; x < width; ++x)
            if (pixel(x, y, 2) > 200) (first < 0 ? first : last) = x;
        EXPECT_NEAR(first, middle - half, 1.0);
        EXPECT_NEAR(last, middle + half, 1.5);
        // Blue 0.5 in a format that holds linear light is 188 of 255 once encoded.
        EXPECT_NEAR(pixel(static_cast<int>(middle), 68, 2), 188, 1);
        stbi_image_free(pixels);
    }
}

TEST(HandMotion, LeftIsTheMirrorImageOfRight) {
    const runtime::HandMotion motion{{{0.0, runtime::kIdentityPose, 0.4F, 0.3F}}, {}, {}};
    const runtime::HandSample left = runtime::sample(motion, false, 0.0), right = runtime::sample(motion, true, 0.0);
    for (std::size_t j = 0; j < left.size(); ++j) {
        EXPECT_FLOAT_EQ(left[j].stage_from_joint.position.x, -right[j].stage_from_joint.position.x) << j;
        EXPECT_FLOAT_EQ(left[j].stage_from_joint.position.y, right[j].stage_from_joint.position.y) << j;
        EXPECT_TRUE(runtime::is_unit(left[j].stage_from_joint.orientation)) << j;
    }
}

TEST(HandMotion, BonesPointDownTheirOwnMinusZAndCurlTowardsThePalm) {
    runtime::HandMotion motion{{{0.0, runtime::kIdentityPose, 0.0F, 0.0F}}, {}, {}};
    const runtime::HandSample flat = runtime::sample(motion, true, 0.0);
    motion.keys[0].curl = 0.8F;
    const runtime::HandSample fist = runtime::sample(motion, true, 0.0);
    for (std::size_t j = XR_HAND_JOINT_INDEX_METACARPAL_EXT; j < XR_HAND_JOINT_LITTLE_TIP_EXT; ++j) {
        if ((j - XR_HAND_JOINT_INDEX_METACARPAL_EXT) % 5 == 4) continue;  // a tip has no bone after it
        const XrVector3f bone =
            runtime::operator-(fist[j + 1].stage_from_joint.position, fist[j].stage_from_joint.position);
        const XrVector3f forward = runtime::rotate(fist[j].stage_from_joint.orientation, {0, 0, -1});
        const float length = std::sqrt(runtime::dot(bone, bone));
        EXPECT_NEAR(runtime::dot(bone, forward), length, 1e-5F) << j;
    }
    const std::size_t tip = XR_HAND_JOINT_INDEX_TIP_EXT;
    EXPECT_LT(fist[tip].stage_from_joint.position.y, flat[tip].stage_from_joint.position.y - 0.03F);
}

TEST(HandMotion, ARecordingIsPlayedRowByRow) {
    const std::filesystem::path path = std::filesystem::temp_directory_path() / "hand_motion_two_rows.csv";
    std::ofstream file(path);
    file << "# header\n";
    for (int row = 0; row < 2; ++row) {
        file << row * 10'000'000;
        for (int j = 0; j < 26; ++j) file << ',' << row << ",0.5," << j << ",1,0,0,0";
        file << '\n';
    }
    file.close();
    runtime::HandMotion motion;
    motion.rows = runtime::read_hand_csv(path.string(), true);
    motion.stage_from_recording = {{0, 0, 0, 1}, {0, 1, 0}};
    ASSERT_EQ(motion.rows.size(), 2U);
    const auto tip = runtime::sample(motion, true, 0.0)[25].stage_from_joint.position;
    EXPECT_EQ(tip.x, 0.0F);
    EXPECT_EQ(tip.y, 1.5F);
    EXPECT_EQ(tip.z, 25.0F);
    std::filesystem::remove(path);
}

TEST(HandMotion, ABrokenRecordingIsNamedWithItsRow) {
    const std::filesystem::path path = std::filesystem::temp_directory_path() / "hand_motion_broken.csv";
    std::ofstream(path) << "# header\n0,1,2,three\n";
    try {
        runtime::read_hand_csv(path.string(), false);
        FAIL() << "was accepted";
    } catch (const std::runtime_error& e) {
        EXPECT_NE(std::string(e.what()).find("hand_motion_broken.csv:2: column 4 of 183"), std::string::npos)
            << e.what();
    }
    std::filesystem::remove(path);
}

}  // namespace
}  // namespace glovebox::tests
