#include "scenes/step.h"

#include <gtest/gtest.h>

#include "collision/mesh/mesh_tree.h"
#include "tests/collision/made_meshes.h"
#include "tests/scenes/made_hand.h"

namespace glovebox::scenes {
namespace {

using tracking::HandPair;
using tracking::Side;

constexpr double kDt_s = 1.0 / 90.0;
constexpr float kFingerRadius_m = 0.008F;

Scene ball_scene(Motion motion) {
    Scene scene;
    SceneObject ball;
    ball.name = "ball";
    ball.shape = collision::RoundCone{Eigen::Vector3f::Zero(), Eigen::Vector3f::Zero(), 0.03F, 0.03F};
    ball.motion = motion;
    ball.mass_kg = 0.05F;
    scene.objects = {ball};
    scene.gravity_m_s2.setZero();
    scene.respawn_after_s = 1e6F;
    return scene;
}

// Puts the middle finger's tip at `gap_m` from the ball's surface, pointing at its centre along -Z.
HandPair at_gap(float gap_m, int frame) {
    HandPair hands;
    hands.time_ns = static_cast<std::int64_t>(1e9 * kDt_s * frame);
    const float tip_z_m = 0.03F + kFingerRadius_m + gap_m;
    hands[Side::right] = made_hand(Side::right, Eigen::Isometry3f(Eigen::Translation3f(0, 0, tip_z_m + 0.175F)));
    return hands;
}

int count(std::span<const Event> events, EventKind kind) {
    return static_cast<int>(
        std::count_if(events.begin(), events.end(), [kind](const Event& e) { return e.kind == kind; }));
}

TEST(Step, TouchBeginsAtContactAndEndsBeyondTheExitDistance) {
    const Scene scene = ball_scene(Motion::fixed);
    World world(scene);
    int frame = 0;
    const auto step_at = [&](float gap_m) { return step(scene, world, at_gap(gap_m, frame++), kDt_s); };

    EXPECT_EQ(step_at(0.10F).events.size(), 0U);
    EXPECT_EQ(count(step_at(0.010F).events, EventKind::hover_begin), 1);
    const StepReport touch = step_at(-0.001F);
    ASSERT_EQ(count(touch.events, EventKind::touch_begin), 1);
    const Event& event = touch.events.front();
    EXPECT_EQ(event.bone, 11);
    EXPECT_NEAR(event.distance_m, -0.001F, 1e-5F);
    EXPECT_TRUE(event.normal.isApprox(-Eigen::Vector3f::UnitZ(), 1e-4F)) << event.normal.transpose();
    EXPECT_NEAR(event.relative_velocity_m_s.z(), -0.011F / kDt_s, 1e-3);

    // Noise between the enter and exit thresholds causes no events.
    for (const float gap_m : {0.001F, -0.0005F, 0.002F, -0.001F}) EXPECT_EQ(step_at(gap_m).events.size(), 0U);
    EXPECT_EQ(count(step_at(0.005F).events, EventKind::touch_end), 1);
    EXPECT_EQ(count(step_at(0.030F).events, EventKind::hover_end), 1);
}

// The velocity is that of the skin at the contact, not that of the bone's axis below it.
TEST(Step, ATurningFingersVelocityIsThatOfItsSkin) {
    Scene scene = ball_scene(Motion::fixed);
    scene.objects[0].shape =
        collision::RoundedBox{{Eigen::Vector3f(0, -0.1F, 0), Eigen::Matrix3f::Identity(), {0.5F, 0.1F, 0.5F}}, 0.0F};
    const auto wrist = [](float height_m, float pitch_rad) {
        return Eigen::Isometry3f(Eigen::Translation3f(0, height_m, 0) *
                                 Eigen::AngleAxisf(-pitch_rad, Eigen::Vector3f::UnitX()) *
                                 Eigen::Translation3f(0, 0, 0.175F));
    };
    const Eigen::Isometry3f before = wrist(0.0095F, 0.32F), now = wrist(0.0075F, 0.3F);
    World world(scene);
    HandPair hands;
    hands[Side::right] = made_hand(Side::right, before);
    step(scene, world, hands, kDt_s);
    hands.time_ns = std::llround(1e9 * kDt_s);
    hands[Side::right] = made_hand(Side::right, now);
    const StepReport report = step(scene, world, hands, kDt_s);
    ASSERT_GT(count(report.events, EventKind::touch_begin), 0);
    for (const Event& event : report.events) {
        if (event.kind != EventKind::touch_begin) continue;
        const Eigen::Vector3f expected =
            (event.point_m - before * now.inverse() * event.point_m) / static_cast<float>(kDt_s);
        EXPECT_LT((event.relative_velocity_m_s - expected).norm(), 0.001F)
            << event.relative_velocity_m_s.transpose() << " for " << expected.transpose();
    }
}

// As a finger's velocity: the mean over the step of the material at the contact, and not of the object's centre.
TEST(Step, ARecordedObjectsVelocityIsThatOfItsMaterialAtTheContact) {
    const Eigen::AngleAxisf pitch(-0.3F, Eigen::Vector3f::UnitX());
    const Eigen::Isometry3f wrist(Eigen::Translation3f(0, 0.0075F, 0) * pitch * Eigen::Translation3f(0, 0, 0.175F));
    // Turned at a right angle to the bones, because a bone does not show its twist.
    const Eigen::Isometry3f before(Eigen::Translation3f(0.001F, -0.002F, 0.0005F) *
                                   Eigen::AngleAxisf(0.02F, pitch * Eigen::Vector3f::UnitY()));
    const Eigen::Isometry3f now = Eigen::Isometry3f::Identity();
    for (const bool goes_along : {false, true}) {
        Scene scene = ball_scene(Motion::recorded);
        SceneObject& object = scene.objects[0];
        object.shape = collision::RoundedBox{
            {Eigen::Vector3f(0, -0.05F, 0), Eigen::Matrix3f::Identity(), {0.1F, 0.05F, 0.05F}}, 0.0F};
        object.track.emplace();
        object.track->time_ns = {0, std::llround(1e9 * kDt_s)};
        object.track->world_from_object = {before, now};
        object.world_from_object = before;
        World world(scene);
        HandPair hands;
        hands[Side::right] = made_hand(Side::right, goes_along ? before * wrist : wrist);
        step(scene, world, hands, kDt_s);
        hands.time_ns = std::llround(1e9 * kDt_s);
        hands[Side::right] = made_hand(Side::right, wrist);
        const StepReport report = step(scene, world, hands, kDt_s);
        int compared = 0;
        for (const Event& event : goes_along ? report.stays : report.events) {
            if (event.kind != (goes_along ? EventKind::touch_stay : EventKind::touch_begin)) continue;
            ++compared;
            Eigen::Vector3f expected = Eigen::Vector3f::Zero();
            if (!goes_along) expected = (before * event.point_m - event.point_m) / static_cast<float>(kDt_s);
            EXPECT_LT((event.relative_velocity_m_s - expected).norm(), 0.0005F)
                << event.relative_velocity_m_s.transpose() << " for " << expected.transpose();
        }
        EXPECT_GE(compared, 4) << goes_along;
    }
}

// In a frame, the hand's boxes are tested against the boxes of the mesh's own tree, whatever the refit method.
TEST(Step, EveryFrameNearAMeshTestsTheHandsBoxesAgainstTheMeshsTree) {
    Scene scene = ball_scene(Motion::fixed);
    const auto tree = collision::MeshTree::build(collision::icosphere(3, 0.03F));
    scene.objects[0].shape = collision::MeshInstance{tree};
    for (const collision::RefitMethod& method : collision::refit_methods()) {
        World world(scene);
        world.method = &method;
        int touching = 0;
        for (int frame = 0; frame < 30; ++frame) {
            const StepReport report =
                step(scene, world, at_gap(0.015F - 0.0006F * static_cast<float>(frame), frame), kDt_s);
            touching += static_cast<int>(report.counts.touching);
            if (method.kind == collision::BoxKind::none) {
                EXPECT_EQ(report.counts.n_v, 0) << method.name;
                continue;
            }
            EXPECT_GT(report.counts.n_v_tree, 0) << method.name << ", frame " << frame;
            EXPECT_EQ(report.counts.n_v, report.counts.n_v_object + report.counts.n_v_tree) << method.name;
        }
        EXPECT_GT(touching, 0) << method.name;
    }
}

TEST(Step, AStateLastsAtLeastTheDwell) {
    Scene scene = ball_scene(Motion::fixed);
    scene.thresholds.dwell_ns = 100'000'000;
    World world(scene);
    EXPECT_EQ(count(step(scene, world, at_gap(-0.001F, 0), kDt_s).events, EventKind::touch_begin), 1);
    int ended_at = -1;
    for (int frame = 1; frame < 20 && ended_at < 0; ++frame)
        if (count(step(scene, world, at_gap(0.05F, frame), kDt_s).events, EventKind::touch_end) > 0) ended_at = frame;
    EXPECT_EQ(ended_at, 9) << "90 Hz: frame 9 is the first one at or after 100 ms";
}

TEST(Step, ALostHandEndsItsTouchesAndSaysSo) {
    const Scene scene = ball_scene(Motion::fixed);
    World world(scene);
    step(scene, world, at_gap(-0.001F, 0), kDt_s);
    HandPair lost = at_gap(-0.001F, 1);
    lost[Side::right].active = false;
    const StepReport report = step(scene, world, lost, kDt_s);
    ASSERT_EQ(count(report.events, EventKind::touch_end), 1);
    for (const Event& event : report.events) EXPECT_TRUE(event.lost);
}

TEST(Step, APushedBallMovesAlongThePush) {
    const Scene scene = ball_scene(Motion::dynamic);
    World world(scene);
    constexpr float kSpeed_m_s = 0.5F;
    for (int frame = 0; frame < 60; ++frame) {
        const float gap_m = 0.05F - kSpeed_m_s * static_cast<float>(kDt_s) * static_cast<float>(frame);
        step(scene, world, at_gap(gap_m, frame), kDt_s);
    }
    const Eigen::Vector3f ball_m = world.world_from_object[0].translation();
    EXPECT_LT(ball_m.z(), -0.1F) << "the hand has moved 0.28 m beyond first contact";
    EXPECT_LT(std::abs(ball_m.x()), 0.02F);
    const Eigen::Vector3f speed_m_s = world.dynamics->velocity_at(0, ball_m);
    EXPECT_GT(-speed_m_s.z(), 0.9F * kSpeed_m_s);
    EXPECT_LT(-speed_m_s.z(), 1.6F * kSpeed_m_s) << "no more than a bounce faster than what pushes it";
}

TEST(Step, SameInputSameHashAndOtherInputAnother) {
    const Scene scene = ball_scene(Motion::dynamic);
    const auto run = [&](float first_gap_m) {
        World world(scene);
        std::uint64_t hash = 0;
        for (int frame = 0; frame < 40; ++frame)
            hash =
                step(scene, world, at_gap(first_gap_m - 0.002F * static_cast<float>(frame), frame), kDt_s).state_hash;
        return hash;
    };
    EXPECT_EQ(run(0.03F), run(0.03F));
    EXPECT_NE(run(0.03F), run(0.0301F));
}

TEST(Step, NoMotionIsInferredAcrossADiscontinuity) {
    const Scene scene = ball_scene(Motion::dynamic);
    World world(scene);
    step(scene, world, at_gap(1.0F, 0), kDt_s);
    HandPair teleported = at_gap(-0.002F, 1);
    teleported[Side::right].discontinuous = true;
    step(scene, world, teleported, kDt_s);
    EXPECT_LT(world.dynamics->velocity_at(0, Eigen::Vector3f::Zero()).norm(), 0.51F)
        << "only depenetration, not 90 m/s";
}

TEST(Step, RecordedObjectsFollowTheirTrack) {
    Scene scene = ball_scene(Motion::recorded);
    tracking::RigidTrack track;
    track.time_ns = {0, 1'000'000'000};
    track.world_from_object.assign(2, Eigen::Isometry3f::Identity());
    track.world_from_object[1].translation().x() = 1.0F;
    scene.objects[0].track = track;
    World world(scene);
    HandPair no_hands;
    no_hands.time_ns = 250'000'000;
    step(scene, world, no_hands, kDt_s);
    EXPECT_FLOAT_EQ(world.world_from_object[0].translation().x(), 0.25F);
    EXPECT_FLOAT_EQ(world.colliders[0].box.center_m.x(), 0.25F);
}

}  // namespace
}  // namespace glovebox::scenes
