// Fast bones against what stays where it is, and the several points where a hand rests.
#include "scenes/swept.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "collision/mesh_tree.h"
#include "tests/scenes/claw.h"

namespace glovebox::scenes {
namespace {

using collision::RoundCone;
using Eigen::Vector3f;

constexpr int kIndexTip = 7;

SceneObject mesh_plate(float half_thickness_m, const Vector3f& at_m) {
    collision::Mesh mesh;
    for (int i = 0; i < 8; ++i)
        mesh.vertices_m.emplace_back((i & 1) != 0 ? half_thickness_m : -half_thickness_m, (i & 2) != 0 ? 0.2F : -0.2F,
                                     (i & 4) != 0 ? 0.2F : -0.2F);
    mesh.triangles = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4},
                      {2, 6, 7}, {2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
    SceneObject object;
    object.name = "plate";
    object.shape = collision::MeshInstance{collision::MeshTree::build(mesh), Eigen::Isometry3f::Identity()};
    object.world_from_object.translation() = at_m;
    return object;
}

TEST(Swept, AThinPlateOfTrianglesBetweenTwoFramesIsTouchedFromTheSideThatTheFingerCameFrom) {
    for (const float speed_m_s : {2.0F, 5.0F, 9.0F}) {
        Scene scene;
        scene.objects = {mesh_plate(0.001F, {0.1F, 0.5F, 0.0F})};
        Session session(scene, 90.0);
        const float step_m = speed_m_s / 90.0F;
        for (int i = 0; i < 5; ++i) {
            Claw claw;
            claw.middle_m.x() = 0.1F - 0.05F - 1.5F * step_m + step_m * static_cast<float>(i);
            session.step(claw.frame());
            EXPECT_EQ(session.world.sub_steps, 1) << "nothing can be pushed";
        }
        const auto touches = session.of(EventKind::touch_begin, kIndexTip);
        ASSERT_EQ(touches.size(), 1U) << speed_m_s;
        EXPECT_NEAR(touches[0].event.normal.x(), 1.0F, 1e-3F);
        EXPECT_NEAR(touches[0].event.point_m.x(), 0.099F, 2e-4F);
        EXPECT_NEAR(touches[0].event.relative_velocity_m_s.x(), speed_m_s, 0.05F * speed_m_s);
        EXPECT_EQ(session.of(EventKind::poke_begin, kIndexTip).size(), 1U);
    }
}

TEST(Swept, AHoverBetweenTwoFramesIsTold) {
    // The tip goes by a small fixed ball at 10 mm, 40 mm before it in one frame and 40 mm behind it in the next.
    Scene scene;
    scene.objects = {ball_object(0.01F, {0.0F, 0.5F, -0.028F})};
    scene.objects[0].motion = Motion::fixed;
    Session session(scene, 90.0);
    for (const float x_m : {-0.12F, -0.04F, 0.04F, 0.12F}) {
        Claw claw;
        claw.middle_m.x() = x_m - claw.half_gap_m;
        session.step(claw.frame());
    }
    const auto hovers = session.of(EventKind::hover_begin, kIndexTip);
    ASSERT_EQ(hovers.size(), 1U);
    EXPECT_EQ(hovers[0].frame, 2);
    EXPECT_EQ(session.of(EventKind::touch_begin, kIndexTip).size(), 0U);
}

TEST(Swept, AJumpOfTheTrackingIsNotSwept) {
    Scene scene;
    scene.objects = {mesh_plate(0.001F, {0.1F, 0.5F, 0.0F})};
    Session session(scene, 90.0);
    Claw claw;
    claw.middle_m.x() = 0.0F;
    session.step(claw.frame());
    claw.middle_m.x() = 0.2F;
    tracking::HandFrame jumped = claw.frame();
    jumped.discontinuous = true;
    session.step(jumped);
    EXPECT_EQ(session.of(EventKind::touch_begin).size(), 0U);
}

// The oracle steps along the same way in pieces of half a millimetre.
TEST(Swept, WhatFineSteppingTouchesIsFoundOnTheWay) {
    std::mt19937 random(5);
    std::uniform_real_distribution<float> unit(-1.0F, 1.0F);
    const auto vector = [&] { return Vector3f(unit(random), unit(random), unit(random)); };
    int touched = 0, passed = 0;
    for (int trial = 0; trial < 400; ++trial) {
        collision::Collider collider;
        const SceneObject plate = trial % 2 == 0 ? mesh_plate(0.001F, Vector3f::Zero())
                                                 : box_object({0.001F, 0.05F, 0.05F}, Vector3f::Zero());
        collider.shape = plate.shape;
        collision::BodyPose before, now;
        const float radius_m = 0.005F + 0.002F * unit(random);
        const Vector3f a_m = Vector3f(-0.1F, 0.0F, 0.0F) + 0.09F * vector();
        const Vector3f shift_m = Vector3f(0.12F, 0.0F, 0.0F) + 0.1F * vector();
        const Vector3f along_m = 0.03F * vector().normalized(),
                       turned_m = 0.03F * (along_m + 0.02F * vector()).normalized();
        before.shapes = {RoundCone{a_m, a_m + along_m, radius_m, radius_m}};
        now.shapes = {RoundCone{a_m + shift_m, a_m + shift_m + turned_m, radius_m, radius_m}};
        before.bone_present = now.bone_present = {1};
        std::vector<SweptContact> met;
        const collision::Candidate pair{0, 0};
        find_swept(before, now, {&collider, 1}, {&pair, 1}, {}, 0.0F, met);

        const int pieces = static_cast<int>(std::ceil(way_m(before.shapes[0], now.shapes[0]) / 0.0005F));
        collision::CollideCounts counts;
        collision::Contact contact;
        if (collision::closest(before.shapes[0], collider.shape, 0.0F, contact, counts)) continue;
        float least_m = 1.0F;
        for (int i = 0; i <= pieces; ++i) {
            const collision::Shape bone =
                between(before.shapes[0], now.shapes[0], static_cast<float>(i) / static_cast<float>(pieces));
            if (collision::closest(bone, collider.shape, 1.0F, contact, counts))
                least_m = std::min(least_m, contact.distance_m);
        }
        // A graze may be missed, and the way of a turning bone differs a little from the oracle's: not a crossing.
        if (least_m < -0.6F * radius_m) {
            EXPECT_EQ(met.size(), 1U) << trial;
        } else if (least_m > 0.001F) {
            EXPECT_EQ(met.size(), 0U) << trial;
        }
        ++(least_m < -0.6F * radius_m ? touched : passed);
        for (const SweptContact& each : met) {
            EXPECT_LE(each.contact.distance_m, 0.0F);
            EXPECT_GE(each.contact.distance_m, -0.6F * radius_m - 1e-4F);
            EXPECT_GE(each.share, 0.0F);
            EXPECT_LE(each.share, 1.0F);
        }
    }
    EXPECT_GT(touched, 100);
    EXPECT_GT(passed, 50);
}

TEST(ContactPointsOfAStep, AFingerLaidOnATableRestsAtBothEndsOfEachBone) {
    Scene scene;
    scene.objects = {box_object({0.5F, 0.05F, 0.5F}, {0.0F, 0.5F - 0.05F - 0.007F, 0.0F})};
    Session session(scene);
    const Claw claw;
    const StepReport report = session.step(claw.frame());
    const HandState& hand = session.world.hands[1];
    ASSERT_GT(hand.contacts.size(), 1U);
    find_rest_points(scene, session.world);
    const std::vector<collision::Contact>& points = session.world.hands[1].points;
    EXPECT_GT(static_cast<std::int64_t>(points.size()), report.counts.touching);
    std::vector<float> z_m;
    for (const collision::Contact& point : points) {
        EXPECT_EQ(point.object, 0);
        EXPECT_LE(point.distance_m, 0.0F);
        EXPECT_GT(-point.normal.y(), 0.99F);
        if (point.bone == kIndexTip) z_m.push_back(point.on_object_m.z());
    }
    ASSERT_EQ(z_m.size(), 2U);
    EXPECT_NEAR(std::abs(z_m[0] - z_m[1]), 0.03F, 1e-3F);  // the length of the claw's last bone
    // The first of each pair is the pair's contact.
    for (const collision::Contact& contact : hand.contacts) {
        if (contact.distance_m > 0.0F) continue;
        const auto first =
            std::find_if(points.begin(), points.end(), [&](const auto& point) { return point.bone == contact.bone; });
        ASSERT_NE(first, points.end());
        EXPECT_NEAR(first->distance_m, contact.distance_m, 1e-6F);
    }
}

TEST(ContactPointsOfAStep, AHandThatHoversHasNone) {
    Scene scene;
    scene.objects = {box_object({0.01F, 0.05F, 0.01F}, {0.05F, 0.5F - 0.05F - 0.012F, 0.0F})};  // under the index tip
    Session session(scene);
    session.step(Claw().frame());
    EXPECT_GT(session.world.hands[1].contacts.size(), 0U);
    find_rest_points(scene, session.world);
    const std::vector<collision::Contact>& points = session.world.hands[1].points;
    EXPECT_TRUE(points.empty());
}

}  // namespace
}  // namespace glovebox::scenes
