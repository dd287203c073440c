// Hands that the layer supplies: where a glove's wrist is when the device tracks controllers and no hands, and
// XR_EXT_hand_interaction from the hands of a glove or a recording.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <openxr/openxr.h>

#include <cmath>

#include "recordings/user_profile.h"
#include "tests/vr/layer/run_hand_app.h"
#include "tests/vr/run_program.h"
#include "tracking/openxr/controller_hand.h"
#include "vr/layer/layer_options.h"

namespace glovebox::vr::layer {
namespace {

using testing::HasSubstr;
using testing::Not;
using tests::Ran;
using tests::RunOptions;
using tracking::Side;

// Controllers that move, and hands that no one tracks.
constexpr const char* kControllers =
    "pace_headless on\nrate 90\nwithout XR_EXT_hand_tracking\nwithout XR_EXT_hand_interaction\n"
    "profile /interaction_profiles/oculus/touch_controller\n"
    "hand left still at -0.2 1.2 -0.3\nhand right key 0 0.2 1.2 -0.3\nhand right key 1 0.3 1.3 -0.5 yaw 60\n"
    "hand right key 2 0.2 1.2 -0.3\n";
constexpr const char* kNoInteraction =
    "pace_headless on\nrate 90\nwithout XR_EXT_hand_interaction\n"
    "profile /interaction_profiles/oculus/touch_controller\nhand left tap\nhand right grip\n";

Ran run_paced(std::vector<std::string> arguments, const RunOptions& options) {
    arguments.insert(arguments.begin(), {"--pace", "--step-ms", "0"});
    return run_hand_app(arguments, options);
}

Eigen::Isometry3d pose_in(const double* numbers) {
    return Eigen::Translation3d(numbers[0], numbers[1], numbers[2]) *
           Eigen::Quaterniond(numbers[6], numbers[3], numbers[4], numbers[5]).normalized();
}
Eigen::Isometry3d joint_of(const Given& hand, int joint) {
    return pose_in(hand.joints[static_cast<std::size_t>(joint)].numbers.data());
}

double apart(const Eigen::Isometry3d& a, const Eigen::Isometry3d& b) {
    return (a.matrix() - b.matrix()).cwiseAbs().maxCoeff();
}

// The hand application's own action space is 5 cm above the grip and turned by a quarter.
Eigen::Isometry3d local_from_grip(const Line& line) {
    const Eigen::Isometry3d grip_from_this =
        Eigen::Translation3d(0, 0.05, 0) * Eigen::Quaterniond(std::sqrt(0.5), 0, 0, std::sqrt(0.5));
    return pose_in(&line.numbers[1]) * grip_from_this.inverse();
}

// Frames in which the wrist is where the controller has it; the layer sees it from the first xrSyncActions on.
int expect_wrist_at_grip(const Ran& ran, const Eigen::Isometry3d& tracker_from_wrist, Side side = Side::right) {
    int seen = 0;
    const Lines lines = lines_of(ran.out);
    const std::size_t number = side == Side::left ? 0 : 1;
    std::vector<const Line*> grips;
    for (const auto& [time_ns, line] : lines.at("grip " + std::to_string(number))) grips.push_back(&line);
    for (const Given& hand : hands_in(ran.out)) {
        const auto frame = static_cast<std::size_t>(hand.frame);
        if (hand.side != number || !hand.active || frame < 3 || frame >= grips.size()) continue;
        const Eigen::Isometry3d expected =
            local_from_grip(*grips[frame]) * tracking::grip_from_wrist(side).cast<double>() * tracker_from_wrist;
        EXPECT_LT(apart(joint_of(hand, XR_HAND_JOINT_WRIST_EXT), expected), 1e-5) << frame;
        if (testing::Test::HasFailure()) return seen;
        ++seen;
    }
    return seen;
}

TEST(LayerWrist, IsTheControllersWhereTheDeviceTracksNoHand) {
    for (const RunOptions& options :
         {under({kOurs}, kControllers), above_validation(kControllers), below_validation(kControllers)}) {
        const bool plain = options.environment.at("XR_ENABLE_API_LAYERS") != kOurs;
        const Ran ran = tests::run_with_runtime(
            glove_script("flick", "RIGHT",
                         std::string("--controllers --pace --step-ms 0 --frames 150") + (plain ? " --plain" : "")),
            beside_a_glove(options));
        expect_clean(ran);
        EXPECT_GT(expect_wrist_at_grip(ran, Eigen::Isometry3d::Identity()), 100);
        // And it moves: between the keyframes lie 24 cm.
        const auto hands = hands_in(ran.out);
        double max_m = 0.0;
        for (const Given& hand : hands)
            if (hand.side == 1 && hand.active)
                max_m =
                    std::max(max_m, (joint_of(hand, 1).translation() - joint_of(hands.back(), 1).translation()).norm());
        EXPECT_GT(max_m, 0.1);
        // The application's own actions are as without the layer.
        EXPECT_THAT(ran.out, HasSubstr("profile 1 /interaction_profiles/oculus/touch_controller\n"));
        EXPECT_EQ(lines_of(ran.out).at("trigger 1").rbegin()->second.numbers[0], 1.0);
    }
}

TEST(LayerWrist, IsTheControllersInEachSession) {
    for (const char* actions : {"--controllers", "--controllers --fresh"}) {
        const std::string still =
            "pace_headless on\nrate 90\nwithout XR_EXT_hand_tracking\n"
            "profile /interaction_profiles/oculus/touch_controller\n"
            "hand right still at 0.2 1.2 -0.3\n";
        const Ran ran = tests::run_with_runtime(
            glove_script("flick", "RIGHT", std::string(actions) + " --pace --step-ms 0 --frames 40 --sessions 3"),
            beside_a_glove(under({kOurs}, still)));
        EXPECT_EQ(ran.exit_code, 0) << ran.out.substr(0, 2000) << ran.err << ran.log;
        // A set of a session before is found by trying: once.
        EXPECT_EQ(ran.count("refused xr"), ran.count("refused xrSuggestInteractionProfileBindings")) << ran.log;
        EXPECT_LE(ran.count("refused xr"), 2);
        const auto hands = hands_in(ran.out);
        ASSERT_EQ(hands.size(), 240U);
        const Lines lines = lines_of(ran.out);
        const Eigen::Isometry3d expected = local_from_grip(lines.at("grip 1").rbegin()->second) *
                                           tracking::grip_from_wrist(Side::right).cast<double>();
        for (const std::size_t last : {79U, 159U, 239U}) {
            ASSERT_TRUE(hands[last].active) << actions << last;
            EXPECT_LT(apart(joint_of(hands[last], XR_HAND_JOINT_WRIST_EXT), expected), 1e-5) << actions << last;
        }
    }
}

TEST(LayerWrist, HasTheOffsetOfTheWearersProfile) {
    const TestFolder folder("layer_wrist");
    const std::filesystem::path file = folder.path / "me.json";
    tracking::UserProfile user;
    user.name = "anna";
    user[Side::right].tracker_from_wrist =
        Eigen::Translation3f(0.02F, -0.05F, 0.08F) * Eigen::AngleAxisf(0.6F, Eigen::Vector3f(1, 2, -2).normalized());
    recordings::save_user_profile(user, file);
    const Ran ran = tests::run_with_runtime(
        glove_script("flick", "RIGHT", "--controllers --pace --step-ms 0 --frames 100"),
        beside_a_glove(with_options(under({kOurs}, kControllers), {{kProfile, file.string()}})));
    expect_clean(ran);
    EXPECT_GT(expect_wrist_at_grip(ran, user[Side::right].tracker_from_wrist.cast<double>()), 60);
    const Ran wrong = run_paced({"--frames", "3"}, with_options(under({kOurs}, kControllers),
                                                                {{kGlove[1], "/dev/null"}, {kGloveBaud, "fast"}}));
    EXPECT_THAT(wrong.err, HasSubstr("GLOVEBOX_LAYER_GLOVE_BAUD=fast: is no number above 0; the application gets its "
                                     "device's own hands"));
}

TEST(LayerWrist, OfAPairOfGlovesAreBothControllers) {
    const TestFolder folder("layer_pair");
    const std::filesystem::path file = folder.path / "me.json";
    tracking::UserProfile user;
    user[Side::left].tracker_from_wrist = Eigen::Translation3f(-0.03F, 0.01F, 0.05F) * Eigen::Quaternionf::Identity();
    user[Side::right].tracker_from_wrist = Eigen::Translation3f(0.02F, -0.05F, 0.08F) * Eigen::Quaternionf::Identity();
    recordings::save_user_profile(user, file);
    std::string script;
    for (const char* name : {"A", "B"})
        script += std::string("env -u XR_ENABLE_API_LAYERS " GLOVEBOX_PROGRAM
                              " emulate grasp --as opengloves --to pty --loop > {folder}/") +
                  name + ".txt & P" + name + "=$!\nfor i in $(seq 200); do " + name +
                  "=$(sed -n 's/^glove at //p' {folder}/" + name + ".txt); [ -n \"$" + name +
                  "\" ] && break; sleep 0.05; done\n";
    script += GLOVEBOX_PROGRAM " layer run --glove $A --glove $B --profile " + file.string() +
              " -- " HAND_APP
              " --controllers --pace --step-ms 0 --frames 150; CODE=$?\n"
              "kill -INT $PA $PB; wait $PA $PB; exit $CODE";
    RunOptions options = under({}, kControllers);
    options.environment.erase("XR_ENABLE_API_LAYERS");
    options.validation = false;
    const Ran ran = tests::run_with_runtime({"/bin/sh", "-c", script}, options);
    expect_clean(ran);
    for (const Side side : tracking::kSides)
        EXPECT_GT(expect_wrist_at_grip(ran, user[side].tracker_from_wrist.cast<double>(), side), 100);
}

TEST(LayerWrist, AsksForNoMemory) {
    const auto allocations = [](const Ran& ran) {
        const auto at = ran.out.find("allocations ");
        return at == std::string::npos ? -1 : std::stoi(ran.out.substr(at + 12));
    };
    // The runtime's own are in both.
    RunOptions bare =
        under({}, std::string("pace_headless on\nrate 90\nprofile /interaction_profiles/oculus/touch_controller\n"
                              "hand left still at -0.2 1.2 -0.3\nhand right still at 0.2 1.2 -0.3\nat 1 untracked "
                              "left\nat 1 untracked right\n"));
    RunOptions gloved = bare;
    bare.environment["XR_ENABLE_API_LAYERS"] = "";
    bare.validation = false;
    gloved.environment["XR_ENABLE_API_LAYERS"] = kOurs;
    const int without = allocations(run_paced({"--controllers", "--frames", "20", "--allocations"}, bare));
    ASSERT_GE(without, 0);
    EXPECT_EQ(allocations(tests::run_with_runtime(
                  glove_script("flick", "RIGHT", "--controllers --pace --step-ms 0 --frames 20 --allocations"),
                  beside_a_glove(gloved))),
              without);
}

TEST(LayerWrist, OfAnApplicationWithoutActionsIsTheControllersAfterAMoment) {
    const std::string still =
        "pace_headless on\nrate 90\nwithout XR_EXT_hand_tracking\n"
        "profile /interaction_profiles/oculus/touch_controller\nhand right still at 0.2 1.2 -0.3\n";
    const auto last_wrist = [&](const char* arguments) {
        const Ran ran = tests::run_with_runtime(
            glove_script("flick", "RIGHT", std::string("--pace --step-ms 0 --frames 200 ") + arguments),
            beside_a_glove(under({kOurs}, still)));
        expect_clean(ran);
        const auto hands = hands_in(ran.out);
        if (std::string(arguments).empty()) {
            const Eigen::Vector3d first = joint_of(hands[21], XR_HAND_JOINT_WRIST_EXT).translation();
            EXPECT_LT((first - Eigen::Vector3d(0.15, -0.35, -0.35)).norm(), 1e-5) << "before that it rests";
        }
        EXPECT_TRUE(hands.back().active);
        return joint_of(hands.back(), XR_HAND_JOINT_WRIST_EXT);
    };
    EXPECT_LT(apart(last_wrist(""), last_wrist("--controllers")), 1e-5);
}

TEST(LayerWrist, WhenTheControllerIsLostTheHandIs) {
    const Ran ran = tests::run_with_runtime(
        glove_script("flick", "RIGHT", "--controllers --pace --step-ms 0 --frames 200"),
        beside_a_glove(under({kOurs}, std::string(kControllers) + "at 100 drop right\nat 150 heal right\n")));
    expect_clean(ran);
    int lost = 0;
    for (const Given& hand : hands_in(ran.out)) {
        if (hand.side == 0 || hand.frame < 5) continue;
        EXPECT_EQ(hand.active, hand.frame < 98 || hand.frame > 152 || hand.active) << hand.frame;
        lost += hand.active ? 0 : 1;
        if (!hand.active) {
            EXPECT_EQ(hand.joints[0].flags, 0U);
        }
    }
    EXPECT_NEAR(lost, 50, 4);
    EXPECT_TRUE(hands_in(ran.out).back().active);
}

TEST(LayerWrist, IsThatOfVrWithTheSameGloveAndHeadset) {
    const std::string still =
        "pace_headless on\nrate 90\nwithout XR_EXT_hand_tracking\n"
        "profile /interaction_profiles/oculus/touch_controller\nhand right still at 0.2 1.2 -0.3\n";
    const auto script = [](const std::string& before, const std::string& after) {
        return std::vector<std::string>{"/bin/sh", "-c",
                                        "cd {folder}\nenv -u XR_ENABLE_API_LAYERS " GLOVEBOX_PROGRAM
                                        " emulate flick --as opengloves --to pty --loop > glove.txt & GLOVE=$!\n"
                                        "for i in $(seq 200); do PORT=$(sed -n 's/^glove at //p' glove.txt); [ -n "
                                        "\"$PORT\" ] && break; sleep 0.05; "
                                        "done\n" +
                                            before +
                                            GLOVEBOX_PROGRAM " vr --headless --frames 150 --record own.glove " + after +
                                            "; CODE=$?\nkill -INT $GLOVE; wait $GLOVE; exit $CODE"};
    };
    RunOptions options = under({}, still);
    options.environment.erase("XR_ENABLE_API_LAYERS");
    options.validation = false;
    const Ran direct = tests::run_with_runtime(script("", "--glove $PORT"), options);
    const Ran layered = tests::run_with_runtime(script(GLOVEBOX_PROGRAM " layer run --glove $PORT -- ", ""), options);
    EXPECT_EQ(direct.exit_code, 0) << direct.err;
    EXPECT_EQ(layered.exit_code, 0) << layered.err;
    const auto last = [](const Ran& ran) {
        const recordings::Recording recording = recordings::load(ran.folder / "own.glove");
        EXPECT_TRUE(recording.samples.back()[Side::right].active);
        return recording.samples.back()[Side::right][tracking::Joint::wrist];
    };
    const tracking::JointPose a = last(direct), b = last(layered);
    EXPECT_LT((a.position_m - b.position_m).norm(), 1e-5F);
    EXPECT_LT(a.orientation.angularDistance(b.orientation), 1e-3F);
    EXPECT_GT(a.position_m.norm(), 0.1F);
}

// --- XR_EXT_hand_interaction ---

// A right hand that pinches and lets go, a left hand that grips.
struct PinchingTake {
    TestFolder folder{"layer_pinch"};
    std::string file = (folder.path / "pinch.glove").string();
    PinchingTake() {
        const std::string script =
            "pace_headless on\nrate 90\nhand left grip\nhand right key 0 0 1.2 -0.3 curl 0 thumb 0\n"
            "hand right key 0.5 0 1.2 -0.3 curl 1 thumb 0\nhand right key 1 0 1.2 -0.3 curl 1 thumb 1\n"
            "hand right key 1.5 0 1.2 -0.3 curl 0 thumb 1\nhand right key 2 0 1.2 -0.3 curl 0 thumb 0\n";
        expect_clean(run_paced({"--frames", "200"}, with_options(under({kOurs}, script), {{kRecord, file}})));
    }
};

// Values and poses worked out from the joints that the application was given in the same frame.
void expect_gestures_of_the_hands(const Ran& ran, int least) {
    const Lines lines = lines_of(ran.out);
    std::map<std::string, std::vector<const Line*>> by_frame;
    for (const auto& [what, at] : lines)
        for (const auto& [time_ns, line] : at) by_frame[what].push_back(&line);
    int checked = 0, pinching = 0;
    tracking::PerSide<bool> was_active{}, was_pressed{};
    tracking::PerSide<double> last_value{};
    for (const Given& hand : hands_in(ran.out)) {
        const auto frame = static_cast<std::size_t>(hand.frame);
        const std::string side = hand.side == 0 ? " 0" : " 1";
        const auto numbers = [&](const char* what) { return by_frame.at(what + side).at(frame)->numbers; };
        const auto of_joint = [&](int joint) { return joint_of(hand, joint); };
        const auto pinch = numbers("pinch"), pressed = numbers("pressed");
        EXPECT_EQ(pinch[0] != 0.0, hand.active) << frame << side;
        EXPECT_EQ(numbers("hand_pinch")[0], hand.active ? 15.0 : 0.0);
        if (hand.active) {
            const auto &thumb = hand.joints[XR_HAND_JOINT_THUMB_TIP_EXT],
                       &index = hand.joints[XR_HAND_JOINT_INDEX_TIP_EXT];
            const Eigen::Vector3d thumb_m = of_joint(XR_HAND_JOINT_THUMB_TIP_EXT).translation(),
                                  index_m = of_joint(XR_HAND_JOINT_INDEX_TIP_EXT).translation();
            const double gap_m = (thumb_m - index_m).norm() - thumb.numbers[7] - index.numbers[7];
            const double value = std::clamp(1.0 - gap_m / 0.04, 0.0, 1.0);
            EXPECT_NEAR(pinch[1], value, 1e-4) << frame << side;
            EXPECT_NEAR(numbers("aim_activate")[1], value, 1e-4);
            EXPECT_EQ(numbers("pinch_ready")[1] != 0.0, gap_m < 0.07);
            const bool is_pressed = value >= (was_pressed[hand.side] ? 0.6 : 0.8);
            EXPECT_EQ(pressed[1] != 0.0, is_pressed) << frame << side;
            EXPECT_EQ(pressed[2] != 0.0, was_active[hand.side] && is_pressed != was_pressed[hand.side]);
            EXPECT_EQ(pinch[2] != 0.0, was_active[hand.side] && pinch[1] != last_value[hand.side]);
            if (pinch[2] != 0.0) {
                EXPECT_EQ(static_cast<std::int64_t>(pinch[3]),
                          std::next(lines.at("pinch" + side).begin(), hand.frame)->first);
            }
            was_pressed[hand.side] = is_pressed;
            pinching += is_pressed ? 1 : 0;
            const Eigen::Vector3d wrist_m = of_joint(XR_HAND_JOINT_WRIST_EXT).translation();
            const auto expect_ray = [&](const char* what, const Eigen::Vector3d& at_m) {
                const Eigen::Isometry3d pose = pose_in(&numbers(what)[1]);
                EXPECT_LT((pose.translation() - at_m).norm(), 1e-5) << what;
                EXPECT_LT((-pose.linear().col(2) - (at_m - wrist_m).normalized()).norm(), 1e-4) << what;
            };
            expect_ray("hand_pinch", 0.5 * (thumb_m + index_m));
            expect_ray("hand_aim", of_joint(XR_HAND_JOINT_INDEX_PROXIMAL_EXT).translation());
            const Eigen::Isometry3d poke =
                of_joint(XR_HAND_JOINT_INDEX_TIP_EXT) * Eigen::Translation3d(0, 0, -index.numbers[7]);
            EXPECT_LT(apart(pose_in(&numbers("hand_poke")[1]), poke), 1e-5);
            const auto side_of_hand = hand.side == 0 ? Side::left : Side::right;
            const Eigen::Isometry3d grip =
                of_joint(XR_HAND_JOINT_WRIST_EXT) * tracking::grip_from_wrist(side_of_hand).inverse().cast<double>();
            EXPECT_LT(apart(pose_in(&numbers("hand_grip")[1]), grip), 1e-5);
            ++checked;
        } else {
            was_pressed[hand.side] = false;
        }
        was_active[hand.side] = hand.active;
        last_value[hand.side] = pinch[1];
        if (testing::Test::HasFailure()) return;
    }
    EXPECT_GT(checked, least);
    EXPECT_GT(pinching, 5) << "the recording pinches";
    EXPECT_LT(pinching, checked - 5);
}

TEST(LayerInteraction, ActionsFollowTheSuppliedHands) {
    const PinchingTake take;
    for (const RunOptions& options :
         {under({kOurs}, kNoInteraction), above_validation(kNoInteraction), below_validation(kNoInteraction)}) {
        const Ran ran = run_paced({"--gestures", "--frames", "200"}, with_options(options, {{kReplay, take.file}}));
        expect_clean(ran);
        EXPECT_THAT(ran.out, HasSubstr("offers XR_EXT_hand_interaction 1\n"));
        EXPECT_THAT(ran.out, HasSubstr("profile 1 /interaction_profiles/ext/hand_interaction_ext\n"));
        expect_gestures_of_the_hands(ran, 100);
        if (HasFailure()) return;
    }
}

TEST(LayerInteraction, LocatedTogetherPosesAreTheSame) {
    const PinchingTake take;
    const Ran ran = run_paced({"--gestures", "--many", "--frames", "200"},
                              with_options(under({kOurs}, kNoInteraction), {{kReplay, take.file}}));
    expect_clean(ran);
    expect_gestures_of_the_hands(ran, 100);
}

TEST(LayerInteraction, WhereNoHandIsSuppliedTheControllersAreTheApplications) {
    const std::string script = std::string(kNoInteraction) + "at 30 trigger right 0.7\n";
    // Nothing asked for; and a recording that is over after a second.
    const Ran none = run_paced({"--gestures", "--controllers", "--frames", "60"}, under({kOurs}, script));
    expect_clean(none);
    const Lines lines = lines_of(none.out);
    EXPECT_NEAR(lines.at("trigger 1").rbegin()->second.numbers[1], 0.7, 1e-6);
    EXPECT_EQ(lines.at("pinch 1").rbegin()->second.numbers[0], 0.0);
    EXPECT_EQ(lines.at("hand_aim 1").rbegin()->second.numbers[0], 0.0);
    EXPECT_THAT(none.out, HasSubstr("profile 1 /interaction_profiles/oculus/touch_controller\n"));
    EXPECT_THAT(none.out, Not(HasSubstr("hand_interaction_ext\n")));
}

// Records 60 frames of the left hand only. Returns the recording's path.
std::string record_left_hand(const TestFolder& folder) {
    const std::string take = (folder.path / "take.glove").string();
    expect_clean(run_paced({"--frames", "60"},
                           with_options(under({kOurs}, "pace_headless on\nrate 90\nhand left grip\nhand right off\n"),
                                        {{kRecord, take}})));
    return take;
}

TEST(LayerInteraction, AHandHasOneProfileAtATime) {
    const TestFolder folder("layer_interaction");
    const std::string take = record_left_hand(folder);
    const Ran ran = run_paced(
        {"--gestures", "--controllers", "--frames", "150"},
        with_options(under({kOurs}, std::string(kNoInteraction) + "at 20 trigger left 0.7\nat 20 trigger right 0.4\n"),
                     {{kReplay, take}}));
    expect_clean(ran);
    int supplied = 0, own = 0;
    const Lines lines = lines_of(ran.out);
    for (const auto& [time_ns, line] : lines.at("pinch 0")) {
        const bool hand = line.numbers[0] != 0.0;
        EXPECT_EQ(lines.at("trigger 0").at(time_ns).numbers[0], hand ? 0.0 : 1.0) << time_ns;
        EXPECT_EQ(lines.at("grip 0").at(time_ns).numbers[0], hand ? 0.0 : 15.0) << time_ns;
        EXPECT_EQ(lines.at("trigger 1").at(time_ns).numbers[0], 1.0);
        EXPECT_EQ(lines.at("pinch 2").at(time_ns).numbers[0], hand ? 1.0 : 0.0) << "either hand";
        (hand ? supplied : own) += 1;
    }
    EXPECT_GT(supplied, 40);
    EXPECT_GT(own, 60);
    EXPECT_NEAR(lines.at("trigger 0").rbegin()->second.numbers[1], 0.7, 1e-6);
    // Told when it comes and when it goes.
    std::vector<std::string> profiles;
    std::istringstream text(ran.out);
    for (std::string line; std::getline(text, line);)
        if (line.starts_with("profile 0 ")) profiles.push_back(line.substr(line.rfind('/') + 1));
    profiles.erase(std::unique(profiles.begin(), profiles.end()), profiles.end());
    ASSERT_GE(profiles.size(), 2U);
    EXPECT_EQ(profiles[profiles.size() - 2], "hand_interaction_ext");
    EXPECT_EQ(profiles.back(), "touch_controller");
}

// Monado offers the extension whatever hands or controllers there are.
TEST(LayerInteraction, FollowsTheSuppliedHandsWhereTheRuntimeHasTheExtensionToo) {
    const PinchingTake take;
    for (const std::string script : {"", "without XR_EXT_hand_tracking\n"}) {
        const Ran ran =
            run_paced({"--gestures", "--frames", "200"},
                      with_options(above_validation("pace_headless on\nrate 90\n" + script), {{kReplay, take.file}}));
        expect_clean(ran);
        EXPECT_THAT(ran.out, HasSubstr("profile 1 /interaction_profiles/ext/hand_interaction_ext\n"));
        expect_gestures_of_the_hands(ran, 100);
        if (HasFailure()) return;
    }
}

TEST(LayerInteraction, LeavesARuntimesOwnHandsAlone) {
    const TestFolder folder("layer_interaction_own");
    const std::string take = record_left_hand(folder);
    const Ran ran = run_paced({"--gestures", "--frames", "150"},
                              with_options(under({kOurs},
                                                 "pace_headless on\nrate 90\nhand left still\nhand right still\n"
                                                 "profile /interaction_profiles/ext/hand_interaction_ext\n"
                                                 "at 1 trigger left 0.3\nat 1 trigger right 0.7\n"),
                                           {{kReplay, take}}));
    expect_clean(ran);
    const Lines lines = lines_of(ran.out);
    int supplied = 0, own = 0;
    for (const auto& [time_ns, line] : lines.at("hand_pinch 0")) {
        const auto value_of = [&, at = time_ns](const char* what) { return lines.at(what).at(at).numbers[1]; };
        EXPECT_NEAR(value_of("pinch 1"), 0.7, 1e-6) << time_ns << ": not recorded, so the device's";
        const bool is_own = std::abs(value_of("pinch 0") - 0.3) < 1e-6;
        (is_own ? own : supplied) += 1;
    }
    EXPECT_GT(supplied, 40);
    EXPECT_GT(own, 60) << "after the end of the recording";
}

TEST(LayerInteraction, OfAGlove) {
    const Ran ran = tests::run_with_runtime(
        glove_script("flick", "RIGHT", "--gestures --controllers --pace --step-ms 0 --frames 150"),
        beside_a_glove(under({kOurs}, kControllers)));
    expect_clean(ran);
    double least = 1.0, most = 0.0;
    int active = 0;
    const Lines lines = lines_of(ran.out);
    for (const auto& [time_ns, line] : lines.at("grasp 1")) {
        if (line.numbers[0] == 0.0) continue;
        ++active;
        least = std::min(least, line.numbers[1]);
        most = std::max(most, line.numbers[1]);
    }
    EXPECT_GT(active, 100);
    EXPECT_GT(most - least, 0.05) << "the fingers are the glove's";
}

}  // namespace
}  // namespace glovebox::vr::layer
