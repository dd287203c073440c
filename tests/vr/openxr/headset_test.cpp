// The link to the headset in every state and under every fault, in a process of its own against the test runtime and
// under the core validation layer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tests/runtime/run_with_runtime.h"
#include "tracking/openxr/controller_hand.h"
#include "tracking/openxr/hand_joints.h"
#include "vr/openxr/extensions.h"

namespace glovebox::vr::openxr {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using tests::Ran;
using tests::RunOptions;

constexpr const char* kHands = "hand left tap\nhand right tap\n";

Ran probe(const std::string& script, std::vector<std::string> arguments = {}, RunOptions options = {}) {
    options.script = script;
    arguments.insert(arguments.begin(), OPENXR_PROBE);
    return tests::run_with_runtime(arguments, options);
}

// What holds of every run, whatever happened in it.
void expect_clean(const Ran& ran) {
    EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err << ran.log;
    EXPECT_FALSE(ran.timed_out);
    EXPECT_THAT(ran.validation_errors, IsEmpty());
    EXPECT_EQ(ran.count("refused xr"), 0) << ran.log;
    EXPECT_EQ(ran.count("left_behind 0 vibrating 0"), 1) << ran.log;
}

TEST(HeadsetLink, RunsFocusedWithBothHandsAndEndsCleanly) {
    const Ran ran = probe(kHands);
    expect_clean(ran);
    EXPECT_THAT(ran.out, HasSubstr("phase focused"));
    EXPECT_THAT(ran.out, HasSubstr("hand 0 live"));
    EXPECT_THAT(ran.out, HasSubstr("hand 1 live"));
    EXPECT_THAT(ran.out, HasSubstr("left simple_controller right simple_controller rate 90"));
    EXPECT_THAT(ran.out, HasSubstr("frames 100 "));
    EXPECT_THAT(ran.log, HasSubstr("state EXITING"));
}

TEST(HeadsetLink, AsksForNoMemoryAndLocksNothingFromARuntimeToItsFrame) {
    RunOptions options;
    options.script = "hand left tap\nhand right tap\n";
    options.validation = false;
    const Ran ran = tests::run_with_runtime({WATCHED_HEADSET}, options);
    ASSERT_EQ(ran.exit_code, 0) << ran.err << ran.log;
    if (ran.out.starts_with("not watched")) GTEST_SKIP() << ran.out;
    EXPECT_THAT(ran.out, HasSubstr("frames 100 "));
    EXPECT_THAT(ran.out, HasSubstr(" allocations 0 locks 0\n"));
}

TEST(HeadsetLink, PoseAgesAreOfOurClockThoughTheRuntimesIsAnother) {
    const Ran ran = probe(kHands);
    const auto at = ran.out.find("age_ms ");
    ASSERT_NE(at, std::string::npos);
    const double age_ms = std::stod(ran.out.substr(at + 7));
    EXPECT_GT(age_ms, 0.0);
    EXPECT_LT(age_ms, 50.0) << "seconds off would mean that the clocks were confused";
}

TEST(HeadsetLink, EndsWhenThePersonClosesItFromTheHeadset) {
    const Ran ran = probe(std::string(kHands) + "at 20 exiting\n");
    expect_clean(ran);
    EXPECT_THAT(ran.out, Not(HasSubstr("frames 100 ")));
}

TEST(HeadsetLink, SurvivesFocusLossAndStopsWhatIsFelt) {
    const Ran ran =
        probe("hand left still at 0 0.9 -0.3\nhand right still at 0 0.9 -0.3\nat 20 visible\nat 50 focused\n");
    expect_clean(ran);
    EXPECT_THAT(ran.out, HasSubstr("phase visible"));
    EXPECT_THAT(ran.out, HasSubstr("frames 100 "));
    // Between losing the focus and having it again the fingers were let go and nothing was switched on.
    const auto lost = ran.log.find("state VISIBLE", ran.log.find("state FOCUSED"));
    const auto again = ran.log.find("state FOCUSED", lost);
    ASSERT_NE(lost, std::string::npos);
    ASSERT_NE(again, std::string::npos);
    const std::string between = ran.log.substr(lost, again - lost);
    EXPECT_THAT(between, HasSubstr("haptic curl left 0.000 0.000 0.000 0.000 0.000"));
    EXPECT_THAT(between, HasSubstr("haptic curl right 0.000 0.000 0.000 0.000 0.000"));
    EXPECT_THAT(between, Not(HasSubstr("haptic apply")));
}

TEST(HeadsetLink, SurvivesStoppingAndRunsAgain) {
    const Ran ran = probe(std::string(kHands) + "at 20 stopping 0.1\n");
    expect_clean(ran);
    EXPECT_THAT(ran.out, HasSubstr("phase idle"));
    EXPECT_THAT(ran.out, HasSubstr("frames 100 updates"));
    EXPECT_THAT(ran.out, HasSubstr("attached 1 "));
}

struct Loss {
    const char* name;
    const char* event;
    const char* expected;
};
void PrintTo(const Loss& loss, std::ostream* out) {
    *out << loss.name;
}
class Losses : public testing::TestWithParam<Loss> {};

TEST_P(Losses, AreWaitedOutAndTheLinkIsMadeAgain) {
    const Ran ran = probe(std::string(kHands) + GetParam().event);
    expect_clean(ran);
    EXPECT_THAT(ran.out, HasSubstr("frames 100 "));
    EXPECT_THAT(ran.out, HasSubstr(GetParam().expected));
    EXPECT_THAT(ran.out, HasSubstr("attached 2 "));
    EXPECT_THAT(ran.out, HasSubstr("hand 0 gone"));
    // It waits: a loop that spins would update tens of thousands of times.
    const int updates = std::stoi(ran.out.substr(ran.out.find("updates ") + 8));
    EXPECT_LT(updates, 1000);
}
INSTANTIATE_TEST_SUITE_P(
    HeadsetLink, Losses,
    testing::Values(Loss{"session_lost", "at 20 session_lost\n", "sessions_lost 1"},
                    Loss{"session_lost_and_headset_away", "at 20 session_lost 0.4\n", "phase no headset"},
                    Loss{"session_loss_pending", "at 20 session_loss_pending 0.2\n", "sessions_lost 1"},
                    Loss{"instance_lost", "at 20 instance_lost 0.4\n", "phase no runtime"},
                    Loss{"instance_loss_pending", "at 20 loss_pending 0.3\n", "instances_lost 1"},
                    Loss{"session_that_speaks_after_its_end", "stale_events on\nat 20 session_lost\n",
                         "sessions_lost 1"}),
    [](const auto& param_info) { return std::string(param_info.param.name); });

TEST(HeadsetLink, SurvivesLossAfterLoss) {
    const Ran ran =
        probe(std::string(kHands) +
              "at 10 session_lost\nat 20 instance_lost 0.2\nat 30 stopping 0.05\nat 40 session_loss_pending\n"
              "at 50 loss_pending 0.1\nat 60 instance_lost 0.1\n");
    expect_clean(ran);
    EXPECT_THAT(ran.out, HasSubstr("attached 6 sessions_lost 2 instances_lost 3"));
}

TEST(HeadsetLink, WaitsForARuntimeAndAHeadsetThatComeLater) {
    RunOptions options;
    options.validation = false;  // the layer makes the loader say more than one thing here
    const Ran ran = probe(std::string(kHands) + "unavailable 2\nno_headset 2\n", {}, options);
    expect_clean(ran);
    EXPECT_THAT(ran.out, HasSubstr("phase no runtime"));
    EXPECT_THAT(ran.out, HasSubstr("phase no headset"));
    EXPECT_THAT(ran.out, HasSubstr("frames 100 "));
}

TEST(HeadsetLink, WithoutAnyRuntimeItSaysSoAndWaits) {
    RunOptions options;
    options.no_runtime = true;
    options.validation = false;
    const Ran ran = probe("", {"--seconds", "0.5"}, options);
    EXPECT_EQ(ran.exit_code, 0);
    EXPECT_THAT(ran.out, HasSubstr("trouble "));
    EXPECT_THAT(ran.out, HasSubstr("frames 0 "));
}

TEST(HeadsetLink, LosesAndFindsAHandAndStopsWhatItFelt) {
    const Ran ran =
        probe("hand left still at 0 0.9 -0.3\nhand right still at 0 0.9 -0.3\nat 30 drop right\nat 60 heal right\n");
    expect_clean(ran);
    EXPECT_THAT(ran.out, HasSubstr("hand 1 gone"));
    const auto dropped = ran.log.find("script hand right fault");
    EXPECT_THAT(ran.log.substr(dropped), HasSubstr("haptic stop right"));
    EXPECT_THAT(ran.log.substr(dropped), HasSubstr("haptic curl right 0.000 0.000 0.000 0.000 0.000"));
}

TEST(HeadsetLink, HapticCallsGoOnWhileEarlierOnesAreReported) {
    const Ran ran =
        probe("hand left still at 0 0.9 -0.3\nhand right still at 0 0.9 -0.3\nat 60 visible\nat 70 focused\n",
              {"--report", "slow"});
    expect_clean(ran);
    const auto at = ran.out.find("reported ");
    ASSERT_NE(at, std::string::npos) << ran.out;
    EXPECT_GT(std::stoi(ran.out.substr(at + 9)), 20);
}

TEST(HeadsetLink, CountsRecentering) {
    const Ran ran = probe(std::string(kHands) + "at 30 recenter 0.5 0 0 yaw 90\nat 50 stage_moved\n");
    expect_clean(ran);
    EXPECT_THAT(ran.out, HasSubstr("recentered 1")) << "our seat is in LOCAL; where the stage is does not matter";
}

TEST(HeadsetLink, ASessionThatCannotBeginIsMadeAgain) {
    const Ran ran = probe(std::string(kHands) + "begin_fails 2\n");
    expect_clean(ran);
    EXPECT_THAT(ran.out, HasSubstr("trouble xrBeginSession: XR_ERROR_RUNTIME_FAILURE"));
    EXPECT_THAT(ran.out, HasSubstr("frames 100 "));
    EXPECT_THAT(ran.out, HasSubstr("attached 3 "));
}

TEST(HeadsetLink, EndsItsFramesInABlendModeThatTheDisplayHas) {
    for (const char* modes : {"additive", "alpha_blend additive", "alpha_blend opaque"}) {
        const Ran ran = probe(std::string(kHands) + "blend " + modes + "\n");
        expect_clean(ran);
        EXPECT_THAT(ran.out, HasSubstr("frames 100 ")) << modes;
    }
}

// How far the probe's right wrist was predicted to go, at most.
double ahead_mm(const std::string& script) {
    // Half a metre a second.
    const Ran ran =
        probe("hand right key 0 0 1.2 -0.3\nhand right key 2 1 1.2 -0.3\nhand right key 4 0 1.2 -0.3\n" + script);
    expect_clean(ran);
    const auto at = ran.out.find("ahead_mm ");
    return at == std::string::npos ? -1.0 : std::stod(ran.out.substr(at + 9));
}

TEST(HeadsetLink, HandsArePredictedByTheRuntimeOrByTheirVelocities) {
    // A frame ahead, and whatever a busy machine adds to it; never more than 25 ms by velocities.
    EXPECT_GT(ahead_mm(""), 3.0);
    const double by_velocities_mm = ahead_mm("honour_time off\n");
    EXPECT_GT(by_velocities_mm, 3.0);
    EXPECT_LT(by_velocities_mm, 13.0);
    EXPECT_EQ(ahead_mm("honour_time off\nvelocities off\n"), 0.0);
}

TEST(HeadsetLink, ControllersBendASyntheticHandWhereHandsAreNotTracked) {
    for (const char* lack : {"hand_tracking off\n", "without XR_EXT_hand_tracking\n"}) {
        const Ran ran = probe(std::string(kHands) + lack + "profile /interaction_profiles/oculus/touch_controller\n");
        expect_clean(ran);
        EXPECT_THAT(ran.out, HasSubstr("hand 0 synthetic")) << lack;
        EXPECT_THAT(ran.out, HasSubstr("left touch_controller right touch_controller"));
    }
}

TEST(HeadsetLink, ControllersServeWhereATrackedHandIsNotSeenForASecond) {
    // Half a second without the hand is no reason; then the person has taken up controllers, and puts them down again.
    const Ran ran =
        probe(std::string(kHands) +
                  "at 0.3s untracked right\nat 0.8s heal right\nat 1.3s untracked right\nat 3.2s heal right\n",
              {"--frames", "100000", "--seconds", "4"});
    expect_clean(ran);
    std::vector<std::string> right;
    std::istringstream lines(ran.out);
    for (std::string line; std::getline(lines, line);)
        if (const auto at = line.find(" hand 1 "); at != std::string::npos) right.push_back(line.substr(at + 8));
    if (!right.empty() && right.front() == "gone") right.erase(right.begin());  // before the first frame
    EXPECT_THAT(right, testing::ElementsAre("live", "gone", "live", "gone", "synthetic", "live"));
    EXPECT_THAT(ran.out, Not(HasSubstr("hand 0 synthetic")));
}

TEST(HeadsetLink, KnowsEveryController) {
    for (const char* profile : {"khr/simple_controller", "oculus/touch_controller", "valve/index_controller",
                                "htc/vive_controller", "microsoft/motion_controller", "ext/hand_interaction_ext"}) {
        const Ran ran =
            probe(std::string(kHands) + "hand_tracking off\nprofile /interaction_profiles/" + profile + "\n",
                  {"--frames", "20"});
        expect_clean(ran);
        EXPECT_THAT(ran.out, HasSubstr("hand 1 synthetic")) << profile;
    }
}

TEST(HeadsetLink, LivesWithoutEveryExtensionThatIsNotNeeded) {
    std::string script = kHands;
    for (const ExtensionRow& row : extension_table())
        if (row.use == Use::if_offered) script += std::string("without ") + row.name + "\n";
    const Ran ran = probe(script);
    expect_clean(ran);
    EXPECT_THAT(ran.out, HasSubstr("note XR_EXT_hand_tracking: no tracked hands"));
    EXPECT_THAT(ran.out, HasSubstr("hand 0 synthetic"));
}

TEST(HeadsetLink, SaysWhichNeededExtensionIsMissing) {
    const Ran ran = probe("without XR_MND_headless\n", {"--seconds", "0.3"});
    EXPECT_THAT(ran.out, HasSubstr("trouble this runtime makes no session without graphics"));
}

TEST(HeadsetLink, AKilledProcessLeavesNoMotorRunning) {
    RunOptions options;
    options.kill_after_s = 1.0;
    const Ran ran =
        probe("hand left still at 0 0.9 -0.3\nhand right still at 0 0.9 -0.3\n", {"--frames", "10000"}, options);
    EXPECT_EQ(ran.signal, 9);
    ASSERT_GT(ran.count("haptic apply"), 3) << ran.log;
    // No one could send a stop, so every pulse must end by itself, soon.
    EXPECT_EQ(ran.count("haptic apply"), ran.count("duration_ns 50000000"));
}

TEST(HeadsetLink, AnInterruptedProcessStopsEverything) {
    RunOptions options;
    options.interrupt_after_s = 1.0;
    const Ran ran =
        probe("hand left still at 0 0.9 -0.3\nhand right still at 0 0.9 -0.3\n", {"--frames", "10000"}, options);
    expect_clean(ran);
    const auto last = ran.log.rfind("haptic curl right");
    EXPECT_THAT(ran.log.substr(last), HasSubstr("haptic curl right 0.000 0.000 0.000 0.000 0.000"));
}

TEST(Extensions, EveryRowHasItsPlaceAndItsSentence) {
    for (std::size_t i = 0; i < extension_table().size(); ++i) {
        EXPECT_EQ(static_cast<std::size_t>(extension_table()[i].extension), i);
        EXPECT_FALSE(extension_table()[i].without.empty());
    }
}

TEST(Extensions, ASessionWithPicturesNeedsOpenGlAndNotHeadless) {
    const std::vector<std::string> offered{"XR_KHR_opengl_enable", "XR_EXT_hand_tracking"};
    const ExtensionChoice graphics = choose_extensions(offered, false);
    EXPECT_TRUE(graphics.missing.empty());
    EXPECT_TRUE(graphics.enabled.has(Extension::hand_tracking));
    EXPECT_FALSE(choose_extensions(offered, true).missing.empty());
}

TEST(HandJoints, KeepEveryFlagNumberAndRadius) {
    tracking::LocatedJoints joints;
    joints.prepare(true);
    joints.out.isActive = XR_TRUE;
    for (std::size_t j = 0; j < joints.locations.size(); ++j) {
        const auto f = static_cast<float>(j);
        joints.locations[j] = {j % 16, {{0.1F, 0.2F, 0.3F, f}, {f, -f, 2 * f}}, 0.001F * f};
    }
    tracking::HandFrame frame;
    tracking::hand_frame_from_openxr(joints, tracking::Side::left, frame);
    EXPECT_TRUE(frame.active);
    EXPECT_EQ(frame.source, tracking::Source::live);
    for (std::size_t j = 0; j < frame.joints.size(); ++j) {
        const auto f = static_cast<float>(j);
        EXPECT_EQ(frame.joints[j].flags, j % 16);
        EXPECT_EQ(frame.joints[j].radius_m, 0.001F * f);
        EXPECT_EQ(frame.joints[j].position_m, Eigen::Vector3f(f, -f, 2 * f));
        EXPECT_EQ(frame.joints[j].orientation.coeffs(), Eigen::Vector4f(0.1F, 0.2F, 0.3F, f));
    }
}

TEST(HandJoints, ExtrapolationFollowsVelocitiesAndNothingElse) {
    tracking::LocatedJoints joints;
    joints.prepare(true);
    tracking::HandFrame frame;
    frame.active = true;
    EXPECT_EQ(tracking::extrapolated(frame, joints, 0.02F).joints[3].position_m, frame.joints[3].position_m);
    joints.velocities[XR_HAND_JOINT_WRIST_EXT] = {XR_SPACE_VELOCITY_LINEAR_VALID_BIT, {1, 0, 0}, {}};
    joints.velocities[10] = {XR_SPACE_VELOCITY_LINEAR_VALID_BIT, {0, 2, 0}, {}};
    const tracking::HandFrame ahead = tracking::extrapolated(frame, joints, 0.02F);
    EXPECT_EQ(ahead.source, tracking::Source::extrapolated);
    EXPECT_FLOAT_EQ(ahead.joints[3].position_m.x(), 0.02F) << "without a velocity of its own it goes with the wrist";
    EXPECT_FLOAT_EQ(ahead.joints[10].position_m.y(), 0.04F);
    EXPECT_FLOAT_EQ(ahead.joints[10].position_m.x(), 0.0F);
}

TEST(HandJoints, PosesRoundTrip) {
    const XrPosef pose{{0.5F, -0.5F, 0.5F, 0.5F}, {1, 2, 3}};
    const XrPosef back = tracking::openxr_from_isometry(tracking::isometry_from_openxr(pose));
    EXPECT_NEAR(back.orientation.x, 0.5F, 1e-6F);
    EXPECT_NEAR(back.orientation.w, 0.5F, 1e-6F);
    EXPECT_EQ(back.position.z, 3.0F);
}

TEST(ControllerHand, TriggerBendsTheIndexFingerOnly) {
    tracking::ControllerInput input;
    input.present = true;
    const auto profile = tracking::default_profile();
    const tracking::HandFrame open = tracking::hand_from_controller(input, profile, tracking::Side::right);
    input.trigger = 1.0F;
    const tracking::HandFrame pulled = tracking::hand_from_controller(input, profile, tracking::Side::right);
    using tracking::Joint;
    EXPECT_GT((open[Joint::index_tip].position_m - pulled[Joint::index_tip].position_m).norm(), 0.03F);
    EXPECT_LT((open[Joint::ring_tip].position_m - pulled[Joint::ring_tip].position_m).norm(), 1e-6F);
    EXPECT_EQ(open.source, tracking::Source::synthetic);
}

TEST(ControllerHand, TheGripIsInThePalmOfBothHands) {
    tracking::ControllerInput input;
    input.present = true;
    input.squeeze = 1.0F;
    for (const auto side : {tracking::Side::left, tracking::Side::right}) {
        const tracking::HandFrame hand = tracking::hand_from_controller(input, tracking::default_profile(), side);
        EXPECT_LT(hand[tracking::Joint::palm].position_m.norm(), 0.06F) << "the grip is the origin here";
        for (const auto& joint : hand.joints) EXPECT_TRUE(joint.position_m.allFinite());
        // The palm looks inwards: to -X for the right hand, to +X for the left; +Y of the palm joint is the back.
        const Eigen::Vector3f back = hand[tracking::Joint::palm].orientation * Eigen::Vector3f::UnitY();
        EXPECT_GT(side == tracking::Side::right ? back.x() : -back.x(), 0.9F);
    }
}

TEST(ControllerHand, NoControllerIsNoHand) {
    const auto frame = tracking::hand_from_controller({}, tracking::default_profile(), tracking::Side::left);
    EXPECT_FALSE(frame.active);
}

}  // namespace
}  // namespace glovebox::vr::openxr
