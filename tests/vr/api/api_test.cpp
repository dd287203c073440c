// The C interface against its implementation: the same hands through scenes::step() give the same results.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "scenes/hand_body.h"
#include "scenes/step.h"
#include "tests/recordings/files.h"
#include "tests/vr/api/hands.h"
#include "tracking/filter.h"
#include "tracking/forward_kinematics.h"
#include "vr/session/open_recording.h"

namespace glovebox::vr {
namespace {

struct CSession {
    explicit CSession(const char* scene, bool forces = false) {
        gb_options options = {};
        options.forces = forces ? 1 : 0;
        EXPECT_EQ(gb_open(scene, &options, &session), GB_OK) << gb_last_error();
    }
    ~CSession() { gb_close(session); }
    operator gb_session*() const { return session; }
    gb_session* session = nullptr;
};

template <class Item, class Query>
std::vector<Item> all(const gb_session* session, Query query) {
    int count = 0;
    EXPECT_EQ(query(session, nullptr, 0, &count), GB_OK);
    std::vector<Item> items(static_cast<std::size_t>(count));
    EXPECT_EQ(query(session, items.data(), count, &count), GB_OK);
    EXPECT_EQ(static_cast<std::size_t>(count), items.size());
    return items;
}

std::uint64_t hash_of(const gb_step_report& report) {
    return report.state_hash[0] | static_cast<std::uint64_t>(report.state_hash[1]) << 32;
}

TEST(CInterface, AnswersAsTheStepDoes) {
    CSession session("held-ball");
    scenes::Scene scene = scenes::load_scene("held-ball");
    scenes::World world(scene);
    tracking::HandPair hands;
    hands[tracking::Side::left].side = tracking::Side::left;
    int contacts = 0, touches = 0, events = 0;
    for (int i = 0; i < 90; ++i) {
        const gb_hand hand = hand_coming_down(i);
        gb_step_report report;
        ASSERT_EQ(gb_step(session, nullptr, &hand, i / 90.0, &report), GB_OK) << gb_last_error();

        Eigen::Isometry3f wrist = Eigen::Isometry3f::Identity();
        wrist.translation() = Eigen::Vector3f(0.0F, 0.20F - 0.002F * static_cast<float>(i), 0.10F);
        hands[tracking::Side::right] = pose_from_angles(tracking::default_profile(), {}, wrist, tracking::Side::right);
        hands[tracking::Side::right].active = true;
        const std::int64_t before_ns = hands.time_ns;
        hands.time_ns = std::llround(1e9 * i / 90.0);
        const scenes::StepReport expected =
            scenes::step(scene, world, hands, 1e-9 * static_cast<double>(hands.time_ns - before_ns));

        ASSERT_EQ(hash_of(report), expected.state_hash) << "frame " << i;
        EXPECT_EQ(report.present[GB_RIGHT], 1);
        EXPECT_EQ(report.present[GB_LEFT], 0);
        EXPECT_EQ(report.pairs_touching, expected.counts.touching);
        const auto& wanted = world.hands[tracking::Side::right].contacts;
        const auto got = all<gb_contact>(session, gb_contacts);
        ASSERT_EQ(got.size(), wanted.size());
        EXPECT_EQ(report.contacts, static_cast<int>(got.size()));
        for (std::size_t k = 0; k < got.size(); ++k) {
            EXPECT_EQ(got[k].bone, wanted[k].bone);
            EXPECT_EQ(got[k].object, wanted[k].object);
            EXPECT_EQ(got[k].distance_m, wanted[k].distance_m);
            EXPECT_EQ(Eigen::Vector3f(got[k].on_object_m), wanted[k].on_object_m);
            for (int axis = 0; axis < 3; ++axis)
                EXPECT_NEAR(got[k].on_object_m[axis] - got[k].on_hand_m[axis], got[k].distance_m * got[k].normal[axis],
                            1e-5F);
        }
        const auto happened = all<gb_event>(session, gb_events);
        ASSERT_EQ(happened.size(), expected.events.size());
        for (std::size_t k = 0; k < happened.size(); ++k) {
            EXPECT_EQ(happened[k].kind, static_cast<int>(expected.events[k].kind));
            EXPECT_EQ(happened[k].bone, expected.events[k].bone);
            EXPECT_DOUBLE_EQ(happened[k].time_s, 1e-9 * static_cast<double>(expected.events[k].time_ns));
        }
        contacts += static_cast<int>(got.size());
        events += static_cast<int>(happened.size());
        for (const gb_touch& touch : all<gb_touch>(session, gb_touches)) {
            ++touches;
            EXPECT_EQ(touch.side, GB_RIGHT);
            EXPECT_GT(touch.bones, 0);
            EXPECT_LE(touch.since_s, i / 90.0 + 1e-9);
            EXPECT_GE(touch.depth_m, 0.0F);
        }
    }
    EXPECT_GT(contacts, 100);
    EXPECT_GT(touches, 10);
    EXPECT_GT(events, 3);
}

TEST(CInterface, TouchesAreWhatTouchEventsLeftOpen) {
    CSession session("held-ball");
    int open = 0, most = 0;
    for (int i = 0; i < 180; ++i) {
        const gb_hand hand = hand_coming_down(i < 90 ? i : 180 - i);
        ASSERT_EQ(gb_step(session, nullptr, &hand, i / 90.0, nullptr), GB_OK);
        for (const gb_event& event : all<gb_event>(session, gb_events))
            open += event.kind == GB_TOUCH_BEGIN ? 1 : event.kind == GB_TOUCH_END ? -1 : 0;
        int bones = 0;
        for (const gb_touch& touch : all<gb_touch>(session, gb_touches)) bones += touch.bones;
        ASSERT_EQ(bones, open) << "frame " << i;
        most = std::max(most, bones);
    }
    EXPECT_GT(most, 1);
    EXPECT_EQ(open, 0);
}

gb_hand hand_of(const tracking::HandFrame& frame) {
    gb_hand hand = {};
    hand.active = frame.active ? 1 : 0;
    for (std::size_t i = 0; i < frame.joints.size(); ++i) {
        const tracking::JointPose& from = frame.joints[i];
        gb_joint& to = hand.joints[i];
        std::copy_n(from.position_m.data(), 3, to.position_m);
        std::copy_n(from.orientation.coeffs().data(), 4, to.orientation);
        to.radius_m = from.radius_m;
        to.flags = from.flags;
    }
    return hand;
}

// Negative times once meant "not set": every hold ended in the frame in which it began.
TEST(CInterface, TimesMayCountFromAnyOrigin) {
    const recordings::SampleRow& row = *find_bundled("carry");
    const recordings::Recording recording = row.make();
    const auto results_from = [&](double origin_s) {
        CSession session(std::string(row.scene).c_str(), true);
        std::vector<std::array<int, 3>> results;  // events, touches, and the forces in mN
        for (const tracking::HandPair& sample : recording.samples) {
            const gb_hand left = hand_of(sample.hands[0]), right = hand_of(sample.hands[1]);
            gb_step_report report;
            const double time_s = origin_s + 1e-9 * static_cast<double>(sample.time_ns);
            EXPECT_EQ(gb_step(session, &left, &right, time_s, &report), GB_OK) << gb_last_error();
            gb_force forces[GB_PART_COUNT];
            EXPECT_EQ(gb_forces(session, GB_RIGHT, forces), GB_OK);
            float sum_n = 0.0F;
            for (const gb_force& force : forces) sum_n += Eigen::Vector3f(force.force_n).norm();
            results.push_back({report.events, report.touches, static_cast<int>(std::lround(1e3F * sum_n))});
        }
        return results;
    };
    const auto expected = results_from(0.0);
    for (const double origin_s : {-1024.0, -1.0}) EXPECT_EQ(results_from(origin_s), expected) << origin_s;
}

// An object with a track once stood at the end of it if the application's clock had run for long.
TEST(CInterface, TracksBeginWithTheFirstStep) {
    std::string motion =
        "HIERARCHY\nROOT cube\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation "
        "Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 101\nFrame Time: 0.01\n";
    for (int i = 0; i <= 100; ++i) motion += "0 0 " + std::to_string(0.001 * i) + " 0 0 0\n";
    const recordings::TemporaryFile track(motion, "cube.bvh");
    const recordings::TemporaryFile scene(
        "[hand]\nrecording_axes = 'z-up'\n[[object]]\nname = 'cube'\nshape = 'box'\nmotion = 'recorded'\ntrack = '" +
            track.path().string() + "'\ntrack_unit_m = 1.0\n",
        "scene.toml");
    const CSession session(scene.path().c_str());
    for (const double origin_s : {0.0, 5000.0, -1024.0}) {
        for (int i = 0; i <= 50; ++i)
            ASSERT_EQ(gb_step(session, nullptr, nullptr, origin_s + 0.01 * i, nullptr), GB_OK) << gb_last_error();
        gb_pose pose;
        ASSERT_EQ(gb_object_pose(session, 0, &pose), GB_OK);
        EXPECT_NEAR(pose.position_m[1], 0.05F, 1e-5F) << origin_s;  // up, which is z in the file
        ASSERT_EQ(gb_restart(session), GB_OK);
    }
}

// A program that feeds a recording must see the touches that `glovebox replay` sees, also where no radius is recorded.
TEST(CInterface, AHandThatIsFittedToItsSamplesTouchesAsInItsReplay) {
    const recordings::SampleRow& row = *find_bundled("flick");
    recordings::Recording recording = row.make();
    for (tracking::HandPair& sample : recording.samples) {  // a child's hand, about the same fingertip
        tracking::HandFrame& hand = sample[tracking::Side::right];
        const Eigen::Vector3f tip_m = hand[tracking::Joint::index_tip].position_m;
        for (tracking::JointPose& joint : hand.joints) {
            joint.position_m = tip_m + 0.7F * (joint.position_m - tip_m);
            joint.radius_m = 0.0F;
        }
    }
    for (const tracking::Side side : tracking::kSides)
        recording.profiles[side] = tracking::fit_profile(recording.samples, side);
    const scenes::Scene scene = scenes::load_scene(std::string(row.scene));
    Pipeline replay(scene, replay_settings(recording, scene, scenes::HandPlacement{}), [] { return std::int64_t{0}; });
    std::vector<std::uint64_t> expected;
    std::int64_t before_ns = recording.samples.front().time_ns;
    for (const tracking::HandPair& sample : recording.samples) {
        expected.push_back(
            replay.frame(sample, 1e-9 * static_cast<double>(sample.time_ns - std::exchange(before_ns, sample.time_ns)))
                .state_hash);
    }

    std::vector<gb_hand> hands;
    for (const tracking::HandPair& sample : recording.samples) hands.push_back(hand_of(sample[tracking::Side::right]));
    CSession session(std::string(row.scene).c_str());
    const auto run = [&] {
        std::vector<std::uint64_t> hashes;
        for (std::size_t i = 0; i < hands.size(); ++i) {
            gb_step_report report;
            EXPECT_EQ(
                gb_step(session, nullptr, &hands[i], 1e-9 * static_cast<double>(recording.samples[i].time_ns), &report),
                GB_OK);
            hashes.push_back(hash_of(report));
        }
        EXPECT_EQ(gb_restart(session), GB_OK);
        return hashes;
    };
    EXPECT_NE(run(), expected) << "an adult's radii";
    gb_hand lost = hands.front();
    lost.active = 0;
    EXPECT_EQ(gb_fit_hand(session, GB_RIGHT, &lost, 1), GB_BAD_ARGUMENT);
    EXPECT_EQ(gb_fit_hand(session, GB_RIGHT, nullptr, 0), GB_BAD_ARGUMENT);
    EXPECT_EQ(gb_fit_hand(session, GB_RIGHT, nullptr, 3), GB_BAD_ARGUMENT);
    EXPECT_EQ(gb_fit_hand(session, 2, hands.data(), 1), GB_BAD_ARGUMENT);
    EXPECT_NE(run(), expected) << "nothing changed";
    ASSERT_EQ(gb_fit_hand(session, GB_RIGHT, hands.data(), static_cast<int>(hands.size())), GB_OK) << gb_last_error();
    EXPECT_EQ(run(), expected);
    EXPECT_EQ(run(), expected) << "a restart keeps the size";
}

struct State {
    explicit State(const gb_session* session) { EXPECT_EQ(gb_save(session, &state), GB_OK) << gb_last_error(); }
    ~State() { gb_free_state(state); }
    State(const State&) = delete;
    gb_state* state = nullptr;
};

TEST(CInterface, ARestoredStateGivesTheSameHashesForcesAndTouches) {
    const auto run = [](gb_session* session, int begin, int end) {
        std::vector<std::uint64_t> results;
        for (int i = begin; i < end; ++i) {
            const gb_hand hand = hand_coming_down(i < 90 ? i : 180 - i);
            gb_step_report report;
            EXPECT_EQ(gb_step(session, nullptr, &hand, i / 90.0, &report), GB_OK) << gb_last_error();
            results.push_back(hash_of(report));
            gb_force forces[6];
            EXPECT_EQ(gb_forces(session, GB_RIGHT, forces), GB_OK);
            for (const gb_force& force : forces) results.push_back(std::bit_cast<std::uint32_t>(force.force_n[1]));
            for (const gb_touch& touch : all<gb_touch>(session, gb_touches))
                results.push_back(static_cast<std::uint64_t>(1e9 * touch.since_s) +
                                  static_cast<std::uint64_t>(touch.part));
        }
        return results;
    };
    std::unique_ptr<State> outlives;
    std::vector<std::uint64_t> expected;
    {
        CSession session("table-and-ball", true);
        run(session, 0, 75);
        const auto events = all<gb_event>(session, gb_events).size();
        const auto touches = all<gb_touch>(session, gb_touches).size();
        EXPECT_GT(touches, 0U);
        outlives = std::make_unique<State>(session);
        expected = run(session, 75, 150);
        ASSERT_EQ(gb_restore(session, outlives->state), GB_OK) << gb_last_error();
        EXPECT_EQ(all<gb_event>(session, gb_events).size(), events);
        EXPECT_EQ(all<gb_touch>(session, gb_touches).size(), touches);
        EXPECT_EQ(run(session, 75, 150), expected);
        ASSERT_EQ(gb_restart(session), GB_OK);
        ASSERT_EQ(gb_restore(session, outlives->state), GB_OK) << "after a restart, too";
        EXPECT_EQ(run(session, 75, 150), expected);
    }
    CSession other("table-and-ball", true), without_forces("table-and-ball"), elsewhere("held-ball", true);
    ASSERT_EQ(gb_restore(other, outlives->state), GB_OK);
    EXPECT_EQ(gb_step(other, nullptr, nullptr, 0.5, nullptr), GB_BAD_ARGUMENT) << "time goes on from the saved step";
    EXPECT_EQ(run(other, 75, 150), expected);
    EXPECT_EQ(gb_restore(without_forces, outlives->state), GB_BAD_ARGUMENT);
    EXPECT_NE(std::string(gb_last_error()).find("options"), std::string::npos) << gb_last_error();
    EXPECT_EQ(gb_restore(elsewhere, outlives->state), GB_BAD_ARGUMENT);
    EXPECT_NE(std::string(gb_last_error()).find("another scene"), std::string::npos) << gb_last_error();
    EXPECT_EQ(gb_restore(other, nullptr), GB_BAD_ARGUMENT);
    gb_state* none = nullptr;
    EXPECT_EQ(gb_save(nullptr, &none), GB_BAD_ARGUMENT);
    EXPECT_EQ(gb_save(other, nullptr), GB_BAD_ARGUMENT);
    EXPECT_EQ(none, nullptr);
    gb_free_state(nullptr);
}

struct ForceLoop {
    explicit ForceLoop(gb_session* session) { EXPECT_EQ(gb_open_force_loop(session, &loop), GB_OK) << gb_last_error(); }
    ~ForceLoop() { gb_close_force_loop(loop); }
    ForceLoop(const ForceLoop&) = delete;
    gb_force_loop* loop = nullptr;
};

using Forces = std::array<gb_force, GB_PART_COUNT>;

// Returns the force of the part that is pushed hardest.
float hardest_n(const Forces& forces) {
    float most_n = 0.0F;
    for (const gb_force& force : forces) most_n = std::max(most_n, Eigen::Vector3f(force.force_n).norm());
    return most_n;
}

TEST(CInterface, AForceLoopRendersWhatTheStepsRender) {
    CSession session("table-and-ball", true);
    const ForceLoop loop(session);
    std::int64_t tick_ns = 0;
    int pushed = 0;
    for (int i = 0; i < 150; ++i) {
        Forces left{}, right{}, expected_left{}, expected_right{};
        // The ticks up to the time of the next step.
        for (; tick_ns <= std::llround(1e9 * i / 90.0); tick_ns += 1'000'000)
            ASSERT_EQ(gb_render_forces(loop.loop, 1e-9 * static_cast<double>(tick_ns), left.data(), right.data()),
                      GB_OK);
        const gb_hand hand = hand_coming_down(i < 90 ? i : 180 - i);
        ASSERT_EQ(gb_step(session, nullptr, &hand, i / 90.0, nullptr), GB_OK) << gb_last_error();
        ASSERT_EQ(gb_forces(session, GB_LEFT, expected_left.data()), GB_OK);
        ASSERT_EQ(gb_forces(session, GB_RIGHT, expected_right.data()), GB_OK);
        EXPECT_EQ(std::memcmp(&left, &expected_left, sizeof left), 0) << "frame " << i;
        EXPECT_EQ(std::memcmp(&right, &expected_right, sizeof right), 0) << "frame " << i;
        pushed += hardest_n(right) > 0.1F ? 1 : 0;
    }
    EXPECT_GT(pushed, 20);
}

TEST(CInterface, AForceLoopRunsBesideTheStepsAndFadesAfterThem) {
    auto session = std::make_unique<CSession>("held-ball");
    const ForceLoop loop(*session);
    const auto render = [&loop](double time_s) {
        Forces right{};
        EXPECT_EQ(gb_render_forces(loop.loop, time_s, nullptr, right.data()), GB_OK) << gb_last_error();
        return hardest_n(right);
    };
    double time_s = 100.0;  // on a clock of its own
    const auto after = [&](double more_s) {
        float force_n = 0.0F;
        for (const double end_s = time_s + more_s; time_s < end_s;) force_n = render(time_s += 0.001);
        return force_n;
    };
    int steps = 0;
    const auto step = [&](int i) {
        const gb_hand hand = hand_coming_down(i);
        EXPECT_EQ(gb_step(*session, nullptr, &hand, steps++ / 90.0, nullptr), GB_OK) << gb_last_error();
    };
    // A part that is inside an object at first feels it only after it has been outside, so the hand comes from above.
    const auto press = [&] {
        float force_n = 0.0F;
        for (int i = 0; i < 80; ++i) {
            step(i);
            force_n = after(0.011);
        }
        return force_n;
    };
    std::atomic<bool> stepping = true;
    std::atomic<int> ticks = 0;
    std::thread thread([&] {
        while (stepping) {
            EXPECT_TRUE(std::isfinite(after(0.001)));
            ++ticks;
        }
    });
    for (int i = 0; i < 80; ++i) {
        const int before = ticks;
        step(i);
        while (ticks < before + 5) std::this_thread::yield();
    }
    stepping = false;
    thread.join();
    const float pushed_n = press();
    EXPECT_GT(pushed_n, 0.1F);
    EXPECT_EQ(render(time_s), pushed_n) << "the time does not advance";
    time_s -= 50.0;
    EXPECT_NEAR(after(0.001), pushed_n, 0.1F * pushed_n) << "the clock begins again";
    EXPECT_EQ(after(0.100), 0.0F) << "no step for more than 90 ms";
    EXPECT_GT(press(), 0.1F);
    {
        const State state(*session);
        EXPECT_GT(after(0.001), 0.1F);
        ASSERT_EQ(gb_restore(*session, state.state), GB_OK);
        EXPECT_EQ(after(0.001), 0.0F) << "no step since";
    }
    EXPECT_GT(press(), 0.1F);
    ASSERT_EQ(gb_restart(*session), GB_OK);
    EXPECT_EQ(after(0.001), 0.0F);
    EXPECT_GT(press(), 0.1F);
    const ForceLoop second(*session);
    for (int i = 0; i < 10; ++i) step(79 - i % 2);
    EXPECT_EQ(after(0.100), 0.0F) << "the second loop gets the steps";
    session.reset();
    EXPECT_EQ(after(0.010), 0.0F) << "outlives the session";
    gb_force_loop* none = nullptr;
    EXPECT_EQ(gb_open_force_loop(nullptr, &none), GB_BAD_ARGUMENT);
    EXPECT_EQ(gb_render_forces(nullptr, 0.0, nullptr, nullptr), GB_BAD_ARGUMENT);
    EXPECT_EQ(gb_render_forces(loop.loop, std::numeric_limits<double>::quiet_NaN(), nullptr, nullptr), GB_BAD_ARGUMENT);
    EXPECT_NE(std::string(gb_last_error()).find("time_s"), std::string::npos) << gb_last_error();
    EXPECT_EQ(gb_render_forces(loop.loop, time_s + 1.0, nullptr, nullptr), GB_OK);
    gb_close_force_loop(nullptr);
}

// Numbers that the flags mark as not valid once made the bones of the palm NaN, and the hand touched nothing.
TEST(CInterface, AHandWithoutOrientationsTouches) {
    for (const bool oriented : {true, false}) {
        CSession session("held-ball");
        gb_step_report report;
        int with_palm = 0;
        for (int i = 0; i < 75; ++i) {
            gb_hand hand = hand_coming_down(i);
            for (gb_joint& joint : hand.joints) {
                if (oriented) continue;
                joint.flags = GB_POSITION_VALID | GB_POSITION_TRACKED;
                std::fill_n(joint.orientation, 4, std::numeric_limits<float>::quiet_NaN());
            }
            ASSERT_EQ(gb_step(session, nullptr, &hand, i / 90.0, &report), GB_OK) << gb_last_error();
            EXPECT_EQ(report.held[GB_RIGHT], 0);
            for (const gb_contact& contact : all<gb_contact>(session, gb_contacts)) {
                EXPECT_TRUE(std::isfinite(contact.distance_m));
                with_palm += contact.part == GB_PALM ? 1 : 0;
            }
        }
        EXPECT_GT(report.touches, 1) << oriented;
        EXPECT_GT(with_palm, 5) << oriented;
    }
}

TEST(CInterface, AWrongArgumentIsNamed) {
    CSession session("table-and-ball");
    gb_hand hand = hand_coming_down(0);
    gb_contact contact;
    int count = -7;
    const float nowhere_m[3] = {0.0F, std::numeric_limits<float>::quiet_NaN(), 0.0F}, down[3] = {0.0F, -1.0F, 0.0F};
    const float straight[5] = {};
    gb_pose pose = {{std::numeric_limits<float>::infinity(), 0.0F, 0.0F}, {0.0F, 0.0F, 0.0F, 1.0F}};
    const auto expect = [](gb_result result, const std::string& message) {
        EXPECT_EQ(result, GB_BAD_ARGUMENT) << message;
        EXPECT_EQ(std::string(gb_last_error()).substr(0, message.size()), message);
    };
    expect(gb_open(nullptr, nullptr, nullptr), "gb_open: `session` is null");
    expect(gb_restart(nullptr), "gb_restart: `session` is null");
    expect(gb_step(nullptr, nullptr, nullptr, 0.0, nullptr), "gb_step: `session` is null");
    expect(gb_step(session, nullptr, nullptr, 1.7e9, nullptr), "gb_step: `time_s` is not finite, or not below 9e6 s");
    expect(gb_contacts(session, &contact, 1, nullptr), "gb_contacts: `count` is null");
    expect(gb_contacts(session, &contact, -1, &count), "gb_contacts: `capacity` is negative");
    expect(gb_touches(session, nullptr, 1, &count), "gb_touches: `out` is null");
    expect(gb_events(nullptr, nullptr, 0, &count), "gb_events: `session` is null");
    expect(gb_save(session, nullptr), "gb_save: `state` is null");
    expect(gb_restore(session, nullptr), "gb_restore: `state` is null");
    expect(gb_fit_hand(session, GB_RIGHT, &hand, -1), "gb_fit_hand: `count` is not positive");
    expect(gb_fit_hand(session, GB_RIGHT, nullptr, 1), "gb_fit_hand: `samples` is null");
    expect(gb_forces(session, GB_RIGHT, nullptr), "gb_forces: `out` is null");
    expect(gb_curl_limits(session, 2, nullptr), "gb_curl_limits: `out` is null");
    expect(gb_open_force_loop(session, nullptr), "gb_open_force_loop: `loop` is null");
    expect(gb_object_pose(session, 0, nullptr), "gb_object_pose: `out` is null");
    expect(gb_object_pose(session, 2, &pose), "gb_object_pose: there is no such object");
    expect(gb_set_object_pose(session, 0, nullptr), "gb_set_object_pose: `world_from_object` is null");
    expect(gb_set_object_pose(session, 0, &pose), "gb_set_object_pose: the pose is not finite");
    expect(gb_cast_ray(session, down, nullptr, 1.0F, nullptr), "gb_cast_ray: `direction` is null");
    expect(gb_flat_hand(GB_RIGHT, nullptr, &hand), "gb_flat_hand: `wrist_m` is null");
    expect(gb_flat_hand(2, down, &hand), "gb_flat_hand: `side` is neither");
    expect(gb_flat_hand(GB_RIGHT, nowhere_m, &hand), "gb_flat_hand: the position of the wrist is not finite");
    expect(gb_curled_hand(GB_RIGHT, &pose, straight, &hand), "gb_curled_hand: the position of the wrist is not finite");
    expect(gb_curled_hand(GB_RIGHT, &pose, nullptr, &hand), "gb_curled_hand: `curls` is null");
    EXPECT_EQ(count, -7) << "a failure changes no output";
}

TEST(CInterface, AnApplicationResetsThrowsAndPointsAtADynamicObject) {
    const recordings::TemporaryFile scene(
        "[[object]]\nname = 'table'\nshape = 'box'\nhalf_m = [0.5, 0.1, 0.5]\nposition_m = [0.0, -0.1, 0.0]\n"
        "[[object]]\nname = 'ball'\nshape = 'ball'\nradius_m = 0.05\nmotion = 'dynamic'\n"
        "position_m = [0.0, 0.05, 0.0]\n",
        "scene.toml");
    CSession session(scene.path().c_str());
    const gb_pose above = {{0.2F, 1.0F, 0.0F}, {0.0F, 0.0F, 0.0F, 1.0F}};
    ASSERT_EQ(gb_step(session, nullptr, nullptr, 0.0, nullptr), GB_OK);
    ASSERT_EQ(gb_set_object_pose(session, 1, &above), GB_OK) << gb_last_error();
    gb_pose now;
    ASSERT_EQ(gb_object_pose(session, 1, &now), GB_OK);
    EXPECT_EQ(Eigen::Vector3f(now.position_m), Eigen::Vector3f(above.position_m)) << "at once";

    // Down on the ball, past it on the table, and nothing above it or beyond the length.
    const auto cast = [&](std::array<float, 3> from_m, std::array<float, 3> direction, float length_m) {
        gb_ray_hit hit;
        EXPECT_EQ(gb_cast_ray(session, from_m.data(), direction.data(), length_m, &hit), GB_OK) << gb_last_error();
        return hit;
    };
    const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    const gb_ray_hit ball = cast({0.2F, 3.0F, 0.0F}, {0.0F, -2.0F, 0.0F}, infinity);
    EXPECT_EQ(ball.object, 1);
    EXPECT_EQ(ball.triangle, -1);
    EXPECT_NEAR(ball.distance_m, 1.95F, 1e-5F);
    EXPECT_NEAR(ball.point_m[1], 1.05F, 1e-5F);
    EXPECT_NEAR(ball.normal[1], 1.0F, 1e-5F);
    EXPECT_EQ(cast({0.3F, 3.0F, 0.0F}, {0.0F, -2.0F, 0.0F}, 10.0F).object, 0);
    EXPECT_EQ(cast({0.2F, 3.0F, 0.0F}, {0.0F, 1.0F, 0.0F}, infinity).object, -1);
    EXPECT_EQ(cast({0.2F, 3.0F, 0.0F}, {0.0F, -1.0F, 0.0F}, 1.9F).object, -1);
    EXPECT_EQ(cast({0.2F, 1.0F, 0.0F}, {0.0F, 1.0F, 0.0F}, 0.0F).distance_m, 0.0F) << "inside";
    gb_ray_hit hit;
    const float origin[3] = {0.0F, 1.0F, 0.0F}, down[3] = {0.0F, -1.0F, 0.0F}, zero[3] = {0.0F, 0.0F, 0.0F};
    const float bad[3] = {0.0F, nan, 0.0F};
    EXPECT_EQ(gb_cast_ray(session, bad, down, 1.0F, &hit), GB_BAD_ARGUMENT);
    EXPECT_EQ(gb_cast_ray(session, origin, bad, 1.0F, &hit), GB_BAD_ARGUMENT);
    EXPECT_EQ(gb_cast_ray(session, origin, zero, 1.0F, &hit), GB_BAD_ARGUMENT);
    EXPECT_EQ(gb_cast_ray(session, origin, down, -1.0F, &hit), GB_BAD_ARGUMENT);
    EXPECT_EQ(gb_cast_ray(session, origin, down, nan, &hit), GB_BAD_ARGUMENT);
    EXPECT_EQ(gb_cast_ray(session, origin, down, 1.0F, nullptr), GB_BAD_ARGUMENT);
    EXPECT_EQ(gb_cast_ray(nullptr, origin, down, 1.0F, &hit), GB_BAD_ARGUMENT);

    const float up[3] = {0.0F, 2.0F, 0.0F};
    EXPECT_EQ(gb_set_object_velocity(session, 0, up, nullptr), GB_BAD_ARGUMENT) << "the table is fixed";
    EXPECT_EQ(gb_set_object_velocity(session, 1, bad, nullptr), GB_BAD_ARGUMENT);
    EXPECT_EQ(gb_set_object_velocity(session, 2, up, nullptr), GB_BAD_ARGUMENT);
    ASSERT_EQ(gb_set_object_velocity(session, 1, up, nullptr), GB_OK) << gb_last_error();
    for (int i = 1; i <= 18; ++i) ASSERT_EQ(gb_step(session, nullptr, nullptr, i / 90.0, nullptr), GB_OK);
    ASSERT_EQ(gb_object_pose(session, 1, &now), GB_OK);
    EXPECT_NEAR(now.position_m[1], 1.0F + 2.0F * 0.2F - 0.5F * 9.81F * 0.04F, 0.02F);
    ASSERT_EQ(gb_set_object_velocity(session, 1, nullptr, nullptr), GB_OK);
    ASSERT_EQ(gb_restart(session), GB_OK);
    ASSERT_EQ(gb_object_pose(session, 1, &now), GB_OK);
    EXPECT_NEAR(now.position_m[1], 0.05F, 1e-6F) << "back at the scene's pose";
}

// A ball comes down on the back of a resting hand and goes up again; the gap to it has a closed form.
TEST(CInterface, AnApplicationMovesAnObject) {
    const recordings::TemporaryFile scene(
        "[[object]]\nname = 'ball'\nshape = 'ball'\nradius_m = 0.02\n"
        "[[object]]\nname = 'free'\nshape = 'ball'\nmotion = 'dynamic'\nposition_m = [1.0, 0.0, 0.0]\n",
        "scene.toml");
    CSession session(scene.path().c_str());
    gb_pose pose = {{0.0F, 0.5F, 0.0F}, {0.0F, 0.0F, 0.0F, 1.0F}};
    const auto refused = [&](int object, const gb_pose* of, const char* because) {
        EXPECT_EQ(gb_set_object_pose(session, object, of), GB_BAD_ARGUMENT);
        EXPECT_NE(std::string(gb_last_error()).find(because), std::string::npos) << gb_last_error();
    };
    refused(2, &pose, "no such object");
    refused(-1, &pose, "no such object");
    refused(0, nullptr, "null");
    EXPECT_EQ(gb_set_object_pose(nullptr, 0, &pose), GB_BAD_ARGUMENT);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const gb_pose nowhere = {{0.0F, nan, 0.0F}, {0.0F, 0.0F, 0.0F, 1.0F}};
    const gb_pose no_turn = {{0.0F, 0.0F, 0.0F}, {0.0F, 0.0F, 0.0F, 0.0F}};
    const gb_pose long_turn = {{0.0F, 0.0F, 0.0F}, {0.0F, 0.0F, 0.0F, 1.1F}};
    const gb_pose nan_turn = {{0.0F, 0.0F, 0.0F}, {0.0F, nan, 0.0F, 1.0F}};
    refused(0, &nowhere, "finite");
    for (const gb_pose* each : {&no_turn, &long_turn, &nan_turn}) refused(0, each, "length 1");

    // 30 mm above the hand, then 1 mm lower in each frame for 60 frames, then up again. The hand trembles by 1 um, as
    // one that does not move at all is taken for a tracker that hangs.
    std::vector<gb_event> begins, ends;
    constexpr double kStep_s = 1.0 / 90.0;
    for (int i = 0; i <= 120; ++i) {
        const float wrist_m[3] = {0.0F, i % 2 == 0 ? 0.0F : 1e-6F, 0.0F};
        gb_hand hand;
        ASSERT_EQ(gb_flat_hand(GB_RIGHT, wrist_m, &hand), GB_OK);
        const gb_joint& knuckle = hand.joints[12];  // middle proximal
        std::copy_n(knuckle.position_m, 3, pose.position_m);
        pose.position_m[1] += knuckle.radius_m + 0.02F + 0.030F - 0.001F * static_cast<float>(std::min(i, 120 - i));
        ASSERT_EQ(gb_set_object_pose(session, 0, &pose), GB_OK) << gb_last_error();
        ASSERT_EQ(gb_step(session, nullptr, &hand, i * kStep_s, nullptr), GB_OK);
        gb_pose now;
        ASSERT_EQ(gb_object_pose(session, 0, &now), GB_OK);
        EXPECT_EQ(Eigen::Vector3f(now.position_m), Eigen::Vector3f(pose.position_m));
        for (const gb_event& event : all<gb_event>(session, gb_events)) {
            if (event.part != GB_MIDDLE || event.bone != 9) continue;  // the bone from that knuckle on
            if (event.kind == GB_TOUCH_BEGIN) begins.push_back(event);
            if (event.kind == GB_TOUCH_END) ends.push_back(event);
        }
    }
    ASSERT_EQ(begins.size(), 1U);
    ASSERT_EQ(ends.size(), 1U);
    // The gap is 30 mm - 1 mm i going down; it is more than 3 mm again in frame 94.
    EXPECT_NEAR(begins[0].time_s, 30 * kStep_s, 1.01 * kStep_s);
    EXPECT_NEAR(ends[0].time_s, 94 * kStep_s, 1.01 * kStep_s);
    EXPECT_NEAR(begins[0].relative_velocity_m_s[1], 0.09F, 1e-3F) << "of the bone relative to the ball";

    ASSERT_EQ(gb_restart(session), GB_OK);
    ASSERT_EQ(gb_step(session, nullptr, nullptr, 0.0, nullptr), GB_OK);
    gb_pose now;
    ASSERT_EQ(gb_object_pose(session, 0, &now), GB_OK);
    EXPECT_EQ(Eigen::Vector3f(now.position_m), Eigen::Vector3f::Zero()) << "back at the scene's pose";
}

// The header states this: a program that feeds a hand of its own must not wonder where the hand went.
TEST(CInterface, AHandThatDoesNotMoveAtAllIsHeldAndThenNotPresent) {
    CSession session("held-ball");
    const gb_hand still = hand_coming_down(0);
    gb_step_report report;
    for (int i = 0; i < 30; ++i) {
        ASSERT_EQ(gb_step(session, nullptr, &still, 0.0125 * i, &report), GB_OK);
        EXPECT_EQ(report.held[GB_RIGHT] != 0, i > 8 && i <= 16) << i;
        EXPECT_EQ(report.present[GB_RIGHT] != 0, i <= 16) << i;
    }
}

TEST(CInterface, ASimulatedHandMayStayStill) {
    gb_options options = {};
    options.simulated = 1;
    gb_session* session = nullptr;
    ASSERT_EQ(gb_open("held-ball", &options, &session), GB_OK);
    const gb_hand still = hand_coming_down(66);
    for (int pass = 0; pass < 2; ++pass) {
        gb_step_report report;
        for (int i = 0; i < 60; ++i) {
            ASSERT_EQ(gb_step(session, nullptr, &still, 0.0125 * i, &report), GB_OK);
            ASSERT_EQ(report.held[GB_RIGHT], 0) << i;
            ASSERT_EQ(report.present[GB_RIGHT], 1) << i;
        }
        EXPECT_GT(report.touches, 0);
        ASSERT_EQ(gb_restart(session), GB_OK);  // which keeps the option
    }
    gb_close(session);
}

// Oracle: a session without the option whose hands the test smooths with the filter of the program.
TEST(CInterface, AFilterSmoothsTheHandsBeforeTheyTouch) {
    gb_options options = {};
    options.filter_hz = 2.0F;
    options.filter_beta = 20.0F;
    gb_session* smooth = nullptr;
    ASSERT_EQ(gb_open("held-ball", &options, &smooth), GB_OK);
    CSession raw("held-ball"), outside("held-ball");
    tracking::HandFilter filter;
    filter.settings.on = true;
    filter.settings.min_cutoff_hz = 2.0;
    filter.settings.beta = 20.0;
    std::mt19937 random(5);
    std::uniform_real_distribution<float> tremble_m(-0.003F, 0.003F);
    int differ = 0, events_raw = 0, events_smooth = 0;
    for (int i = 0; i < 240; ++i) {
        gb_hand hand = hand_coming_down(std::min(i, 64));
        const Eigen::Vector3f by_m(tremble_m(random), tremble_m(random), tremble_m(random));
        for (gb_joint& joint : hand.joints)
            for (int k = 0; k < 3; ++k) joint.position_m[k] += by_m[k];
        const double time_s = i / 90.0;
        tracking::HandFrame frame;
        frame.active = true;
        const std::int64_t time_ns = std::llround(1e9 * time_s);
        frame.times = {time_ns, time_ns, time_ns};
        for (std::size_t k = 0; k < frame.joints.size(); ++k) {
            frame.joints[k].position_m = Eigen::Vector3f(hand.joints[k].position_m);
            frame.joints[k].orientation = Eigen::Quaternionf(hand.joints[k].orientation);
            frame.joints[k].flags = static_cast<std::uint8_t>(hand.joints[k].flags);
        }
        filter.pass(frame, frame);
        gb_hand filtered = hand;
        for (std::size_t k = 0; k < frame.joints.size(); ++k) {
            Eigen::Vector3f::Map(filtered.joints[k].position_m) = frame.joints[k].position_m;
            Eigen::Vector4f::Map(filtered.joints[k].orientation) = frame.joints[k].orientation.coeffs();
        }
        gb_step_report with, by_hand, without;
        ASSERT_EQ(gb_step(smooth, nullptr, &hand, time_s, &with), GB_OK);
        ASSERT_EQ(gb_step(outside, nullptr, &filtered, time_s, &by_hand), GB_OK);
        ASSERT_EQ(gb_step(raw, nullptr, &hand, time_s, &without), GB_OK);
        EXPECT_EQ(hash_of(with), hash_of(by_hand)) << i;
        differ += hash_of(with) != hash_of(without) ? 1 : 0;
        events_raw += without.events;
        events_smooth += with.events;
    }
    EXPECT_GT(differ, 200);
    EXPECT_LT(2 * events_smooth, events_raw) << "touches flicker less";
    EXPECT_GT(events_smooth, 0);
    gb_state* state = nullptr;
    ASSERT_EQ(gb_save(smooth, &state), GB_OK);
    EXPECT_EQ(gb_restore(raw, state), GB_BAD_ARGUMENT) << "another filter";
    EXPECT_EQ(gb_restore(smooth, state), GB_OK);
    gb_free_state(state);
    gb_close(smooth);
}

// The header states this, too: such an event has no place.
TEST(CInterface, AHoverThatEndsOutOfReachHasNoPlace) {
    CSession session("held-ball");
    int ends = 0;
    for (int i = 0; i < 120; ++i) {
        const gb_hand hand = hand_coming_down(std::min(i, 120 - i));
        ASSERT_EQ(gb_step(session, nullptr, &hand, i / 90.0, nullptr), GB_OK);
        for (const gb_event& event : all<gb_event>(session, gb_events)) {
            if (event.kind != GB_HOVER_END) continue;
            EXPECT_EQ(event.distance_m, 1e9F);
            EXPECT_EQ(Eigen::Vector3f(event.point_m).norm() + Eigen::Vector3f(event.normal).norm(), 0.0F);
            ++ends;
        }
    }
    EXPECT_GT(ends, 0);
}

TEST(CInterface, CutsWhatDoesNotFitAndCountsAll) {
    CSession session("held-ball");
    for (int i = 0; i < 80; ++i) {
        const gb_hand hand = hand_coming_down(i);
        gb_step(session, nullptr, &hand, i / 90.0, nullptr);
    }
    const auto whole = all<gb_contact>(session, gb_contacts);
    ASSERT_GT(whole.size(), 1U);
    gb_contact two[2];
    std::memset(two, 0x55, sizeof(two));
    int count = 0;
    ASSERT_EQ(gb_contacts(session, two, 1, &count), GB_OK);
    EXPECT_EQ(count, static_cast<int>(whole.size()));
    EXPECT_EQ(two[0].bone, whole[0].bone);
    EXPECT_EQ(two[1].bone, 0x55555555);  // not written
}

TEST(CInterface, SaysWhatIsWrong) {
    gb_session* session = nullptr;
    EXPECT_EQ(gb_open("no-such-scene", nullptr, &session), GB_CANNOT_OPEN);
    EXPECT_NE(std::string(gb_last_error()).find("no-such-scene"), std::string::npos) << gb_last_error();
    EXPECT_EQ(session, nullptr);
    EXPECT_EQ(gb_open("held-ball", nullptr, nullptr), GB_BAD_ARGUMENT);
    EXPECT_EQ(gb_step(nullptr, nullptr, nullptr, 0.0, nullptr), GB_BAD_ARGUMENT);
    EXPECT_EQ(gb_object_count(nullptr), 0);
    EXPECT_EQ(gb_object_name(nullptr, 0), nullptr);
    gb_close(nullptr);
    gb_open("no\nsuch scene", nullptr, &session);
    EXPECT_EQ(std::string(gb_last_error()).find('\n'), std::string::npos) << "a message is one line";
    for (float gb_options::*const number : {&gb_options::filter_hz, &gb_options::filter_beta})
        for (const float wrong : {-1.0F, 2e6F, std::numeric_limits<float>::quiet_NaN()}) {
            gb_options options = {};
            options.*number = wrong;
            EXPECT_EQ(gb_open("held-ball", &options, &session), GB_BAD_ARGUMENT) << wrong;
            EXPECT_EQ(session, nullptr);
        }
    gb_options no_cutoff = {};
    no_cutoff.filter_beta = 20.0F;
    EXPECT_EQ(gb_open("held-ball", &no_cutoff, &session), GB_BAD_ARGUMENT) << "it would have no effect";

    CSession open("held-ball");
    int count = -7;
    EXPECT_EQ(gb_contacts(open, nullptr, 3, &count), GB_BAD_ARGUMENT);
    EXPECT_EQ(count, -7);
    EXPECT_EQ(gb_object_name(open, -1), nullptr);
    EXPECT_EQ(gb_object_name(open, gb_object_count(open)), nullptr);
    EXPECT_EQ(gb_object_motion(open, -1), -1);
    EXPECT_EQ(gb_object_motion(open, 0), GB_FIXED);
    EXPECT_EQ(gb_object_motion(CSession("table-and-ball"), 1), GB_DYNAMIC);
    gb_force forces[6];
    EXPECT_EQ(gb_forces(open, GB_RIGHT, forces), GB_BAD_ARGUMENT);
    EXPECT_NE(std::string(gb_last_error()).find("gb_options.forces"), std::string::npos);
    EXPECT_EQ(gb_step(open, nullptr, nullptr, 1.0, nullptr), GB_OK);
    EXPECT_EQ(gb_step(open, nullptr, nullptr, 0.9, nullptr), GB_BAD_ARGUMENT);
    EXPECT_EQ(gb_step(open, nullptr, nullptr, std::numeric_limits<double>::quiet_NaN(), nullptr), GB_BAD_ARGUMENT);
    EXPECT_EQ(gb_step(open, nullptr, nullptr, 1.0, nullptr), GB_OK);
    EXPECT_EQ(gb_restart(open), GB_OK);
    EXPECT_EQ(gb_step(open, nullptr, nullptr, 0.0, nullptr), GB_OK);
}

// Tracker errors are reported and held back: the previous pose is used instead.
TEST(CInterface, HoldsBackBrokenHands) {
    CSession session("held-ball");
    gb_step_report report;
    for (int i = 0; i < 10; ++i) {
        const gb_hand hand = hand_coming_down(i);
        ASSERT_EQ(gb_step(session, nullptr, &hand, i / 90.0, &report), GB_OK);
        EXPECT_EQ(report.held[GB_RIGHT], 0);
    }
    gb_hand broken = hand_coming_down(10);
    broken.joints[9].position_m[1] = std::numeric_limits<float>::quiet_NaN();
    ASSERT_EQ(gb_step(session, nullptr, &broken, 10 / 90.0, &report), GB_OK);
    EXPECT_EQ(report.held[GB_RIGHT], 1);
    EXPECT_EQ(report.present[GB_RIGHT], 1);
}

TEST(CInterface, ForcesPushTheHandOut) {
    CSession session("held-ball", true);
    float up_n = 0.0F;
    for (int i = 0; i < 90; ++i) {
        const gb_hand hand = hand_coming_down(std::min(i, 68));
        ASSERT_EQ(gb_step(session, nullptr, &hand, i / 90.0, nullptr), GB_OK);
        gb_force forces[6];
        ASSERT_EQ(gb_forces(session, GB_RIGHT, forces), GB_OK);
        float sum_n = 0.0F;
        for (const gb_force& force : forces) sum_n += force.force_n[1];
        if (i < 20) {
            EXPECT_EQ(sum_n, 0.0F) << i;
        }
        up_n = std::max(up_n, sum_n);
        ASSERT_EQ(gb_forces(session, GB_LEFT, forces), GB_OK);
        for (const gb_force& force : forces) EXPECT_EQ(force.force_n[1], 0.0F);
    }
    EXPECT_GT(up_n, 0.1F);
}

// Each finger closes by its own curl, and straight ones make gb_flat_hand().
TEST(CInterface, ACurledHandHasTheCurlsThatItWasGiven) {
    const float wrist_m[3] = {0.1F, 0.2F, 0.3F};
    gb_pose wrist = {{0.1F, 0.2F, 0.3F}, {0.0F, 0.0F, 0.0F, 1.0F}};
    gb_hand flat, curled;
    float curls[5] = {0.0F, 0.0F, 0.0F, 0.0F, 0.0F};
    ASSERT_EQ(gb_flat_hand(GB_LEFT, wrist_m, &flat), GB_OK);
    ASSERT_EQ(gb_curled_hand(GB_LEFT, &wrist, curls, &curled), GB_OK);
    EXPECT_EQ(std::memcmp(&flat, &curled, sizeof(flat)), 0);
    for (int i = 0; i < 5; ++i) curls[i] = 0.15F + 0.15F * static_cast<float>(i);
    const Eigen::Quaternionf turn(Eigen::AngleAxisf(1.1F, Eigen::Vector3f(0.48F, 0.6F, 0.64F)));
    std::copy_n(turn.coeffs().data(), 4, wrist.orientation);
    ASSERT_EQ(gb_curled_hand(GB_RIGHT, &wrist, curls, &curled), GB_OK);
    EXPECT_EQ(Eigen::Vector3f(curled.joints[1].position_m), Eigen::Vector3f(wrist_m));
    CSession session("empty-table");
    ASSERT_EQ(gb_step(session, nullptr, &curled, 0.0, nullptr), GB_OK);
    gb_curl_limit limits[5];
    ASSERT_EQ(gb_curl_limits(session, GB_RIGHT, limits), GB_OK);
    for (int i = 0; i < 5; ++i) EXPECT_NEAR(limits[i].now, curls[i], 0.02F) << i;
    curls[2] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(gb_curled_hand(GB_RIGHT, &wrist, curls, &curled), GB_BAD_ARGUMENT);
    curls[2] = 0.0F;
    EXPECT_EQ(gb_curled_hand(2, &wrist, curls, &curled), GB_BAD_ARGUMENT);
    EXPECT_EQ(gb_curled_hand(GB_RIGHT, nullptr, curls, &curled), GB_BAD_ARGUMENT);
    wrist.orientation[0] = 2.0F;
    EXPECT_EQ(gb_curled_hand(GB_RIGHT, &wrist, curls, &curled), GB_BAD_ARGUMENT);
}

// Above the ball, the middle finger is stopped by it; the limits of a missing hand are unknown.
TEST(CInterface, CurlLimitsSayWhereAFingerMeetsTheBall) {
    CSession session("held-ball");
    for (int i = 0; i < 55; ++i) {
        const gb_hand hand = hand_coming_down(i);
        ASSERT_EQ(gb_step(session, nullptr, &hand, i / 90.0, nullptr), GB_OK);
    }
    gb_curl_limit limits[5];
    ASSERT_EQ(gb_curl_limits(session, GB_RIGHT, limits), GB_OK);
    int stopped = 0;
    for (const gb_curl_limit& limit : limits) {
        EXPECT_EQ(limit.known, 1);
        EXPECT_NEAR(limit.now, 0.0F, 0.2F);
        if (limit.touch >= 1.0F) continue;
        ++stopped;
        EXPECT_GT(limit.touch, 0.0F);
        EXPECT_NE(gb_object_name(session, limit.object), nullptr);
    }
    EXPECT_GT(stopped, 0);
    ASSERT_EQ(gb_curl_limits(session, GB_LEFT, limits), GB_OK);
    EXPECT_EQ(limits[1].known, 0);
    EXPECT_EQ(gb_curl_limits(session, 2, limits), GB_BAD_ARGUMENT);
}

TEST(CInterface, ARestartForgetsTheHands) {
    CSession session("held-ball");
    const gb_hand hand = hand_coming_down(0);
    ASSERT_EQ(gb_step(session, nullptr, &hand, 0.0, nullptr), GB_OK);
    gb_curl_limit limits[5];
    ASSERT_EQ(gb_curl_limits(session, GB_RIGHT, limits), GB_OK);
    EXPECT_EQ(limits[1].known, 1);
    ASSERT_EQ(gb_restart(session), GB_OK);
    ASSERT_EQ(gb_curl_limits(session, GB_RIGHT, limits), GB_OK);
    for (const gb_curl_limit& limit : limits) EXPECT_EQ(limit.known, 0);
}

TEST(CInterface, SessionsOnThreadsOfTheirOwnDoNotMeet) {
    std::array<std::uint64_t, 4> hashes{};
    std::array<bool, 4> has_error{};
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < hashes.size(); ++t)
        threads.emplace_back([&, t] {
            CSession session(t % 2 == 0 ? "held-ball" : "table-and-ball");
            for (int i = 0; i < 90; ++i) {
                const gb_hand hand = hand_coming_down(i);
                gb_step_report report;
                gb_step(session, nullptr, &hand, i / 90.0, &report);
                hashes[t] = hashes[t] * 31 + hash_of(report);
            }
            if (t == 0) gb_step(nullptr, nullptr, nullptr, 0.0, nullptr);
            has_error[t] = *gb_last_error() != '\0';
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(hashes[0], hashes[2]);
    EXPECT_EQ(hashes[1], hashes[3]);
    EXPECT_NE(hashes[0], hashes[1]);
    EXPECT_TRUE(has_error[0]);
    EXPECT_FALSE(has_error[1] || has_error[2] || has_error[3]);
}

}  // namespace
}  // namespace glovebox::vr
