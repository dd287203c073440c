// Objects that the application moves: touches and velocities against closed forms, and the same hashes as a track.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/scenes/claw.h"

namespace glovebox::scenes {
namespace {

using Eigen::Isometry3f;
using Eigen::Vector3f;

constexpr double kRate_hz = 90.0;
constexpr int kTipOfIndex = 7;

SceneObject fixed_ball(float radius_m, const Vector3f& at_m) {
    SceneObject ball = ball_object(radius_m, at_m);
    ball.motion = Motion::fixed;
    return ball;
}

Isometry3f at(float x, float y, float z) {
    return Isometry3f(Eigen::Translation3f(x, y, z));
}

TEST(SetObjectPose, ABallMovedThroughARestingFingertipTouchesAsTheClosedFormSays) {
    // Along -z in front of the index fingertip, whose end is a sphere about (0.05, 0.5, 0).
    const Claw claw;
    const float radius_m = 0.02F, speed_m_s = 0.3F;
    Scene scene;
    scene.objects = {fixed_ball(radius_m, {0.05F, 0.5F, -0.2F})};
    Session session(scene, kRate_hz);
    // Towards the tip until 0.5 s, then back.
    const auto z_m = [&](int frame) {
        return -0.15F + speed_m_s * static_cast<float>(0.5 - std::abs(frame / kRate_hz - 0.5));
    };
    for (int i = 0; i < 91; ++i) {
        ASSERT_EQ(set_object_pose(session.scene, session.world, 0, at(0.05F, 0.5F, z_m(i))), "");
        session.step(claw.frame());
        const float expected_m_s = i == 0 ? 0.0F : static_cast<float>(kRate_hz) * (z_m(i) - z_m(i - 1));
        ASSERT_NEAR(session.velocity().z(), expected_m_s, 1e-4F) << i;
    }
    const auto first = [&](auto&& is_true) {
        int frame = 0;
        while (!is_true(-z_m(frame) - radius_m - claw.tip_radius_m)) ++frame;
        return frame;
    };
    const int began = first([](float distance_m) { return distance_m <= 0.0F; });
    int ended = began;
    while (-z_m(ended) - radius_m - claw.tip_radius_m <= scene.thresholds.touch_exit_m) ++ended;
    const auto begins = session.of(EventKind::touch_begin, kTipOfIndex),
               ends = session.of(EventKind::touch_end, kTipOfIndex);
    ASSERT_EQ(begins.size(), 1U);
    ASSERT_EQ(ends.size(), 1U);
    EXPECT_EQ(begins[0].frame, began);
    EXPECT_EQ(ends[0].frame, ended);
    EXPECT_NEAR(begins[0].event.relative_velocity_m_s.z(), -speed_m_s, 1e-3F) << "of the bone relative to the ball";
    EXPECT_NEAR(begins[0].event.normal.z(), -1.0F, 1e-3F);
}

TEST(SetObjectPose, TheVelocityOfAContactIncludesTheTurn) {
    // A wheel about +y through the origin of the box; the fingertip rests on its rim.
    constexpr float kSpin_rad_s = 2.0F;
    const Claw claw;
    Scene scene;
    scene.objects = {box_object({0.2F, 0.01F, 0.2F}, {0.05F - 0.1F, 0.5F - claw.tip_radius_m - 0.009F, 0.0F})};
    const Isometry3f start = scene.objects[0].world_from_object;
    Session session(scene, kRate_hz);
    for (int i = 0; i < 30; ++i) {
        const float turn_rad = kSpin_rad_s * static_cast<float>(i / kRate_hz);
        ASSERT_EQ(
            set_object_pose(session.scene, session.world, 0, start * Eigen::AngleAxisf(turn_rad, Vector3f::UnitY())),
            "");
        session.step(claw.frame());
    }
    // About w x r with w = (0, 2, 0) and r = (0.1, ., 0), -0.2 m/s along z: the mean over the step of the material.
    const PairSample& sample = session.world.samples[pair_index(session.world, tracking::Side::right, kTipOfIndex, 0)];
    ASSERT_TRUE(sample.seen);
    const Vector3f arm_m = sample.contact.on_object_m - start.translation();
    EXPECT_NEAR(arm_m.x(), 0.1F, 0.011F);
    const Eigen::AngleAxisf back(-kSpin_rad_s / static_cast<float>(kRate_hz), Vector3f::UnitY());
    const Vector3f expected_m_s = static_cast<float>(kRate_hz) * (back * arm_m - arm_m);
    EXPECT_LT((sample.relative_velocity_m_s - expected_m_s).norm(), 1e-4F) << sample.relative_velocity_m_s.transpose();
}

// This makes a session replayable: an object that follows the poses as a recorded track gives the same hashes.
TEST(SetObjectPose, ATrackOfTheSamePosesGivesTheSameHashes) {
    // A turning tray carries a ball past a hand that moves fast enough for sub-steps.
    Scene moved;
    moved.objects = {box_object({0.2F, 0.01F, 0.2F}, {0.0F, 0.4F, 0.0F}), ball_object(0.02F, {0.05F, 0.43F, 0.0F})};
    Scene followed = moved;
    followed.objects[0].motion = Motion::recorded;
    tracking::RigidTrack& track = followed.objects[0].track.emplace();
    const auto pose = [](int i) {
        const float phase = 0.1F * static_cast<float>(i);
        return Isometry3f(at(0.03F * std::sin(phase), 0.4F + 0.04F * std::sin(0.7F * phase), 0.0F) *
                          Eigen::AngleAxisf(0.3F * std::sin(0.3F * phase), Vector3f(0.36F, 0.8F, 0.48F)));
    };
    constexpr int kCarriedFrames = 300;
    Session moves(moved, kRate_hz), follows(followed, kRate_hz);
    for (int i = 0; i < kCarriedFrames; ++i) {
        track.time_ns.push_back(static_cast<std::int64_t>(1e9 * static_cast<double>(i) / kRate_hz));
        track.world_from_object.push_back(pose(i));
    }
    follows.scene = followed;
    int sub_steps = 1, touches = 0;
    for (int i = 0; i < kCarriedFrames; ++i) {
        Claw claw;
        claw.middle_m.y() = 0.46F + 0.06F * std::sin(0.4F * static_cast<float>(i));
        ASSERT_EQ(set_object_pose(moves.scene, moves.world, 0, pose(i)), "");
        const StepReport moved_report = moves.step(claw.frame()), followed_report = follows.step(claw.frame());
        ASSERT_EQ(moved_report.state_hash, followed_report.state_hash) << "frame " << i;
        sub_steps = std::max(sub_steps, moves.world.sub_steps);
        touches += moved_report.counts.touching > 0 ? 1 : 0;
    }
    EXPECT_GT(sub_steps, 1);
    EXPECT_GT(touches, 20);
}

TEST(SetObjectPose, RefusesWhatItCannotMoveAndPosesThatAreNotRigid) {
    Scene scene;
    scene.objects = {fixed_ball(0.02F, Vector3f::Zero()), ball_object(0.02F, {1.0F, 0.0F, 0.0F}),
                     box_object({0.1F, 0.1F, 0.1F}, {2.0F, 0.0F, 0.0F}, Motion::recorded)};
    World world(scene);
    const Isometry3f good = at(0.0F, 0.1F, 0.0F);
    for (const int none : {-1, 3}) EXPECT_NE(set_object_pose(scene, world, none, good), "") << none;
    EXPECT_NE(set_object_pose(scene, world, 2, good).find("track"), std::string_view::npos);
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    for (const int object : {0, 1}) {
        for (const float bad : {nan, infinity, 1e7F})
            EXPECT_NE(set_object_pose(scene, world, object, at(bad, 0.0F, 0.0F)), "");
        for (const float scale : {0.0F, 0.99F, 1.01F, -1.0F, nan}) {
            Isometry3f scaled = good;
            scaled.linear() *= scale;
            EXPECT_NE(set_object_pose(scene, world, object, scaled), "") << scale;
        }
    }
    EXPECT_EQ(world.world_from_object[1].translation(), Vector3f(1.0F, 0.0F, 0.0F));
    const Vector3f slow(0.1F, 0.0F, 0.0F);
    for (const int wrong : {-1, 0, 2, 3}) EXPECT_NE(set_object_velocity(scene, world, wrong, slow, slow), "") << wrong;
    for (const float bad : {nan, infinity, 1001.0F}) {
        EXPECT_NE(set_object_velocity(scene, world, 1, {0.0F, bad, 0.0F}, slow), "");
        EXPECT_NE(set_object_velocity(scene, world, 1, slow, {0.0F, bad, 0.0F}), "");
    }
    EXPECT_EQ(world.dynamics->velocity_at(1, {1.0F, 0.0F, 0.0F}).norm(), 0.0F);
    step(scene, world, {}, 0.0);
    EXPECT_EQ(world.world_from_object[0].translation(), Vector3f::Zero()) << "nothing changed";
    EXPECT_EQ(set_object_pose(scene, world, 0, good), "");
    EXPECT_EQ(world.world_from_object[0].translation(), Vector3f::Zero()) << "until the next step";
    step(scene, world, {}, 0.0);
    EXPECT_EQ(world.world_from_object[0].translation(), good.translation());
}

TEST(SetObjectPose, AnObjectThatAHandGrabsGoesWhereTheApplicationSays) {
    Scene scene;
    scene.objects = {box_object({0.03F, 0.03F, 0.03F}, {0.0F, 0.5F, 0.0F})};
    Session session(scene, kRate_hz);
    for (int i = 0; i < 120; ++i) {
        Claw claw;
        claw.half_gap_m = i < 10 ? 0.05F : 0.037F;
        if (i >= 30) claw.middle_m.y() += 0.002F * static_cast<float>(std::min(i, 80) - 30);
        // The application lets the box follow the hand until frame 80, and then puts it down.
        const float y_m = i < 80 ? claw.middle_m.y() : 0.3F;
        ASSERT_EQ(set_object_pose(session.scene, session.world, 0, at(0.0F, y_m, 0.0F)), "");
        session.step(claw.frame());
        ASSERT_EQ(session.place(), Vector3f(0.0F, y_m, 0.0F)) << i;
    }
    const auto begins = session.of(EventKind::grab_begin), ends = session.of(EventKind::grab_end);
    ASSERT_EQ(begins.size(), 1U);
    ASSERT_EQ(ends.size(), 1U);
    EXPECT_LT(begins[0].frame, 30);
    EXPECT_GE(ends[0].frame, 80);
}

TEST(SetObjectPose, AnObjectIsAtRestInTheFirstStepAndWithoutANewPoseAndAfterAJump) {
    Scene scene;
    scene.objects = {fixed_ball(0.02F, Vector3f::Zero())};
    Session session(scene, kRate_hz);
    const auto speed_after = [&](const Isometry3f& pose) {
        EXPECT_EQ(set_object_pose(session.scene, session.world, 0, pose), "");
        session.step(nullptr);
        return session.velocity().norm();
    };
    EXPECT_EQ(speed_after(at(0.01F, 0.0F, 0.0F)), 0.0F);
    EXPECT_NEAR(speed_after(at(0.02F, 0.0F, 0.0F)), 0.9F, 1e-3F);
    session.step(nullptr);
    EXPECT_EQ(session.velocity().norm(), 0.0F);
    EXPECT_EQ(speed_after(at(5.0F, 0.0F, 0.0F)), 0.0F) << "not 450 m/s";
    EXPECT_NEAR(speed_after(at(5.0F, 0.01F, 0.0F)), 0.9F, 1e-3F);
}

// An application may leave an object alone for long before it moves it.
TEST(SetObjectPose, ATrayThatStartsToMoveTakesASleepingBallAlong) {
    Scene scene;
    scene.objects = {box_object({0.2F, 0.01F, 0.2F}, Vector3f::Zero()), ball_object(0.02F, {0.0F, 0.03F, 0.0F})};
    scene.respawn_after_s = 1e6F;
    Session session(scene, kRate_hz);
    for (int i = 0; i < 180; ++i) session.step(nullptr);
    ASSERT_TRUE(session.world.dynamics->sleeps(1));
    for (int i = 1; i <= 90; ++i) {
        ASSERT_EQ(set_object_pose(session.scene, session.world, 0, at(0.0F, 0.002F * static_cast<float>(i), 0.0F)), "");
        session.step(nullptr);
        // In the first step, too, the tray has the speed of its motion.
        ASSERT_NEAR(session.velocity(0).y(), 0.18F, 1e-3F) << i;
    }
    EXPECT_NEAR(session.place(1).y(), 0.18F + 0.03F, 0.003F);
}

// --- dynamic objects

Scene ball_over_table() {
    Scene scene;
    scene.objects = {ball_object(0.02F, {0.0F, 0.02F, 0.0F}), box_object({0.5F, 0.1F, 0.5F}, {0.0F, -0.1F, 0.0F})};
    scene.respawn_after_s = 0.5F;
    return scene;
}

TEST(SetObjectPose, ADynamicObjectIsThereAtOnceAndFallsFromRest) {
    Session session(ball_over_table(), kRate_hz);
    for (int i = 0; i < 30; ++i) session.step(nullptr);
    ASSERT_EQ(set_object_velocity(session.scene, session.world, 0, {3.0F, 2.0F, 1.0F}, {9.0F, 9.0F, 9.0F}), "");
    session.step(nullptr);
    ASSERT_EQ(set_object_pose(session.scene, session.world, 0, at(0.1F, 1.0F, 0.2F)), "");
    EXPECT_EQ(session.place(), Vector3f(0.1F, 1.0F, 0.2F));
    EXPECT_EQ(session.velocity(), Vector3f::Zero());
    for (int i = 1; i <= 30; ++i) {
        session.step(nullptr);
        const float time_s = static_cast<float>(i / kRate_hz);
        ASSERT_NEAR(session.place().y(), 1.0F - 0.5F * 9.81F * time_s * time_s, 0.06F * time_s) << i;
        ASSERT_NEAR(session.place().x(), 0.1F, 1e-6F);
        ASSERT_NEAR(session.place().z(), 0.2F, 1e-6F);
    }
}

TEST(SetObjectVelocity, AThrownBallFliesItsParabolaAndTurns) {
    Session session(ball_over_table(), kRate_hz);
    session.scene.respawn_after_s = 1e6F;
    ASSERT_EQ(set_object_pose(session.scene, session.world, 0, at(0.0F, 0.5F, 0.0F)), "");
    ASSERT_EQ(set_object_velocity(session.scene, session.world, 0, {0.5F, 3.0F, 0.0F}, {0.0F, 4.0F, 0.0F}), "");
    for (int i = 1; i <= 45; ++i) session.step(nullptr);
    const float time_s = 0.5F;
    EXPECT_NEAR(session.place().x(), 0.5F * time_s, 0.01F);
    EXPECT_NEAR(session.place().y(), 0.5F + 3.0F * time_s - 0.5F * 9.81F * time_s * time_s, 0.04F);
    const Eigen::AngleAxisf turn(session.world.world_from_object[0].linear());
    EXPECT_NEAR(turn.angle(), 4.0F * time_s, 0.1F);
    EXPECT_NEAR(turn.axis().y(), 1.0F, 1e-3F);
}

// An application that puts an object somewhere does not want it back at its start a moment later.
TEST(SetObjectPose, AnIdleObjectReturnsToThePoseThatWasSet) {
    Session session(ball_over_table(), kRate_hz);
    ASSERT_EQ(set_object_pose(session.scene, session.world, 0, at(0.3F, 0.02F, 0.1F)), "");
    for (int i = 0; i < 180; ++i) session.step(nullptr);
    EXPECT_NEAR(session.place().x(), 0.3F, 0.002F) << "stays";
    ASSERT_EQ(set_object_velocity(session.scene, session.world, 0, {0.0F, 0.0F, 1.0F}, Vector3f::Zero()), "");
    float farthest_m = 0.0F;
    for (int i = 0; i < 180; ++i) {
        session.step(nullptr);
        farthest_m = std::max(farthest_m, session.place().z());
    }
    EXPECT_GT(farthest_m, 0.3F);
    EXPECT_NEAR(session.place().x(), 0.3F, 0.002F);
    EXPECT_NEAR(session.place().z(), 0.1F, 0.03F) << "came back";
}

TEST(SetObjectPose, AHandLetsGoOfAnObjectThatIsTakenFromItAndMayGrabItAgain) {
    Scene scene;
    scene.objects = {box_object({0.03F, 0.03F, 0.03F}, {0.0F, 0.5F, 0.0F}, Motion::dynamic)};
    scene.gravity_m_s2 = Vector3f::Zero();
    scene.respawn_after_s = 1e6F;
    Session session(scene, kRate_hz);
    int frame = 0;
    const auto run = [&](int frames) {
        for (const int end = frame + frames; frame < end; ++frame) {
            Claw claw;
            claw.half_gap_m = frame < 10 ? 0.05F : 0.037F;
            claw.middle_m.y() += 1e-5F * static_cast<float>(frame % 2);
            session.step(claw.frame());
        }
    };
    run(40);
    ASSERT_EQ(session.of(EventKind::grab_begin).size(), 1U);
    ASSERT_EQ(session.of(EventKind::grab_end).size(), 0U);
    ASSERT_EQ(set_object_pose(session.scene, session.world, 0, at(1.0F, 1.0F, 1.0F)), "");
    run(1);
    ASSERT_EQ(session.of(EventKind::grab_end).size(), 1U) << "in the first step";
    run(40);
    EXPECT_EQ(session.place(), Vector3f(1.0F, 1.0F, 1.0F)) << "neither dragged along nor thrown";
    EXPECT_EQ(session.of(EventKind::touch_end).size(), session.of(EventKind::touch_begin).size());
    EXPECT_EQ(session.of(EventKind::grab_begin).size(), 1U);
    // Back between the fingers, which hold it again.
    ASSERT_EQ(set_object_pose(session.scene, session.world, 0, at(0.0F, 0.5F, 0.0F)), "");
    run(40);
    EXPECT_EQ(session.of(EventKind::grab_begin).size(), 2U);
    EXPECT_EQ(session.of(EventKind::grab_end).size(), 1U);
}

TEST(SetObjectPose, ObjectsThatLayOnAnObjectFallWhenItIsTakenAway) {
    Scene scene = ball_over_table();
    scene.objects[0] = box_object({0.05F, 0.05F, 0.05F}, {0.0F, 0.05F, 0.0F}, Motion::dynamic);
    scene.objects.push_back(box_object({0.05F, 0.05F, 0.05F}, {0.0F, 0.15F, 0.0F}, Motion::dynamic));
    scene.respawn_after_s = 1e6F;
    Session session(scene, kRate_hz);
    for (int i = 0; i < 180; ++i) session.step(nullptr);
    ASSERT_TRUE(session.world.dynamics->sleeps(0) && session.world.dynamics->sleeps(2));
    ASSERT_EQ(set_object_pose(session.scene, session.world, 0, at(0.3F, 0.06F, 0.0F)), "");
    for (int i = 0; i < 180; ++i) session.step(nullptr);
    EXPECT_NEAR(session.place(2).y(), 0.05F, 0.003F);
    EXPECT_NEAR(session.place(0).y(), 0.05F, 0.003F) << "the one that was moved wakes, too";
    EXPECT_TRUE(session.world.dynamics->sleeps(0)) << "and comes to rest again";
}

// After a jump, the state depends on the pose that was set and on nothing before.
TEST(SetObjectPose, TheSamePoseGivesTheSameMotionWhateverCameBefore) {
    const auto run = [](bool after_a_throw) {
        Scene scene = ball_over_table();
        scene.objects[0] = box_object({0.02F, 0.05F, 0.03F}, {0.0F, 0.05F, 0.0F}, Motion::dynamic);
        scene.respawn_after_s = 1e6F;
        Session session(scene, kRate_hz);
        if (after_a_throw) {
            EXPECT_EQ(set_object_velocity(session.scene, session.world, 0, {0.2F, 2.0F, 0.0F}, {5.0F, 4.0F, 3.0F}), "");
        }
        for (int i = 0; i < 75; ++i) session.step(nullptr);
        // On the table, where it would otherwise have stood for long.
        const Isometry3f pose = at(0.001F, 0.05F, 0.0F) * Eigen::AngleAxisf(0.02F, Vector3f(0.6F, 0.0F, 0.8F));
        EXPECT_EQ(set_object_pose(session.scene, session.world, 0, pose), "");
        std::vector<Vector3f> path_m;
        for (int i = 0; i < 90; ++i) {
            session.step(nullptr);
            path_m.push_back(session.place());
        }
        return path_m;
    };
    EXPECT_EQ(run(true), run(false));
}

TEST(SetObjectPose, AJointedObjectGoesToTheNearestPoseOfItsJoint) {
    Scene scene;
    scene.objects = {box_object({0.1F, 0.1F, 0.01F}, {0.1F, 0.5F, 0.0F}, Motion::dynamic),
                     box_object({0.02F, 0.02F, 0.02F}, {1.0F, 0.0F, 0.0F}, Motion::dynamic)};
    scene.objects[0].joint = {JointKind::hinge, Vector3f::UnitY(), {-0.1F, 0.0F, 0.0F}, 0.0F, 4.0F, 0.0F, 0.0F};
    scene.objects[1].joint = {JointKind::slider, Vector3f::UnitX(), Vector3f::Zero(), 0.0F, 0.3F, 0.0F, 0.0F};
    Session session(scene, kRate_hz);
    session.step(nullptr);
    const auto door_at = [](float turn_rad) {
        return Isometry3f(at(0.0F, 0.5F, 0.0F) * Eigen::AngleAxisf(turn_rad, Vector3f::UnitY()) *
                          Eigen::Translation3f(0.1F, 0.0F, 0.0F));
    };
    // More than half a turn, and back, whichever way it came.
    for (const float turn_rad : {3.8F, 0.5F, 2.0F}) {
        ASSERT_EQ(set_object_pose(session.scene, session.world, 0, door_at(turn_rad)), "");
        EXPECT_TRUE(session.world.world_from_object[0].isApprox(door_at(turn_rad), 1e-3F)) << turn_rad;
        session.step(nullptr);
        EXPECT_TRUE(session.world.world_from_object[0].isApprox(door_at(turn_rad), 1e-3F)) << turn_rad;
    }
    ASSERT_EQ(set_object_pose(session.scene, session.world, 0, at(0.0F, 0.7F, 0.1F) * door_at(1.0F)), "");
    EXPECT_TRUE(session.world.world_from_object[0].isApprox(door_at(1.0F), 1e-3F)) << "back on its hinge";
    ASSERT_EQ(set_object_velocity(session.scene, session.world, 0, Vector3f::Zero(), {5.0F, 1.0F, 7.0F}), "");
    for (int i = 0; i < 45; ++i) session.step(nullptr);
    EXPECT_TRUE(session.world.world_from_object[0].isApprox(door_at(1.5F), 0.03F)) << "1 rad/s for 0.5 s";
    ASSERT_EQ(set_object_pose(session.scene, session.world, 1, at(2.0F, 5.0F, 0.0F)), "");
    EXPECT_LT((session.place(1) - Vector3f(1.3F, 0.0F, 0.0F)).norm(), 1e-5F) << "at the end of its way";
}

// The velocity of such a step is not known. It was once the jump's length over the step.
TEST(Dynamics, ARecordedObjectIsAtRestAfterAJumpOfItsTrack) {
    Scene scene;
    scene.objects = {box_object({0.1F, 0.1F, 0.1F}, Vector3f::Zero(), Motion::recorded)};
    tracking::RigidTrack& track = scene.objects[0].track.emplace();
    for (int i = 0; i < 4; ++i) {
        track.time_ns.push_back(static_cast<std::int64_t>(1e9 * i / kRate_hz));
        track.world_from_object.push_back(at(i < 2 ? 0.0F : 3.0F, 0.0F, 0.0F));
    }
    Session session(scene, kRate_hz);
    for (int i = 0; i < 4; ++i) {
        session.step(nullptr);
        EXPECT_EQ(session.velocity().norm(), 0.0F) << i;
    }
    EXPECT_EQ(session.place().x(), 3.0F);
}

}  // namespace
}  // namespace glovebox::scenes
