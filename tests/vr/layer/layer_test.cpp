// The API layer in processes of its own, against the test runtime, above and below the core validation layer.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <openxr/openxr.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "recordings/load.h"
#include "recordings/log/application_log.h"
#include "recordings/log/log_writer.h"
#include "tests/vr/layer/run_hand_app.h"
#include "tests/vr/run_program.h"
#include "vr/layer/layer_options.h"
#include "vr/layer/loader_interface.h"

namespace glovebox::vr::layer {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using tests::Ran;
using tests::RunOptions;

RunOptions no_layer(const std::string& script) {
    RunOptions options = under({}, script);
    options.environment.erase("XR_ENABLE_API_LAYERS");
    options.validation = false;
    return options;
}

std::size_t times(const std::string& what, const std::string& text) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size()) ++count;
    return count;
}

// Of a run, what does not depend on when it was run: hands are asked for at the real time.
std::vector<std::string> facts_of(const Ran& ran) {
    std::vector<std::string> facts;
    std::istringstream lines(ran.out);
    for (std::string line; std::getline(lines, line);)
        if (line.rfind("hand ", 0) != 0 || line.rfind("hand tracking", 0) == 0) facts.push_back(line);
    std::ranges::sort(facts);  // the order of extensions is the loader's
    return facts;
}

TEST(Layer, LeavesAnApplicationAsItIsWhereNothingIsAskedFor) {
    const Ran bare = run_hand_app({"--frames", "20"}, no_layer(kHandsScript));
    expect_clean(bare);
    const Ran alone = run_hand_app({"--frames", "20"}, under({kOurs}, kHandsScript));
    expect_clean(alone);
    EXPECT_EQ(facts_of(alone), facts_of(bare));
    for (const RunOptions& options : {above_validation(kHandsScript), below_validation(kHandsScript)}) {
        const Ran layered = run_hand_app({"--frames", "20"}, options);
        expect_clean(layered);
        EXPECT_EQ(hands_in(layered.out).size(), 40U);
        EXPECT_EQ(facts_of(layered), facts_of(run_hand_app({"--frames", "20", "--plain"}, no_layer(kHandsScript))));
        EXPECT_THAT(layered.err, Not(HasSubstr("glovebox")));
    }
}

TEST(Layer, ListsOfExtensionsMerge) {
    for (const char* lacking : {"", "without XR_EXT_hand_tracking\n", "without XR_MNDX_force_feedback_curl\n",
                                "without XR_EXT_hand_tracking\nwithout XR_MNDX_force_feedback_curl\n"}) {
        const Ran ran = run_hand_app({"--frames", "3"}, under({kOurs}, std::string(kHandsScript) + lacking));
        expect_clean(ran);
        EXPECT_EQ(times("offers XR_EXT_hand_tracking ", ran.out), 1U) << lacking;
        EXPECT_EQ(times("offers XR_MNDX_force_feedback_curl ", ran.out), 1U) << lacking;
        EXPECT_EQ(times("offers XR_MND_headless ", ran.out), 1U) << lacking;
    }
}

TEST(Layer, SaysThatThereAreNoHandsWhereNeitherTheRuntimeNorTheLayerHasAny) {
    for (const RunOptions& options :
         {under({kOurs}, "without XR_EXT_hand_tracking\n"), above_validation("without XR_EXT_hand_tracking\n"),
          below_validation("without XR_EXT_hand_tracking\n")}) {
        const Ran ran = run_hand_app({"--frames", "3"}, options);
        EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err << ran.log;
        EXPECT_THAT(ran.validation_errors, IsEmpty());
        EXPECT_THAT(ran.out, HasSubstr("hand tracking 0 "));
        EXPECT_THAT(ran.out, HasSubstr("tracker 0 result -8")) << "XR_ERROR_FEATURE_UNSUPPORTED";
        EXPECT_EQ(ran.count("left_behind 0 vibrating 0"), 1) << ran.log;
    }
}

TEST(Layer, ErrorsAreTheRuntimesOwn) {
    for (const char* wrong : {"time", "count", "type", "space", "hand"}) {
        const Ran bare = run_hand_app({"--frames", "2", "--wrong", wrong}, no_layer(kHandsScript));
        const Ran layered = run_hand_app({"--frames", "2", "--wrong", wrong}, under({kOurs}, kHandsScript));
        EXPECT_THAT(bare.out, HasSubstr(std::string(wrong) == "hand" ? "tracker 0 result -1" : "located -"));
        EXPECT_EQ(facts_of(layered), facts_of(bare)) << wrong;
    }
}

TEST(Layer, ServesSessionAfterSessionAndThreadBesideThread) {
    RunOptions options = above_validation(kHandsScript);
    options.environment[kRecord] = "{folder}/take.glove";
    const Ran ran = run_hand_app({"--frames", "20", "--sessions", "3", "--threads"}, options);
    expect_clean(ran);
    EXPECT_EQ(hands_in(ran.out).size(), 120U);
}

double max_difference(const std::vector<Given>& a, const std::vector<Given>& b) {
    double most = a.size() == b.size() ? 0.0 : 1e9;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        if (a[i].active != b[i].active || a[i].side != b[i].side) return 1e9;
        if (!a[i].active) continue;
        for (std::size_t j = 0; j < a[i].joints.size(); ++j) {
            if (a[i].joints[j].flags != b[i].joints[j].flags) return 1e9;
            for (std::size_t n = 0; n < 8; ++n)
                most = std::max(most, std::abs(a[i].joints[j].numbers[n] - b[i].joints[j].numbers[n]));
        }
    }
    return most;
}

TEST(LayerRecord, KeepsWhatTheApplicationWasGivenToTheBit) {
    LogFolder log;
    const Ran ran =
        run_hand_app({"--frames", "60"}, with_options(above_validation(kHandsScript), {{kRecord, log.take}}));
    expect_clean(ran);
    EXPECT_THAT(ran.err, HasSubstr("glovebox layer: recorded 60 samples to " + log.take));
    const recordings::Recording recording = recordings::load(log.take);
    EXPECT_EQ(recording.meta.at("application"), "hand application");
    const std::vector<Given> given = hands_in(ran.out);
    ASSERT_EQ(recording.samples.size(), 60U);
    ASSERT_EQ(given.size(), 120U);
    for (std::size_t i = 0; i < given.size(); ++i) {
        const tracking::HandPair& sample = recording.samples[i / 2];
        const tracking::HandFrame& hand = sample.hands[given[i].side];
        EXPECT_EQ(sample.time_ns, static_cast<std::int64_t>(i / 2) * 10'000'000);
        ASSERT_TRUE(hand.active && given[i].active);
        EXPECT_EQ(hand.source, tracking::Source::live);
        for (std::size_t j = 0; j < hand.joints.size(); ++j) {
            const Given::Joint& joint = given[i].joints[j];
            EXPECT_EQ(hand.joints[j].flags, joint.flags);
            EXPECT_EQ(hand.joints[j].radius_m, static_cast<float>(joint.numbers[7]));
            for (int n = 0; n < 3; ++n)
                EXPECT_EQ(hand.joints[j].position_m[n], static_cast<float>(joint.numbers[static_cast<std::size_t>(n)]));
            for (int n = 0; n < 4; ++n)
                EXPECT_EQ(hand.joints[j].orientation.coeffs()[n],
                          static_cast<float>(joint.numbers[3 + static_cast<std::size_t>(n)]));
        }
    }
}

TEST(LayerRecord, LosesNothingOfTheApplicationsOwnPace) {
    LogFolder log;
    // As fast as it can, and each hand in a thread of its own.
    const Ran ran = run_hand_app({"--frames", "800", "--threads"},
                                 with_options(under({kOurs}, kHandsScript), {{kRecord, log.take}}));
    expect_clean(ran);
    EXPECT_EQ(recordings::load(log.take).samples.size(), 800U);
}

TEST(LayerRecord, SurvivesTheApplicationsDeath) {
    LogFolder log;
    RunOptions options = with_options(under({kOurs}, kHandsScript), {{kRecord, log.take}});
    options.kill_after_s = 1.5;
    const Ran ran = run_hand_app({"--frames", "100000", "--pace"}, options);
    EXPECT_EQ(ran.signal, 9);
    const std::size_t given = hands_in(ran.out).size() / 2;
    const std::size_t kept = recordings::load(log.take).samples.size();
    EXPECT_GT(given, 60U);
    EXPECT_LE(kept, given + 1);
    EXPECT_GT(kept + 50, given) << "the last 250 ms at most are lost";
}

TEST(LayerRecord, AHandThatIsLostIsKeptAsLost) {
    LogFolder log;
    const Ran ran =
        run_hand_app({"--frames", "60"},
                     with_options(under({kOurs}, std::string(kHandsScript) + "at 20 drop right\nat 40 heal right\n"),
                                  {{kRecord, log.take}}));
    const std::vector<Given> given = hands_in(ran.out);
    const recordings::Recording recording = recordings::load(log.take);
    int lost = 0;
    for (std::size_t i = 0; i < given.size(); ++i) {
        EXPECT_EQ(recording.samples[i / 2].hands[given[i].side].active, given[i].active);
        lost += given[i].active ? 0 : 1;
    }
    EXPECT_NEAR(lost, 20, 2);
}

TEST(LayerRecord, SessionsAfterALossGoIntoTheSameLog) {
    LogFolder log;
    const Ran ran = run_hand_app(
        {"--frames", "40", "--sessions", "2"},
        with_options(under({kOurs}, std::string(kHandsScript) + "at 20 session_lost\n"), {{kRecord, log.take}}));
    EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("lost\n"));
    EXPECT_GT(recordings::load(log.take).samples.size(), 40U);
}

TEST(LayerReplay, GivesTheSameHandsAgain) {
    LogFolder log;
    const Ran recorded = run_hand_app(
        {"--frames", "80"},
        with_options(under({kOurs}, std::string(kHandsScript) + "noise 0.002\nat 30 drop left\nat 50 heal left\n"),
                     {{kRecord, log.take}}));
    expect_clean(recorded);
    const std::vector<Given> before = hands_in(recorded.out);
    for (const char* device : {"hand left still\nhand right still\n", "hand left off\n", "hand_tracking off\n",
                               "without XR_EXT_hand_tracking\n"}) {
        const bool tracked = std::string(device).find("hand_tracking") == std::string::npos;
        for (const RunOptions& options : {under({kOurs}, device), above_validation(device), below_validation(device)}) {
            const Ran ran = run_hand_app({"--frames", "80"}, with_options(options, {{kReplay, log.take}}));
            EXPECT_EQ(ran.exit_code, 0) << ran.out.substr(0, 2000) << ran.err << ran.log;
            EXPECT_THAT(ran.validation_errors, IsEmpty());
            if (tracked) expect_clean(ran);
            EXPECT_THAT(ran.out, HasSubstr("hand tracking 1 "));
            EXPECT_LT(max_difference(before, hands_in(ran.out)), 1e-6) << device;
        }
    }
}

TEST(LayerReplay, GivesTheSameHandsInAnotherSpace) {
    LogFolder log;
    // LOCAL has been moved and turned: STAGE is another space.
    const std::string turned = std::string(kHandsScript) + "head 0.3 1.6 -0.2 yaw 40\n";
    const Ran recorded = run_hand_app({"--frames", "50", "--space", "stage"},
                                      with_options(under({kOurs}, turned), {{kRecord, log.take}}));
    expect_clean(recorded);
    const Ran ran =
        run_hand_app({"--frames", "50", "--space", "stage"},
                     with_options(under({kOurs}, "hand left off\nhead 0.3 1.6 -0.2 yaw 40\n"), {{kReplay, log.take}}));
    expect_clean(ran);
    EXPECT_LT(max_difference(hands_in(recorded.out), hands_in(ran.out)), 1e-6);
    // And elsewhere they lie where LOCAL is elsewhere.
    const Ran local = run_hand_app({"--frames", "50"}, with_options(under({kOurs}, turned), {{kReplay, log.take}}));
    EXPECT_GT(max_difference(hands_in(recorded.out), hands_in(local.out)), 0.5);
}

TEST(LayerReplay, InterpolatesAtAnyTimeAndSaysHowHandsMove) {
    LogFolder log;
    const std::filesystem::path hands_only = log.folder.path / "hands.glove";
    const char* sliding = "hand right key 0 0 1.2 -0.3\nhand right key 2 1 1.2 -0.3\nhand right key 4 0 1.2 -0.3\n";
    expect_clean(run_hand_app({"--frames", "80"}, with_options(under({kOurs}, sliding), {{kRecord, log.take}})));
    // The same time at nearly three times the rate: between two samples the hand lies on the line between them.
    const recordings::Recording recording = recordings::load(log.take);
    recordings::save_log(recording, hands_only);  // without the velocities that the device reported
    const Ran ran = run_hand_app({"--frames", "200", "--step-ms", "3.7"},
                                 with_options(under({kOurs}, "hand left off\n"), {{kReplay, hands_only.string()}}));
    expect_clean(ran);
    int seen = 0;
    for (const Given& hand : hands_in(ran.out)) {
        if (hand.side == 0) continue;
        ASSERT_TRUE(hand.active);
        const double t_steps = 0.37 * hand.frame;
        const auto before = static_cast<std::size_t>(t_steps);
        const auto tip = [&](std::size_t sample) {
            return recording.samples[sample][tracking::Side::right][tracking::Joint::index_tip]
                .position_m.cast<double>()
                .eval();
        };
        const double share = t_steps - static_cast<double>(before);
        const Eigen::Vector3d expected = (1.0 - share) * tip(before) + share * tip(before + 1);
        const Eigen::Vector3d speed = (tip(before + 1) - tip(before)) / 0.01;
        EXPECT_EQ(hand.velocity_flags, 3U);
        for (int n = 0; n < 3; ++n) {
            const auto i = static_cast<std::size_t>(n);
            EXPECT_NEAR(hand.joints[XR_HAND_JOINT_INDEX_TIP_EXT].numbers[i], expected[n], 1e-6) << hand.frame;
            EXPECT_NEAR(hand.velocity[i], speed[n], 1e-3) << hand.frame;
        }
        ++seen;
    }
    EXPECT_EQ(seen, 200);
}

// The test runtime reports linear velocities alone; computed ones would have both flags.
TEST(LayerReplay, VelocitiesOfTheDeviceComeBack) {
    constexpr const char* kMoving =
        "hand right key 0 0 1.2 -0.3\nhand right key 2 1 1.2 -0.3 yaw 50 curl 1\nhand left tap\n";
    constexpr const char* kTurned = "head 0.3 1.6 -0.2 yaw 40\n";
    struct Case {
        const char *space, *more;
        unsigned flags;
    };
    for (const Case& each : {Case{"local", "", 1}, Case{"stage", kTurned, 1}, Case{"local", "velocities off\n", 0}}) {
        LogFolder log;
        const std::vector<std::string> arguments = {"--frames", "80", "--space", each.space};
        const Ran recorded = run_hand_app(
            arguments, with_options(under({kOurs}, std::string(kMoving) + each.more), {{kRecord, log.take}}));
        const Ran ran = run_hand_app(
            arguments, with_options(under({kOurs}, std::string("hand left off\n") + each.more), {{kReplay, log.take}}));
        expect_clean(ran);
        const std::vector<Given> before = hands_in(recorded.out), after = hands_in(ran.out);
        ASSERT_EQ(before.size(), 160U);
        ASSERT_EQ(after.size(), 160U);
        double fastest_m_s = 0.0;
        for (std::size_t i = 0; i < after.size(); ++i) {
            EXPECT_EQ(before[i].velocity_flags, each.flags);
            EXPECT_EQ(after[i].velocity_flags, each.flags) << each.space << each.more;
            for (std::size_t n = 0; each.flags != 0 && n < 3; ++n) {
                EXPECT_NEAR(before[i].velocity[n], after[i].velocity[n], 1e-6) << each.space;
                fastest_m_s = std::max(fastest_m_s, std::abs(after[i].velocity[n]));
            }
        }
        if (each.flags != 0) {
            EXPECT_GT(fastest_m_s, 0.3);
        }
        EXPECT_EQ(recordings::read_application_log(log.take).velocities.size(), 160U);
    }
}

TEST(LayerRecord, AsksTheDeviceForVelocitiesThatTheApplicationDoesNot) {
    LogFolder log;
    const RunOptions options = under({kOurs}, "hand left still\nhand right still\n");
    const Ran own = run_hand_app({"--frames", "40", "--no-velocities"}, options);
    const Ran ran = run_hand_app({"--frames", "40", "--no-velocities"}, with_options(options, {{kRecord, log.take}}));
    expect_clean(ran);
    EXPECT_EQ(hands_in(ran.out).size(), 80U);
    EXPECT_LT(max_difference(hands_in(own.out), hands_in(ran.out)), 1e-9) << "the application is given what it was";
    const auto velocities = recordings::read_application_log(log.take).velocities;
    ASSERT_EQ(velocities.size(), 80U);
    for (const recordings::HandVelocity& hand : velocities)
        EXPECT_EQ(hand.joints[XR_HAND_JOINT_INDEX_TIP_EXT].flags, recordings::HandVelocity::kLinearValid);
}

TEST(LayerReplay, IsOverAtItsEndOrBeginsAgain) {
    LogFolder log;
    expect_clean(run_hand_app({"--frames", "30"}, with_options(under({kOurs}, kHandsScript), {{kRecord, log.take}})));
    const auto once = hands_in(
        run_hand_app({"--frames", "90"}, with_options(under({kOurs}, kHandsScript), {{kReplay, log.take}})).out);
    const auto loop = hands_in(run_hand_app({"--frames", "90"}, with_options(under({kOurs}, kHandsScript),
                                                                             {{kReplay, log.take}, {kLoop, "1"}}))
                                   .out);
    ASSERT_EQ(once.size(), 180U);
    ASSERT_EQ(loop.size(), 180U);
    EXPECT_FALSE(once.back().active) << "no hand, and not the device's";
    for (std::size_t i = 0; i < 60; ++i) {
        EXPECT_LT(max_difference({loop[i]}, {once[i]}), 1e-9);
        Given again = loop[60 + i];
        EXPECT_LT(max_difference({again}, {once[i]}), 1e-9) << i;
    }
}

TEST(LayerReplay, RecordsWhatItReplaysToTheBit) {
    LogFolder log;
    const std::string again = (log.folder.path / "again.glove").string();
    expect_clean(run_hand_app({"--frames", "50"}, with_options(under({kOurs}, kHandsScript), {{kRecord, log.take}})));
    expect_clean(run_hand_app(
        {"--frames", "50"}, with_options(under({kOurs}, "hand left off\n"), {{kReplay, log.take}, {kRecord, again}})));
    const recordings::Recording a = recordings::load(log.take), b = recordings::load(again);
    ASSERT_EQ(a.samples.size(), b.samples.size());
    for (std::size_t i = 0; i < a.samples.size(); ++i)
        for (const tracking::Side side : tracking::kSides)
            for (std::size_t j = 0; j < tracking::kJointCount; ++j)
                EXPECT_EQ(a.samples[i][side].joints[j].position_m, b.samples[i][side].joints[j].position_m);
    EXPECT_EQ(b.samples[0][tracking::Side::left].source, tracking::Source::replay);
}

TEST(LayerReplay, SurvivesTheLossOfTheSession) {
    LogFolder log;
    expect_clean(run_hand_app({"--frames", "60"}, with_options(under({kOurs}, kHandsScript), {{kRecord, log.take}})));
    for (const char* loss : {"at 20 session_lost\n", "at 20 session_loss_pending 0.1\n", "at 20 instance_lost\n"}) {
        const Ran ran =
            run_hand_app({"--frames", "40", "--sessions", "2"},
                         with_options(under({kOurs}, std::string(kHandsScript) + loss), {{kReplay, log.take}}));
        EXPECT_GE(ran.exit_code, 0) << ran.out << ran.err << ran.log;
        EXPECT_THAT(ran.out, HasSubstr("lost\n")) << loss;
        EXPECT_EQ(ran.count("refused xr"), 0) << ran.log;
    }
}

struct BadLog {
    const char* name;
    const char* says;
};
class LayerBadInput : public testing::TestWithParam<BadLog> {};

TEST_P(LayerBadInput, IsSaidInOneLineAndTheApplicationHasItsOwnHands) {
    LogFolder log;
    const std::string name = GetParam().name;
    std::string text = "nothing that a hand ever did\n";
    if (name == "damaged") {
        expect_clean(
            run_hand_app({"--frames", "60"}, with_options(under({kOurs}, kHandsScript), {{kRecord, log.take}})));
        text = text_of_file(log.take);
        for (std::size_t i = 4096; i < text.size(); i += 3) text[i] = 'x';
    }
    if (name != "missing") std::ofstream(log.take, std::ios::binary) << text;
    const Ran own = run_hand_app({"--frames", "20"}, under({kOurs}, "hand left still\nhand right still\n"));
    const Ran ran = run_hand_app(
        {"--frames", "20"}, with_options(under({kOurs}, "hand left still\nhand right still\n"), {{kReplay, log.take}}));
    expect_clean(ran);
    EXPECT_THAT(ran.err, HasSubstr(GetParam().says));
    EXPECT_EQ(times("\n", ran.err), 1U) << ran.err;
    EXPECT_LT(max_difference(hands_in(own.out), hands_in(ran.out)), 1e-9);
    // Where there are none, there are none.
    const Ran none = run_hand_app(
        {"--frames", "5"}, with_options(under({kOurs}, "without XR_EXT_hand_tracking\n"), {{kReplay, log.take}}));
    EXPECT_THAT(none.out, HasSubstr("hand tracking 0 "));
}
INSTANTIATE_TEST_SUITE_P(Logs, LayerBadInput,
                         testing::Values(BadLog{"missing", "no such file"}, BadLog{"wrong", "take.glove"},
                                         BadLog{"damaged", "recover"}),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(LayerRecord, DoesNotReplaceAFileAndTakesTheNextName) {
    LogFolder log;
    std::ofstream(log.take) << "precious";
    const Ran ran = run_hand_app({"--frames", "20"}, with_options(under({kOurs}, kHandsScript), {{kRecord, log.take}}));
    expect_clean(ran);
    EXPECT_THAT(ran.err, HasSubstr("recorded 20 samples to " + (log.folder.path / "take-2.glove").string()));
    EXPECT_EQ(text_of_file(log.take), "precious");
    EXPECT_EQ(recordings::load(log.folder.path / "take-2.glove").samples.size(), 20U);
}

TEST(LayerSupply, AnEmulatedGloveMovesTheApplicationsHand) {
    for (const char* lacking :
         {"without XR_EXT_hand_tracking\nwithout XR_MNDX_force_feedback_curl\n", "hand_tracking off\n"}) {
        const Ran ran = tests::run_with_runtime(glove_script("flick", "RIGHT", "--pace --frames 150 --curl 0.7"),
                                                beside_a_glove(under({kOurs}, lacking)));
        EXPECT_EQ(ran.exit_code, 0) << ran.out.substr(0, 3000) << ran.err;
        EXPECT_THAT(ran.out, HasSubstr("hand tracking 1 force feedback 1"));
        EXPECT_THAT(ran.out, HasSubstr("tracker 1 result 0"));
        EXPECT_THAT(ran.out, HasSubstr("curl 0 0"));
        EXPECT_EQ(ran.count("left_behind 0 vibrating 0"), 1) << ran.log;
        int active = 0;
        double min_m = 1.0, max_m = 0.0;
        for (const Given& hand : hands_in(ran.out)) {
            if (hand.side == 0) {
                EXPECT_FALSE(hand.active) << "there is no glove on the left";
            }
            if (hand.side == 0 || !hand.active) continue;
            ++active;
            Eigen::Vector3d wrist, tip;
            for (int n = 0; n < 3; ++n) {
                wrist[n] = hand.joints[XR_HAND_JOINT_WRIST_EXT].numbers[static_cast<std::size_t>(n)];
                tip[n] = hand.joints[XR_HAND_JOINT_INDEX_TIP_EXT].numbers[static_cast<std::size_t>(n)];
            }
            EXPECT_LT((wrist - Eigen::Vector3d(0.15, -0.35, -0.35)).norm(), 1e-5);
            min_m = std::min(min_m, (tip - wrist).norm());
            max_m = std::max(max_m, (tip - wrist).norm());
            for (const auto& joint : hand.joints) EXPECT_EQ(joint.flags & 3U, 3U);
        }
        EXPECT_GT(active, 100);
        EXPECT_GT(max_m - min_m, 0.01) << "the index finger moves";
        // What the application asked for arrives at the glove, rises no faster than it may, and ends with the
        // application.
        const std::string told = text_of_file(ran.folder / "glove.txt");
        EXPECT_THAT(told, HasSubstr("forces 0.700 0.700 0.700 0.700 0.700"));
        EXPECT_GT(times("forces ", told), 4U) << told;
        const auto last = told.rfind("forces ");
        EXPECT_EQ(told.substr(last, 36), "forces 0.000 0.000 0.000 0.000 0.000") << told;
    }
}

TEST(LayerSupply, FingersOfTheGloveAreAtTheWristThatTheDeviceSees) {
    const Ran ran = tests::run_with_runtime(glove_script("flick", "RIGHT", "--pace --frames 150"),
                                            beside_a_glove(under({kOurs}, "hand right still at 0.1 1.2 -0.4\n")));
    EXPECT_EQ(ran.exit_code, 0) << ran.out.substr(0, 3000) << ran.err;
    const Ran own = run_hand_app({"--frames", "2"}, under({kOurs}, "hand right still at 0.1 1.2 -0.4\n"));
    const Given seen = hands_in(own.out).back();
    double max_m = 0.0;
    for (const Given& hand : hands_in(ran.out)) {
        if (hand.side == 0) continue;
        ASSERT_TRUE(hand.active);
        for (std::size_t n = 0; n < 7; ++n)
            EXPECT_NEAR(hand.joints[XR_HAND_JOINT_WRIST_EXT].numbers[n],
                        seen.joints[XR_HAND_JOINT_WRIST_EXT].numbers[n], 1e-5);
        for (std::size_t n = 0; n < 3; ++n)
            max_m = std::max(max_m, std::abs(hand.joints[XR_HAND_JOINT_INDEX_TIP_EXT].numbers[n] -
                                             seen.joints[XR_HAND_JOINT_INDEX_TIP_EXT].numbers[n]));
    }
    EXPECT_GT(max_m, 0.01) << "the fingers are the glove's";
}

TEST(LayerSupply, AGloveThatIsUnpluggedIsNoHandAndIsSaid) {
    const Ran ran =
        tests::run_with_runtime(glove_script("flick", "RIGHT", "--pace --frames 250", "sleep 1.2; kill -9 $GLOVE"),
                                beside_a_glove(under({kOurs}, "without XR_EXT_hand_tracking\n")));
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    const std::vector<Given> hands = hands_in(ran.out);
    ASSERT_EQ(hands.size(), 500U);
    EXPECT_FALSE(hands.back().active);
    int active = 0;
    for (const Given& hand : hands) {
        active += hand.active ? 1 : 0;
        if (!hand.active) {
            EXPECT_EQ(hand.joints[0].flags, 0U);
        }
        if (hand.active) {
            EXPECT_GT(std::abs(hand.joints[1].numbers[1]), 0.1) << "never zeros";
        }
    }
    EXPECT_GT(active, 30);
    EXPECT_THAT(ran.err, HasSubstr("glovebox layer: "));
    EXPECT_EQ(times("glovebox layer: ", ran.err), 1U) << ran.err;
}

// What the glove held last before {folder}/held.txt was copied.
void expect_held_and_let_go(const Ran& ran) {
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    const std::string told = text_of_file(ran.folder / "held.txt");
    EXPECT_THAT(told, HasSubstr("forces 0.700"));
    EXPECT_EQ(told.substr(told.rfind("forces "), 36), "forces 0.000 0.000 0.000 0.000 0.000") << told;
}

TEST(LayerSupply, AnApplicationThatIsStoppedHoldsNoFinger) {
    expect_held_and_let_go(tests::run_with_runtime(
        glove_script("flick", "RIGHT", "--pace --frames 400 --curl 0.7",
                     "sleep 1.2; kill -STOP $APP; sleep 0.5; cp {folder}/glove.txt {folder}/held.txt; kill -CONT $APP"),
        beside_a_glove(under({kOurs}, "without XR_EXT_hand_tracking\n"))));
}

TEST(LayerSupply, AnApplicationThatHangsHoldsNoFinger) {
    expect_held_and_let_go(tests::run_with_runtime(
        glove_script("flick", "RIGHT", "--pace --frames 120 --curl 0.7 --hang 3",
                     "for i in $(seq 200); do grep -q hangs {folder}/out.txt && break; sleep 0.05; done\n"
                     "sleep 1.2; cp {folder}/glove.txt {folder}/held.txt"),
        beside_a_glove(under({kOurs}, "without XR_EXT_hand_tracking\n"))));
}

TEST(LayerSupply, AGloveThatIsNotThereIsSaid) {
    const Ran ran = run_hand_app({"--frames", "10"},
                                 with_options(under({kOurs}, kHandsScript), {{kGlove[1], "/dev/no-such-glove"}}));
    expect_clean(ran);
    EXPECT_THAT(ran.err, HasSubstr("/dev/no-such-glove"));
    EXPECT_EQ(times("\n", ran.err), 1U) << ran.err;
    EXPECT_TRUE(hands_in(ran.out).back().active) << "its device's own hands";
}

TEST(Layer, AsksForNoMemoryWhereHandsAreLocated) {
    LogFolder log;
    const auto allocations = [](const Ran& ran) {
        const auto at = ran.out.find("allocations ");
        return at == std::string::npos ? -1 : std::stoi(ran.out.substr(at + 12));
    };
    // The runtime's own are in both.
    const int bare = allocations(run_hand_app({"--frames", "20", "--allocations"}, no_layer(kHandsScript)));
    ASSERT_GE(bare, 0);
    expect_clean(run_hand_app({"--frames", "30"}, with_options(under({kOurs}, kHandsScript), {{kRecord, log.take}})));
    const std::string again = (log.folder.path / "again.glove").string();
    for (const std::map<std::string, std::string>& each :
         std::vector<std::map<std::string, std::string>>{{}, {{kReplay, log.take}, {kLoop, "1"}}, {{kReplay, "flick"}}})
        EXPECT_EQ(allocations(run_hand_app({"--frames", "20", "--allocations"},
                                           with_options(under({kOurs}, kHandsScript), each))),
                  bare);
    // The log's writer has a thread of its own, which asks for some memory a tenth of a second: for 10,000 samples
    // the calls themselves ask for none.
    const int recording = allocations(run_hand_app({"--frames", "20", "--allocations"},
                                                   with_options(under({kOurs}, kHandsScript), {{kRecord, again}})));
    EXPECT_LT(recording - bare, 1000);
}

// The layer's door, with a runtime of this test's behind it.
struct Door {
    NegotiateApiLayerRequest request{
        LoaderStruct::api_layer_request, kLoaderStructVersion, sizeof request, 0, 0, nullptr, nullptr};
    XrResult result = XR_ERROR_RUNTIME_FAILURE;

    explicit Door(NegotiateLoaderInfo loader, const char* name = kLayerName) {
        void* library = dlopen(LAYER_LIBRARY, RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) return;
        using Negotiate = XrResult(XRAPI_PTR*)(const NegotiateLoaderInfo*, const char*, NegotiateApiLayerRequest*);
        const auto negotiate = reinterpret_cast<Negotiate>(dlsym(library, "xrNegotiateLoaderApiLayerInterface"));
        if (negotiate != nullptr) result = negotiate(&loader, name, &request);
    }
};

NegotiateLoaderInfo usual_loader() {
    return {LoaderStruct::loader_info,
            kLoaderStructVersion,
            sizeof(NegotiateLoaderInfo),
            1,
            1,
            XR_MAKE_VERSION(1, 0, 0),
            XR_MAKE_VERSION(1, 0xFFF, 0xFFF)};
}

XrResult XRAPI_CALL runtimes_own() {
    return XR_SUCCESS;
}
XrResult XRAPI_CALL runtimes_path(XrInstance, const char*, XrPath* out) {
    *out = 1;
    return XR_SUCCESS;
}
std::string_view runtimes_gap;  // a function that it lacks
XrResult XRAPI_CALL runtimes_functions(XrInstance, const char* name, PFN_xrVoidFunction* out) {
    const std::string_view asked = name;
    const bool offers = asked != "xrEnumerateInstanceExtensionProperties" && asked != runtimes_gap;
    *out = offers ? reinterpret_cast<PFN_xrVoidFunction>(runtimes_own) : nullptr;
    if (asked == "xrStringToPath") *out = reinterpret_cast<PFN_xrVoidFunction>(runtimes_path);
    return offers ? XR_SUCCESS : XR_ERROR_FUNCTION_UNSUPPORTED;
}
XrResult XRAPI_CALL runtimes_instance(const XrInstanceCreateInfo*, const ApiLayerCreateInfo*, XrInstance* out) {
    static std::uintptr_t next = 0x1000;
    *out = reinterpret_cast<XrInstance>(next += 16);
    return XR_SUCCESS;
}

// Functions that the application would get from the layer and not from the runtime.
std::vector<std::string> intercepted(const Door& door, std::vector<const char*> extensions) {
    ApiLayerNextInfo next{LoaderStruct::api_layer_next_info,
                          kLoaderStructVersion,
                          sizeof next,
                          {},
                          runtimes_functions,
                          runtimes_instance,
                          nullptr};
    std::strcpy(next.layer_name, kLayerName);
    const ApiLayerCreateInfo layer{
        LoaderStruct::api_layer_create_info, kLoaderStructVersion, sizeof layer, nullptr, {}, &next};
    XrInstanceCreateInfo info{};
    info.type = XR_TYPE_INSTANCE_CREATE_INFO;
    info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
    info.enabledExtensionNames = extensions.data();
    XrInstance instance = XR_NULL_HANDLE;
    EXPECT_EQ(door.request.create_instance(&info, &layer, &instance), XR_SUCCESS);
    std::vector<std::string> names;
    for (const char* name :
         {"xrGetSystemProperties", "xrPollEvent", "xrCreateSession", "xrDestroySession", "xrWaitFrame", "xrEndFrame",
          "xrLocateViews", "xrLocateSpace", "xrLocateSpaces", "xrLocateSpacesKHR", "xrSyncActions",
          "xrApplyHapticFeedback", "xrCreateHandTrackerEXT", "xrLocateHandJointsEXT", "xrApplyForceFeedbackCurlMNDX"}) {
        PFN_xrVoidFunction function = nullptr;
        EXPECT_EQ(door.request.get_instance_proc_addr(instance, name, &function),
                  name == runtimes_gap ? XR_ERROR_FUNCTION_UNSUPPORTED : XR_SUCCESS);
        if (function != nullptr && function != reinterpret_cast<PFN_xrVoidFunction>(runtimes_own))
            names.emplace_back(name);
    }
    PFN_xrVoidFunction destroy = nullptr;
    EXPECT_EQ(door.request.get_instance_proc_addr(instance, "xrDestroyInstance", &destroy), XR_SUCCESS);
    EXPECT_EQ(reinterpret_cast<PFN_xrDestroyInstance>(destroy)(instance), XR_SUCCESS);
    EXPECT_EQ(door.request.get_instance_proc_addr(instance, "xrPollEvent", &destroy), XR_ERROR_HANDLE_INVALID);
    return names;
}

TEST(LayerDoor, InterceptsOnlyWhatItChanges) {
    const Door door(usual_loader());
    ASSERT_EQ(door.result, XR_SUCCESS);
    EXPECT_EQ(door.request.interface_version, 1U);
    const char *hands = "XR_EXT_hand_tracking", *curl = "XR_MNDX_force_feedback_curl";
    EXPECT_THAT(intercepted(door, {}), IsEmpty());
    EXPECT_THAT(intercepted(door, {hands, curl}), IsEmpty()) << "nothing was asked for";
    setenv(kGlove[0], "/dev/null", 1);
    EXPECT_THAT(intercepted(door, {}), IsEmpty()) << "the application uses no hands";
    unsetenv(kGlove[0]);
    setenv(kReplay, "flick", 1);
    EXPECT_THAT(intercepted(door, {}), IsEmpty()) << "the application uses no hands, and the recording has no more";
    const std::vector<std::string> replaying = intercepted(door, {hands});
    EXPECT_THAT(replaying,
                testing::UnorderedElementsAre("xrGetSystemProperties", "xrPollEvent", "xrCreateSession",
                                              "xrDestroySession", "xrCreateHandTrackerEXT", "xrLocateHandJointsEXT"));
    unsetenv(kReplay);
    const LogFolder log;
    setenv(kRecord, log.take.c_str(), 1);
    const std::vector<std::string> recording = intercepted(door, {});
    EXPECT_THAT(recording, testing::IsSupersetOf({"xrLocateViews", "xrLocateSpace", "xrSyncActions", "xrWaitFrame",
                                                  "xrEndFrame", "xrApplyHapticFeedback"}))
        << "a recording is asked for by name";
    EXPECT_THAT(recording, Not(testing::Contains("xrLocateHandJointsEXT")));
    unsetenv(kRecord);
}

TEST(LayerDoor, LocatesManySpacesAtOnceWhereTheRuntimeDoes) {
    const Door door(usual_loader());
    const LogFolder log;
    setenv(kRecord, log.take.c_str(), 1);
    EXPECT_THAT(intercepted(door, {"XR_EXT_hand_tracking"}),
                testing::IsSupersetOf({"xrLocateSpace", "xrLocateSpaces", "xrLocateSpacesKHR"}));
    runtimes_gap = "xrLocateSpaces";  // of OpenXR 1.1
    setenv(kRecord, (log.folder.path / "second.glove").c_str(), 1);
    const auto names = intercepted(door, {"XR_EXT_hand_tracking"});
    EXPECT_THAT(names, testing::Contains("xrLocateSpacesKHR"));
    EXPECT_THAT(names, Not(testing::Contains("xrLocateSpaces")));
    runtimes_gap = {};
    unsetenv(kRecord);
}

TEST(LayerDoor, RefusesALoaderThatSpeaksAnotherLanguage) {
    NegotiateLoaderInfo newer = usual_loader(), odd = usual_loader();
    newer.min_interface_version = newer.max_interface_version = 2;
    odd.size = 4;
    EXPECT_EQ(Door(newer).result, XR_ERROR_INITIALIZATION_FAILED);
    EXPECT_EQ(Door(odd).result, XR_ERROR_INITIALIZATION_FAILED);
    EXPECT_EQ(Door(usual_loader(), "XR_APILAYER_other").result, XR_ERROR_INITIALIZATION_FAILED);
}

TEST(Layer, AnImplicitLayerIsOnWhereItsVariableSaysSo) {
    // The loader looks for implicit layers in implicit.d of the user's folder.
    RunOptions options = no_layer("without XR_EXT_hand_tracking\nwithout XR_MNDX_force_feedback_curl\n");
    options.environment["XDG_DATA_HOME"] = "{folder}";
    const auto run_with_manifest = [&](std::map<std::string, std::string> variables) {
        RunOptions each = options;
        each.environment.merge(variables);
        // The folder is made by the run, so the application starts behind a shell that makes the manifest.
        return tests::run_with_runtime(
            {"/bin/sh", "-c",
             "mkdir -p {folder}/openxr/1/api_layers/implicit.d && sed 's|\"library_path\": "
             "\"[^\"]*\"|\"library_path\": "
             "\"" LAYER_LIBRARY "\"|' " GLOVEBOX_DATA_FOLDER
             "/openxr/1/api_layers/explicit.d/XR_APILAYER_glovebox.json > "
             "{folder}/openxr/1/api_layers/implicit.d/XR_APILAYER_glovebox.json && exec " HAND_APP " --frames 2"},
            each);
    };
    EXPECT_THAT(run_with_manifest({}).out, Not(HasSubstr("offers XR_EXT_hand_tracking")));
    EXPECT_THAT(run_with_manifest({{"ENABLE_XR_APILAYER_GLOVEBOX", "1"}}).out,
                HasSubstr("offers XR_EXT_hand_tracking"));
    EXPECT_THAT(run_with_manifest({{"ENABLE_XR_APILAYER_GLOVEBOX", "1"}, {"DISABLE_XR_APILAYER_GLOVEBOX", "1"}}).out,
                Not(HasSubstr("offers XR_EXT_hand_tracking")));
}

}  // namespace
}  // namespace glovebox::vr::layer
