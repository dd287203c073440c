// What an application is given besides its hands, recorded and replayed: head, views, controllers, actions, frames.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "recordings/load.h"
#include "recordings/log/application_facts.h"
#include "tests/vr/layer/run_hand_app.h"
#include "tests/vr/run_program.h"
#include "vr/layer/layer_options.h"

namespace glovebox::vr::layer {
namespace {

using recordings::ApplicationLog;
using recordings::AppPose;
using recordings::PoseOf;
using testing::HasSubstr;
using tests::Ran;
using tests::RunOptions;

constexpr const char* kTouch = "profile /interaction_profiles/oculus/touch_controller\n";
constexpr const char* kPaced = "pace_headless on\nrate 90\n";
// Another device, another person, nothing that moves.
constexpr const char* kNoUser = "pace_headless on\nrate 90\nprofile none\nhead 2 1.1 3 yaw 77\n";

// A head that turns and hands with controllers that are used.
std::string busy_script() {
    std::ostringstream script;
    script << kPaced << kTouch << "hand left tap\nhand right grip\nhead 0.3 1.6 -0.2 yaw 40\n";
    for (int frame = 1; frame < 200; ++frame)
        script << "at " << frame << " head " << 0.3 + 0.002 * frame << " 1.6 -0.2 yaw " << 40 + frame << " pitch "
               << 0.1 * frame << "\n";
    for (int frame = 10; frame < 200; frame += 20)
        script << "at " << frame << " trigger right 0." << frame / 10 % 9 + 1 << "\nat " << frame + 10
               << " trigger right 0\n";
    script << "at 30 squeeze left 1\nat 70 squeeze left 0\nat 50 drop left\nat 60 heal left\n";
    return script.str();
}

Ran run_app(std::vector<std::string> arguments, const RunOptions& options) {
    arguments.insert(arguments.begin(), {"--controllers", "--pace", "--step-ms", "0"});
    return run_hand_app(arguments, options);
}

constexpr std::array kPoses = {"head", "view 0", "view 1", "grip 0", "grip 1"};
constexpr std::array kStates = {"trigger 0", "trigger 1", "select 0", "select 1", "held 0", "held 1"};

int number_of(const ApplicationLog& log, const std::string& name) {
    for (const recordings::AppAction& each : log.actions)
        if (each.action_set == "main" && each.name == name) return each.id;
    return -1;
}

TEST(LayerApplication, RecordsHeadAndViewsToTheBitAndControllersWithoutTheirOffset) {
    LogFolder log;
    const Ran ran = run_app({"--frames", "100"}, with_options(above_validation(busy_script()), {{kRecord, log.take}}));
    expect_clean(ran);
    const ApplicationLog kept = recordings::read_application_log(log.take);
    EXPECT_EQ(kept.name, "hand application");
    const Lines given = lines_of(ran.out);
    std::map<std::string, int> compared;
    const int grip = number_of(kept, "grip");
    for (const AppPose& pose : kept.poses) {
        std::string what = pose.of == PoseOf::head ? "head" : "view " + std::to_string(pose.number);
        if (pose.of == PoseOf::action) {
            EXPECT_EQ(pose.number, grip);
            what = pose.source == recordings::ActionSource::left ? "grip 0" : "grip 1";
        }
        const auto& line = given.at(what).at(pose.time_ns).numbers;
        ASSERT_EQ(static_cast<double>(pose.flags), line[0]);
        ++compared[what];
        if (!pose.is_valid()) continue;
        Eigen::Isometry3d local_from_this = Eigen::Translation3d(line[1], line[2], line[3]) *
                                            Eigen::Quaterniond(line[7], line[4], line[5], line[6]).normalized();
        if (pose.of == PoseOf::action) {
            const Eigen::Isometry3d grip_from_this =
                Eigen::Translation3d(0, 0.05, 0) * Eigen::Quaterniond(std::sqrt(0.5), 0, 0, std::sqrt(0.5));
            EXPECT_TRUE((local_from_this * grip_from_this.inverse())
                            .translation()
                            .isApprox(pose.position_m.cast<double>(), 1e-6));
        } else {
            for (int n = 0; n < 3; ++n)
                EXPECT_EQ(pose.position_m[n], static_cast<float>(line[1 + static_cast<std::size_t>(n)]));
            for (int n = 0; n < 4; ++n)
                EXPECT_EQ(pose.orientation.coeffs()[n], static_cast<float>(line[4 + static_cast<std::size_t>(n)]));
        }
        for (std::size_t n = 0; pose.of == PoseOf::view && n < 4; ++n)
            EXPECT_EQ(pose.fov_rad[n], static_cast<float>(line[8 + n]));
    }
    for (const char* what : kPoses) EXPECT_EQ(compared[what], 100) << what;
    // The last state at or before a frame is what the frame was given.
    const std::map<std::string, std::string> actions = {{"trigger", "trigger "}, {"select", "select "}};
    for (const auto& [name, prefix] : actions) {
        const int id = number_of(kept, name);
        for (const auto source : {recordings::ActionSource::left, recordings::ActionSource::right}) {
            int frames = 0, changes = 0;
            for (const auto& [time_ns, line] :
                 given.at(prefix + (source == recordings::ActionSource::left ? "0" : "1"))) {
                const recordings::ActionState* last = nullptr;
                for (const recordings::ActionState& state : kept.states)
                    if (state.action == id && state.source == source && state.time_ns <= time_ns) last = &state;
                ASSERT_NE(last, nullptr);
                EXPECT_EQ(static_cast<double>(last->active), line.numbers[0]);
                EXPECT_EQ(last->x, static_cast<float>(line.numbers[1]));
                ++frames;
                changes += line.numbers[2] != 0.0 ? 1 : 0;
            }
            EXPECT_EQ(frames, 100);
            if (name == "trigger" && source == recordings::ActionSource::right) {
                EXPECT_GT(changes, 6);
            }
        }
    }
    ASSERT_GE(kept.profiles.size(), 2U);
    EXPECT_EQ(kept.profiles[0].profile, "/interaction_profiles/oculus/touch_controller");
}

TEST(LayerApplication, RecordsItsFramesAndWhatItAsksToBeFelt) {
    LogFolder log;
    const Ran ran = run_app({"--frames", "100"},
                            with_options(under({kOurs}, busy_script() + "at 45 stall 0.2\n"), {{kRecord, log.take}}));
    expect_clean(ran);
    const ApplicationLog kept = recordings::read_application_log(log.take);
    ASSERT_EQ(kept.frames.size(), 100U);
    EXPECT_EQ(kept.frames[0].display_ns, 0);
    std::int64_t missed = 0, shown_ns = 0;
    for (std::size_t i = 0; i < kept.frames.size(); ++i) {
        const recordings::AppFrame& frame = kept.frames[i];
        EXPECT_EQ(frame.period_ns, 11'111'111);
        EXPECT_LE(frame.waited_ns, frame.begun_ns);
        EXPECT_LE(frame.begun_ns, frame.ended_ns);
        EXPECT_NE(frame.pose_hash, 0U);
        if (i > 0) {
            EXPECT_EQ(frame.display_ns - shown_ns, (1 + frame.missed) * frame.period_ns);
        }
        shown_ns = frame.display_ns;
        missed += frame.missed;
    }
    EXPECT_GE(missed, 15) << "a frame was held up for 0.2 s";
    EXPECT_LT(missed, 40);
    int applied = 0, stopped = 0;
    for (const recordings::HapticRecord& felt : kept.haptics) {
        ASSERT_TRUE(felt.vibration.has_value());
        ASSERT_TRUE(felt.display_ns.has_value());
        EXPECT_EQ(felt.side, tracking::Side::right);
        if (*felt.vibration > 0.0F) {
            EXPECT_EQ(felt.duration_ns, 20'000'000);
            EXPECT_EQ(felt.frequency_hz, 160.0F);
            ++applied;
        } else {
            ++stopped;
        }
    }
    EXPECT_EQ(applied, ran.count("haptic apply right"));
    EXPECT_EQ(stopped, ran.count("haptic stop right"));
    EXPECT_GT(applied, 3);
}

TEST(LayerApplication, IsGivenTheSameHeadControllersAndActionsAgain) {
    for (const std::string space : {"local", "stage", "view"}) {
        LogFolder log;
        const std::vector<std::string> arguments = {"--frames", "120", "--space", space};
        const Ran recorded = run_app(arguments, with_options(under({kOurs}, busy_script()), {{kRecord, log.take}}));
        expect_clean(recorded);
        // STAGE is the room's: LOCAL must lie in it as it did.
        const std::string room =
            space == "stage" ? "pace_headless on\nrate 90\nprofile none\nhead 0.3 1.6 -0.2 yaw 40\n" : kNoUser;
        for (const RunOptions& options : {under({kOurs}, room), above_validation(room), below_validation(room)}) {
            const Ran ran = run_app(arguments, with_options(options, {{kReplay, log.take}}));
            expect_clean(ran);
            const Lines before = lines_of(recorded.out), after = lines_of(ran.out);
            for (const char* what : kPoses)
                EXPECT_GT(compare(before, after, what, 1e-6), 60) << what << " in " << space;
            for (const char* what : kStates) EXPECT_GT(compare(before, after, what, 1e-9), 60) << what;
            EXPECT_THAT(ran.out, HasSubstr("profile 0 /interaction_profiles/oculus/touch_controller\n"));
            if (HasFailure()) return;
        }
    }
}

TEST(LayerApplication, ChangesAreToldOnceEach) {
    LogFolder log;
    expect_clean(run_app({"--frames", "100"}, with_options(under({kOurs}, busy_script()), {{kRecord, log.take}})));
    const Ran ran = run_app({"--frames", "100"}, with_options(under({kOurs}, kNoUser), {{kReplay, log.take}}));
    double last = -1.0;
    int changes = 0;
    const Lines given = lines_of(ran.out);
    for (const auto& [time_ns, line] : given.at("trigger 1")) {
        const bool changed = line.numbers[2] != 0.0;
        if (last >= 0.0) {
            EXPECT_EQ(changed, line.numbers[1] != last) << time_ns;
        }
        last = line.numbers[1];
        changes += changed ? 1 : 0;
    }
    EXPECT_GT(changes, 6);
}

TEST(LayerApplication, InterpolatesBetweenItsFramesAndSaysHowTheyMove) {
    LogFolder log;
    // 2 mm a frame to the right, and a hand on a line.
    const std::string script = busy_script();
    expect_clean(run_app({"--frames", "100"}, with_options(under({kOurs}, script), {{kRecord, log.take}})));
    const ApplicationLog kept = recordings::read_application_log(log.take);
    std::vector<AppPose> heads;
    for (const AppPose& pose : kept.poses)
        if (pose.of == PoseOf::head) heads.push_back(pose);
    const Ran ran =
        run_app({"--frames", "150"},
                with_options(under({kOurs}, "pace_headless on\nrate 140\nprofile none\n"), {{kReplay, log.take}}));
    expect_clean(ran);
    int between = 0;
    const Lines given = lines_of(ran.out);
    for (const auto& [time_ns, line] : given.at("head")) {
        const auto later = std::ranges::upper_bound(heads, time_ns, {}, &AppPose::time_ns);
        if (later == heads.begin() || later == heads.end()) continue;
        const AppPose &a = *std::prev(later), &b = *later;
        const double share = static_cast<double>(time_ns - a.time_ns) / static_cast<double>(b.time_ns - a.time_ns);
        const double dt_s = 1e-9 * static_cast<double>(b.time_ns - a.time_ns);
        EXPECT_EQ(line.numbers[8], 3.0) << "both velocities are known";
        for (int n = 0; n < 3; ++n) {
            const double from = static_cast<double>(a.position_m[n]), to = static_cast<double>(b.position_m[n]);
            EXPECT_NEAR(line.numbers[1 + static_cast<std::size_t>(n)], from + share * (to - from), 1e-6);
            EXPECT_NEAR(line.numbers[9 + static_cast<std::size_t>(n)], (to - from) / dt_s, 1e-3);
        }
        between += share > 0.01 && share < 0.99 ? 1 : 0;
    }
    EXPECT_GT(between, 80);
}

// The velocity of a point that is fixed to what turns: v + w x r. The grip's space lies 5 cm beside the controller.
TEST(LayerApplication, VelocitiesOfWhatTurnsAreTheClosedForm) {
    LogFolder log;
    std::ostringstream script;
    script << kPaced << kTouch
           << "hand left off\nhand right key 0 0.2 1.2 -0.4 yaw 0\nhand right key 4 0.6 1.3 -0.2 roll 150\n";
    for (int frame = 1; frame < 120; ++frame) script << "at " << frame << " head 0.3 1.6 -0.2 yaw " << frame << "\n";
    expect_clean(run_app({"--frames", "100"}, with_options(under({kOurs}, script.str()), {{kRecord, log.take}})));
    const ApplicationLog kept = recordings::read_application_log(log.take);
    const auto track = [&kept](PoseOf of) {
        std::vector<AppPose> poses;
        for (const AppPose& pose : kept.poses)
            if (pose.of == of && (of == PoseOf::head || pose.source == recordings::ActionSource::right))
                poses.push_back(pose);
        return poses;
    };
    const Ran ran =
        run_app({"--frames", "150"},
                with_options(under({kOurs}, "pace_headless on\nrate 140\nprofile none\n"), {{kReplay, log.take}}));
    expect_clean(ran);
    const Lines given = lines_of(ran.out);
    const auto compare_with = [&](const std::string& what, PoseOf of, const Eigen::Vector3d& offset_m) {
        const std::vector<AppPose> poses = track(of);
        int compared = 0;
        for (const auto& [time_ns, line] : given.at(what)) {
            const auto later = std::ranges::upper_bound(poses, time_ns, {}, &AppPose::time_ns);
            if (later == poses.begin() || later == poses.end()) continue;
            const AppPose &a = *std::prev(later), &b = *later;
            const double dt_s = 1e-9 * static_cast<double>(b.time_ns - a.time_ns);
            if (dt_s > 0.05) continue;
            const double share = static_cast<double>(time_ns - a.time_ns) / static_cast<double>(b.time_ns - a.time_ns);
            const Eigen::Quaterniond from = a.orientation.cast<double>().normalized(),
                                     to = b.orientation.cast<double>().normalized();
            const Eigen::AngleAxisd turn(to * from.conjugate());
            const Eigen::Vector3d turning = turn.axis() * (turn.angle() / dt_s);
            const Eigen::Vector3d arm = Eigen::AngleAxisd(share * turn.angle(), turn.axis()) * (from * offset_m);
            const Eigen::Vector3d moving = (b.position_m - a.position_m).cast<double>() / dt_s + turning.cross(arm);
            EXPECT_EQ(line.numbers[8], 3.0) << what;
            for (int n = 0; n < 3; ++n) {
                EXPECT_NEAR(line.numbers[9 + static_cast<std::size_t>(n)], moving[n], 1e-3)
                    << what << " at " << time_ns;
                EXPECT_NEAR(line.numbers[12 + static_cast<std::size_t>(n)], turning[n], 1e-3) << what;
            }
            // A degree to the left in each frame.
            if (of == PoseOf::head && b.time_ns - a.time_ns == 11'111'111) {
                EXPECT_NEAR(line.numbers[13], 0.5 * static_cast<double>(EIGEN_PI), 1e-3);
            }
            compared += turning.norm() > 0.3 ? 1 : 0;
        }
        EXPECT_GT(compared, 80) << what;
    };
    compare_with("head", PoseOf::head, Eigen::Vector3d::Zero());
    compare_with("grip 1", PoseOf::action, {0.0, 0.05, 0.0});
}

TEST(LayerApplication, VelocitiesAreNotKnownWhereTheRecordingHasNothing) {
    LogFolder log;
    expect_clean(run_app({"--frames", "40"}, with_options(under({kOurs}, busy_script()), {{kRecord, log.take}})));
    const Lines given =
        lines_of(run_app({"--frames", "90"}, with_options(under({kOurs}, kNoUser), {{kReplay, log.take}})).out);
    const auto last = [&](const char* what) { return given.at(what).rbegin()->second.numbers; };
    EXPECT_EQ(last("grip 1")[0], 0.0) << "a controller is gone at the end";
    EXPECT_EQ(last("grip 1")[8], 0.0);
    EXPECT_EQ(last("head")[0], 15.0) << "the head stays, and how it moves there no one has recorded";
    EXPECT_EQ(last("head")[8], 0.0);
    EXPECT_EQ(given.at("grip 1").begin()->second.numbers[8], 3.0);
}

TEST(LayerApplication, IsOverAtItsEndOrBeginsAgain) {
    LogFolder log;
    expect_clean(run_app({"--frames", "40"}, with_options(under({kOurs}, busy_script()), {{kRecord, log.take}})));
    const Lines once =
        lines_of(run_app({"--frames", "90"}, with_options(under({kOurs}, kNoUser), {{kReplay, log.take}})).out);
    const Lines loop = lines_of(
        run_app({"--frames", "90"}, with_options(under({kOurs}, kNoUser), {{kReplay, log.take}, {kLoop, "1"}})).out);
    const auto last = [](const Lines& lines, const char* what) { return lines.at(what).rbegin()->second.numbers; };
    EXPECT_EQ(last(once, "grip 1")[0], 0.0) << "a controller is gone";
    EXPECT_EQ(last(once, "trigger 1")[0], 0.0);
    EXPECT_EQ(last(once, "head")[0], 15.0) << "the head stays where it was last";
    EXPECT_EQ(last(loop, "grip 1")[0], 15.0);
    EXPECT_EQ(last(loop, "trigger 1")[0], 1.0);
    // From the first frame to the last, and a step to the first again: 40 frames, or more where some were missed.
    std::int64_t round_ns = 0;
    for (const recordings::AppPose& pose : recordings::read_application_log(log.take).poses)
        round_ns = std::max(round_ns, pose.time_ns + 11'111'111);
    int again = 0;
    for (const auto& [time_ns, line] : loop.at("grip 1")) {
        const auto before = loop.at("grip 1").find(time_ns - round_ns);
        if (before == loop.at("grip 1").end()) continue;
        ++again;
        for (std::size_t n = 1; n < 8; ++n) EXPECT_NEAR(line.numbers[n], before->second.numbers[n], 1e-5) << time_ns;
    }
    EXPECT_GT(again, 30);
}

TEST(LayerApplication, ARecordingOfHandsLeavesTheRestToTheDevice) {
    const Ran ran = run_app({"--frames", "30"}, with_options(under({kOurs}, busy_script()), {{kReplay, "flick"}}));
    expect_clean(ran);
    EXPECT_EQ(lines_of(ran.out).at("grip 1").rbegin()->second.numbers[0], 15.0);
    EXPECT_GT(ran.count("haptic apply"), 0);
}

TEST(LayerApplication, HashesOfPosesAreTheSameInTheReplay) {
    for (const std::string space : {"local", "stage"}) {
        LogFolder log;
        const std::string again = (log.folder.path / "again.glove").string();
        const std::vector<std::string> arguments = {"--frames", "120", "--space", space};
        expect_clean(run_app(arguments, with_options(under({kOurs}, busy_script()), {{kRecord, log.take}})));
        expect_clean(
            run_app(arguments, with_options(under({kOurs}, kNoUser), {{kReplay, log.take}, {kRecord, again}})));
        const ApplicationLog a = recordings::read_application_log(log.take),
                             b = recordings::read_application_log(again);
        const recordings::PoseComparison same = recordings::compare_poses(a, b);
        EXPECT_GT(same.frames_same, 60) << space;
        EXPECT_EQ(same.frames_different, 0) << space << " at " << same.first_different_s.value_or(0.0);
        const recordings::HapticComparison felt = recordings::compare_haptics(a.haptics, b.haptics);
        EXPECT_GT(felt.same, 3);
        EXPECT_LE(felt.missing + felt.extra, 1);
        // Another device's own hands are other poses.
        LogFolder third;
        expect_clean(
            run_app(arguments, with_options(under({kOurs}, std::string(kPaced) + kTouch + "hand right still\n"),
                                            {{kRecord, third.take}})));
        EXPECT_EQ(recordings::compare_poses(a, recordings::read_application_log(third.take)).frames_same, 0);
    }
}

TEST(LayerApplication, SurvivesTheApplicationsDeath) {
    LogFolder log;
    RunOptions options = with_options(under({kOurs}, busy_script()), {{kRecord, log.take}});
    options.kill_after_s = 1.5;
    const Ran ran = run_app({"--frames", "100000"}, options);
    EXPECT_EQ(ran.signal, 9);
    const std::size_t given = lines_of(ran.out).at("head").size();
    const ApplicationLog kept = recordings::read_application_log(log.take);
    EXPECT_GT(given, 40U);
    EXPECT_GT(kept.frames.size() + 30, given) << "the last 250 ms at most are lost";
    EXPECT_GT(kept.poses.size() + 150, 5 * given);
    EXPECT_GT(kept.actions.size(), 3U);
}

TEST(LayerApplication, AsksForNoMemory) {
    LogFolder log;
    const auto allocations = [](const Ran& ran) {
        const auto at = ran.out.find("allocations ");
        return at == std::string::npos ? -1 : std::stoi(ran.out.substr(at + 12));
    };
    const std::vector<std::string> arguments = {"--frames", "20", "--allocations"};
    RunOptions bare = under({}, busy_script());
    bare.validation = false;
    bare.environment["XR_ENABLE_API_LAYERS"] = "";
    const int without = allocations(run_app(arguments, bare));
    ASSERT_GE(without, 0);
    expect_clean(run_app({"--frames", "30"}, with_options(under({kOurs}, busy_script()), {{kRecord, log.take}})));
    EXPECT_EQ(allocations(
                  run_app(arguments, with_options(under({kOurs}, busy_script()), {{kReplay, log.take}, {kLoop, "1"}}))),
              without);
    // The log's own thread asks for some, a tenth of a second: the 50,000 calls themselves ask for none.
    const std::string again = (log.folder.path / "again.glove").string();
    EXPECT_LT(
        allocations(run_app(arguments, with_options(under({kOurs}, busy_script()), {{kRecord, again}}))) - without,
        2000);
}

}  // namespace
}  // namespace glovebox::vr::layer
