// Objects that can only rotate or slide: how hands move keys, wheels and bars.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/scenes/claw.h"

namespace glovebox::scenes {
namespace {

using Eigen::Vector3f;

// A key whose top is at y = 0.5, with 4 mm of travel downwards; the index fingertip comes from above.
Scene one_key() {
    Scene scene;
    scene.objects = {box_object({0.01F, 0.01F, 0.01F}, {0.0F, 0.49F, 0.0F}, Motion::dynamic),
                     box_object({0.5F, 0.01F, 0.5F}, {0.0F, 0.47F, 0.0F})};
    scene.objects[0].mass_kg = 0.003F;
    scene.objects[0].material.restitution = 0.0F;
    scene.objects[0].joint = {JointKind::slider, Vector3f::UnitY(), Vector3f::Zero(), -0.004F, 0.0F, 150.0F, 0.8F};
    scene.objects[1].name = "table";
    return scene;
}

// Puts the index fingertip's joint at a point; the thumb is far away.
tracking::HandFrame index_at(const Vector3f& tip_m) {
    Claw claw;
    claw.half_gap_m = 0.0F;
    claw.middle_m = tip_m;
    tracking::HandFrame hand = claw.frame();
    for (const auto joint :
         {tracking::Joint::thumb_tip, tracking::Joint::thumb_distal, tracking::Joint::thumb_proximal})
        hand[joint].position_m.x() -= 0.2F;
    return hand;
}

TEST(Jointed, AKeyGoesDownUnderAFingerToItsStopAndComesBack) {
    Session session(one_key());
    const auto tip_over_key = [](float gap_m) { return index_at({0.0F, 0.5F + kTipRadius_m + gap_m, 0.0F}); };
    for (int i = 0; i < 10; ++i) session.step(tip_over_key(0.010F));
    EXPECT_NEAR(session.place().y(), 0.49F, 1e-6F);  // its spring holds it
    float lowest_m = 1.0F;
    for (int i = 0; i < 30; ++i) {
        const float depth_m = std::min(0.0045F, 0.0005F * static_cast<float>(i));
        session.step(tip_over_key(-depth_m));
        lowest_m = std::min(lowest_m, session.place().y());
        // It follows the finger without moving aside or tilting.
        if (depth_m > 0.001F && depth_m < 0.004F) {
            EXPECT_NEAR(session.place().y(), 0.49F - depth_m, 0.0008F) << i;
        }
        EXPECT_NEAR(session.place().x(), 0.0F, 1e-5F);
        EXPECT_NEAR(session.place().z(), 0.0F, 1e-5F);
        EXPECT_TRUE(session.world.world_from_object[0].linear().isIdentity(1e-4F));
    }
    EXPECT_NEAR(lowest_m, 0.486F, 1e-5F);  // at the stop, and not below
    EXPECT_EQ(session.of(EventKind::touch_begin, 7).size(), 1U);
    for (int i = 0; i < 30; ++i) session.step(tip_over_key(0.010F));
    EXPECT_NEAR(session.place().y(), 0.49F, 0.0001F);
}

TEST(Jointed, AKeyThatWasHeldDownForLongComesBackAllTheSame) {
    Session session(one_key());
    session.step(index_at({0.0F, 0.52F, 0.0F}));
    for (int i = 0; i < 400; ++i) session.step(index_at({0.0F, 0.5F + kTipRadius_m - 0.003F, 0.0F}));
    EXPECT_NEAR(session.place().y(), 0.487F, 0.0005F);
    for (int i = 0; i < 30; ++i) session.step(index_at({0.0F, 0.55F, 0.0F}));
    EXPECT_NEAR(session.place().y(), 0.49F, 0.0001F);
}

TEST(Jointed, ASpringGivesBackNoMoreThanItTook) {
    Scene scene = one_key();
    scene.objects[0].joint = {JointKind::slider, Vector3f::UnitY(), Vector3f::Zero(), -0.02F, 0.02F, 150.0F, 0.0F};
    Session session(scene);
    session.step(index_at({0.0F, 0.55F, 0.0F}));
    for (int i = 0; i < 20; ++i)
        session.step(index_at({0.0F, 0.5F + kTipRadius_m - 0.0005F * static_cast<float>(i), 0.0F}));
    float highest_m = 0.0F;
    for (int i = 0; i < 200; ++i) {
        session.step(index_at({0.0F, 0.58F, 0.0F}));
        highest_m = std::max(highest_m, session.place().y());
    }
    EXPECT_LE(highest_m, 0.49F + 0.0101F);  // it was pressed down by 9.5 mm
}

// A bar hinged about a vertical line through its centre; its long side is along x.
Scene one_bar() {
    Scene scene;
    scene.objects = {box_object({0.10F, 0.01F, 0.01F}, {0.0F, 0.5F, 0.0F}, Motion::dynamic)};
    scene.objects[0].mass_kg = 0.3F;
    scene.objects[0].material.restitution = 0.0F;
    scene.objects[0].joint.kind = JointKind::hinge;
    scene.objects[0].joint.damping = 0.01F;
    scene.respawn_after_s = 100.0F;
    return scene;
}

double turn_rad(const Session& session) {
    const Eigen::Matrix3f r = session.world.world_from_object[0].linear();
    return std::atan2(static_cast<double>(r(0, 2)), static_cast<double>(r(0, 0)));  // about +y
}

TEST(Jointed, APushedBarTurnsAboutItsHingeAndNowhereElse) {
    Session session(one_bar());
    // A finger pushes its end towards -z, from (x, z) = (0.08, 0.03) at 0.2 m/s. That rotates it about +y.
    float z_m = 0.03F;
    for (int i = 0; i < 25; ++i) {
        session.step(index_at({0.08F, 0.5F, z_m}));
        z_m -= 0.2F / 90.0F;
        EXPECT_LT(session.place().norm(), 0.5F + 1e-4F);
        EXPECT_NEAR((session.place() - Vector3f(0.0F, 0.5F, 0.0F)).norm(), 0.0F, 1e-5F) << i;
        EXPECT_NEAR(session.world.world_from_object[0].linear()(1, 1), 1.0F, 1e-5F) << i;
    }
    // The finger is at z = -0.025: its skin at -0.033, so the bar's front face at x = 0.08 is behind that.
    EXPECT_GT(turn_rad(session), 0.15);
    EXPECT_LT(turn_rad(session), 1.0);
    EXPECT_EQ(session.of(EventKind::touch_end).size(), 0U);
}

TEST(Jointed, PushingAgainstTheHingeMovesNothing) {
    Session session(one_bar());
    for (int i = 0; i < 40; ++i) session.step(index_at({0.0F, 0.5F, 0.03F - 0.001F * static_cast<float>(i)}));
    EXPECT_NEAR(turn_rad(session), 0.0, 0.05);
    EXPECT_NEAR((session.place() - Vector3f(0.0F, 0.5F, 0.0F)).norm(), 0.0F, 1e-5F);
}

TEST(Jointed, AHingeStopsAtItsLimits) {
    Scene scene = one_bar();
    scene.objects[0].joint.lowest = -0.3F;
    scene.objects[0].joint.highest = 0.2F;
    Session session(scene);
    // The finger stops 10 mm inside the stopped bar. Nothing stops a real finger, and one past the bar's middle would
    // push it back from behind.
    for (int i = 0; i < 30; ++i) {
        session.step(index_at({0.08F, 0.5F, std::max(-0.008F, 0.03F - 0.002F * static_cast<float>(i))}));
        EXPECT_LE(turn_rad(session), 0.2 + 1e-4) << i;
    }
    EXPECT_NEAR(turn_rad(session), 0.2, 1e-4);
}

TEST(Jointed, AGrabbedBarGoesWhereTheHandGoes) {
    Scene scene = one_bar();
    scene.objects[0].material.friction_static = 0.9F;
    Session session(scene);
    // Thumb and index hold its end from both sides and go round its hinge by 40 degrees. The claw opens along x, so it
    // is rotated by 90 degrees to hold the bar across z. Its fingers are along the bar, and a bone along a face has one
    // contact anywhere on it. The tips extend over the end by less than the bar's thickness, so the two contacts oppose
    // each other in any case.
    const auto claw = [](float squeeze_m, float turn) {
        Claw hand;
        hand.half_gap_m = 0.01F + kTipRadius_m - squeeze_m;
        hand.turn_rad = std::numbers::pi_v<float> / 2.0F + turn;
        hand.middle_m = Vector3f(0.09F * std::cos(turn), 0.5F, -0.09F * std::sin(turn));
        return hand.frame();
    };
    for (int i = 0; i < 5; ++i) session.step(claw(-0.01F, 0.0F));
    for (int i = 0; i < 15; ++i) session.step(claw(0.001F, 0.0F));
    ASSERT_EQ(session.of(EventKind::grab_begin).size(), 1U);
    for (int i = 1; i <= 60; ++i) session.step(claw(0.001F, 0.7F * static_cast<float>(i) / 60.0F));
    EXPECT_NEAR(turn_rad(session), 0.7, 0.03);
    EXPECT_EQ(session.of(EventKind::grab_end).size(), 0U);
    EXPECT_NEAR((session.place() - Vector3f(0.0F, 0.5F, 0.0F)).norm(), 0.0F, 1e-5F);
}

TEST(Recorded, ObjectsHaveTheirTrueVelocityAndPushWithIt) {
    // A plate moves at 0.6 m/s along x on its track, towards a ball.
    Scene scene;
    scene.objects = {box_object({0.01F, 0.05F, 0.05F}, {0.0F, 0.5F, 0.0F}, Motion::recorded),
                     ball_object(0.02F, {0.06F, 0.5F, 0.0F})};
    scene.gravity_m_s2.setZero();
    scene.respawn_after_s = 100.0F;
    for (SceneObject& object : scene.objects) object.material.restitution = 0.0F;
    tracking::RigidTrack track;
    for (int i = 0; i <= 200; ++i) {
        Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
        pose.translation() = Vector3f(0.006F * static_cast<float>(i), 0.5F, 0.0F);
        track.time_ns.push_back(static_cast<std::int64_t>(i) * 10'000'000);
        track.world_from_object.push_back(pose);
    }
    scene.objects[0].track = track;
    Session session(scene);
    for (int i = 0; i < 30; ++i) {
        session.step(nullptr);
        if (i > 1) {
            EXPECT_NEAR(session.velocity(0).x(), 0.6F, 0.005F) << i;
        }
    }
    // Pushed, not thrown: a velocity three times too high, from dividing by a sub-step, would throw it.
    EXPECT_GT(session.velocity(1).x(), 0.55F);
    EXPECT_LT(session.velocity(1).x(), 0.75F);
    EXPECT_GT(session.place(1).x(), session.place(0).x() + 0.02F);
}

TEST(Dynamics, WhatRestsSleepsAndWakesWhenItIsTouched) {
    Scene scene;
    scene.objects = {box_object({0.03F, 0.03F, 0.03F}, {0.0F, 0.53F, 0.0F}, Motion::dynamic),
                     box_object({0.5F, 0.05F, 0.5F}, {0.0F, 0.45F, 0.0F})};
    scene.objects[1].name = "table";
    scene.respawn_after_s = 100.0F;
    Session session(scene);
    for (int i = 0; i < 400; ++i) session.step(nullptr);
    EXPECT_TRUE(session.world.dynamics->sleeps(0));
    const Vector3f rest_m = session.place();
    EXPECT_NEAR(rest_m.y(), 0.53F, 0.002F);
    for (int i = 0; i < 20; ++i) session.step(index_at({-0.06F + 0.002F * static_cast<float>(i), 0.53F, 0.0F}));
    EXPECT_FALSE(session.world.dynamics->sleeps(0));
    EXPECT_GT(session.place().x(), rest_m.x() + 0.005F);
}

}  // namespace
}  // namespace glovebox::scenes
