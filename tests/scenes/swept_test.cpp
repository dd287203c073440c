// Fast bones against fixed objects, and contact manifolds of resting hands.
#include "scenes/swept.h"

#include <gtest/gtest.h>

#include <random>

#include "collision/mesh/mesh_tree.h"
#include "collision/survey/tree/sample_meshes.h"
#include "tests/scenes/claw.h"

namespace glovebox::scenes {
namespace {

using collision::RoundCone;
using Eigen::Vector3f;

constexpr int kIndexTip = 7;

SceneObject mesh_plate(float half_thickness_m, const Vector3f& at_m) {
    SceneObject object;
    object.name = "plate";
    object.shape =
        collision::MeshInstance{collision::MeshTree::build(collision::box_mesh({half_thickness_m, 0.2F, 0.2F}))};
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
    // The tip passes a small fixed ball at 10 mm, 40 mm before it in one frame and 40 mm behind it in the next.
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

// Compares the sweep's contacts with dense sampling; true if they must touch. A graze may be missed, and the sweep's
// path differs a little from the oracle's, where the bone rotates or between two legs: neither is a crossing.
bool expect_met(const std::vector<SweptContact>& met, float min_m, float radius_m, int trial) {
    const bool crossing = min_m < -0.6F * radius_m;
    if (crossing) {
        EXPECT_EQ(met.size(), 1U) << trial;
    } else if (min_m > 0.001F) {
        EXPECT_EQ(met.size(), 0U) << trial;
    }
    return crossing;
}

// The oracle steps along the same path in steps of half a millimetre.
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
        find_swept(before, now, {&collider, 1}, {}, {&pair, 1}, {}, 0.0F, met);

        const int pieces = static_cast<int>(std::ceil(displacement_m(before.shapes[0], now.shapes[0]) / 0.0005F));
        collision::CollideCounts counts;
        collision::Contact contact;
        if (collision::closest(before.shapes[0], collider.shape, 0.0F, contact, counts)) continue;
        float min_m = 1.0F;
        for (int i = 0; i <= pieces; ++i) {
            const collision::Shape bone =
                between(before.shapes[0], now.shapes[0], static_cast<float>(i) / static_cast<float>(pieces));
            if (collision::closest(bone, collider.shape, 1.0F, contact, counts))
                min_m = std::min(min_m, contact.distance_m);
        }
        ++(expect_met(met, min_m, radius_m, trial) ? touched : passed);
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

// Gives a plate a track with a pose for every frame of a session.
SceneObject tracked(SceneObject object, std::span<const Eigen::Isometry3f> poses, double rate_hz) {
    object.motion = Motion::recorded;
    object.track.emplace();
    for (std::size_t i = 0; i < poses.size(); ++i) {
        object.track->time_ns.push_back(static_cast<std::int64_t>(1e9 * static_cast<double>(i) / rate_hz));
        object.track->world_from_object.push_back(poses[i]);
    }
    object.world_from_object = poses.front();
    return object;
}

TEST(SweptObjects, APlateThatPassesThroughARestingFingertipTouchesItOnceFromItsOwnSide) {
    for (const bool of_triangles : {true, false})
        for (const float speed_m_s : {2.0F, 5.0F, 9.0F}) {
            // From +x to -x; the fingertip's centre is halfway between two frames.
            const Claw claw;
            const float tip_x_m = claw.middle_m.x() + claw.half_gap_m, step_m = speed_m_s / 90.0F;
            std::vector<Eigen::Isometry3f> poses(8, Eigen::Isometry3f::Identity());
            for (std::size_t i = 0; i < poses.size(); ++i)
                poses[i].translation() = Vector3f(tip_x_m + step_m * (3.5F - static_cast<float>(i)), 0.5F, 0.0F);
            Scene scene;
            scene.objects = {tracked(of_triangles ? mesh_plate(0.001F, Vector3f::Zero())
                                                  : box_object({0.001F, 0.02F, 0.02F}, Vector3f::Zero()),
                                     poses, 90.0)};
            Session session(scene, 90.0);
            for (int i = 0; i < 7; ++i) {
                session.step(claw.frame());
                EXPECT_EQ(session.world.sub_steps, 1) << "nothing can be pushed";
            }
            const auto touches = session.of(EventKind::touch_begin, kIndexTip);
            ASSERT_EQ(touches.size(), 1U) << speed_m_s;
            EXPECT_NEAR(touches[0].event.normal.x(), 1.0F, 1e-3F);
            // At the fingertip's skin, or deeper by at most the sweep's smallest step.
            EXPECT_LE(touches[0].event.point_m.x(), tip_x_m + claw.tip_radius_m + 2e-4F);
            EXPECT_GE(touches[0].event.point_m.x(), tip_x_m + 0.5F * claw.tip_radius_m);
            EXPECT_NEAR(touches[0].event.relative_velocity_m_s.x(), speed_m_s, 0.05F * speed_m_s);
            EXPECT_EQ(session.of(EventKind::touch_end, kIndexTip).size(), 1U);
        }
}

TEST(SweptObjects, AHandThatGoesAlongWithAFastPlateDoesNotTouchIt) {
    // Both at 5 m/s, 12 mm apart: each passes through the other's previous position.
    Scene scene;
    const float step_m = 5.0F / 90.0F;
    std::vector<Eigen::Isometry3f> poses(8, Eigen::Isometry3f::Identity());
    for (std::size_t i = 0; i < poses.size(); ++i)
        poses[i].translation() = Vector3f(0.05F + 0.021F + step_m * static_cast<float>(i), 0.5F, 0.0F);
    scene.objects = {tracked(box_object({0.001F, 0.02F, 0.02F}, Vector3f::Zero()), poses, 90.0)};
    Session session(scene, 90.0);
    for (int i = 0; i < 7; ++i) {
        Claw claw;
        claw.middle_m.x() = step_m * static_cast<float>(i);
        session.step(claw.frame());
    }
    EXPECT_EQ(session.of(EventKind::touch_begin).size(), 0U);
    EXPECT_EQ(session.of(EventKind::hover_begin, kIndexTip).size(), 1U);
}

TEST(SweptObjects, APlateIsMetInSubStepsTooWhereTheHandCanPushSomething) {
    const float step_m = 5.0F / 90.0F;
    std::vector<Eigen::Isometry3f> poses(8, Eigen::Isometry3f::Identity());
    for (std::size_t i = 0; i < poses.size(); ++i)
        poses[i].translation() = Vector3f(0.05F + step_m * (3.5F - static_cast<float>(i)), 0.5F, 0.0F);
    Scene scene;
    scene.gravity_m_s2.setZero();
    scene.objects = {tracked(box_object({0.001F, 0.02F, 0.02F}, Vector3f::Zero()), poses, 90.0),
                     ball_object(0.01F, {0.05F, 0.47F, -0.03F})};
    Session session(scene, 90.0);
    int most_sub_steps = 0;
    for (int i = 0; i < 7; ++i) {
        Claw claw;
        claw.middle_m.y() += 0.01F * static_cast<float>(i - 3);
        session.step(claw.frame());
        most_sub_steps = std::max(most_sub_steps, session.world.sub_steps);
        const auto at = static_cast<std::size_t>(i);
        EXPECT_TRUE(session.world.world_from_object[0].isApprox(poses[at], 1e-5F)) << "where the track says";
    }
    EXPECT_GT(most_sub_steps, 8);
    int plate_touches = 0;
    for (const Session::Seen& seen : session.of(EventKind::touch_begin, kIndexTip))
        plate_touches += seen.event.object == 0;
    EXPECT_EQ(plate_touches, 1);
}

TEST(SweptObjects, AJumpOfTheTrackIsNotSwept) {
    std::vector<Eigen::Isometry3f> poses(8, Eigen::Isometry3f::Identity());
    for (std::size_t i = 0; i < poses.size(); ++i)
        poses[i].translation() = Vector3f(i < 4 ? 0.25F : -0.25F, 0.5F, 0.0F);
    Scene scene;
    scene.objects = {tracked(mesh_plate(0.001F, Vector3f::Zero()), poses, 90.0)};
    Session session(scene, 90.0);
    for (int i = 0; i < 7; ++i) session.step(Claw().frame());
    EXPECT_EQ(session.of(EventKind::touch_begin).size(), 0U);
    EXPECT_EQ(session.of(EventKind::hover_begin).size(), 0U);
}

TEST(SweptObjects, TheFirstFrameOfATrackIsNoMotion) {
    // The scene puts the plate on one side of the fingertip; the track's first sample is on the other.
    std::vector<Eigen::Isometry3f> poses(3, Eigen::Isometry3f::Identity());
    for (Eigen::Isometry3f& pose : poses) pose.translation() = Vector3f(0.0F, 0.5F, 0.0F);
    Scene scene;
    scene.objects = {tracked(box_object({0.001F, 0.02F, 0.02F}, Vector3f::Zero()), poses, 90.0)};
    scene.objects[0].world_from_object.translation() = Vector3f(0.1F, 0.5F, 0.0F);
    Session session(scene, 90.0);
    for (int i = 0; i < 3; ++i) session.step(Claw().frame());
    EXPECT_EQ(session.of(EventKind::touch_begin, kIndexTip).size(), 0U);
}

TEST(SweptObjects, NoPointOfAnObjectMovesFurtherThanItsWaySays) {
    std::mt19937 random(11);
    std::uniform_real_distribution<float> unit(-1.0F, 1.0F);
    const auto vector = [&] { return Vector3f(unit(random), unit(random), unit(random)); };
    for (int trial = 0; trial < 200; ++trial) {
        const collision::Obb box{0.1F * vector(), Eigen::Matrix3f::Identity(), 0.1F * vector().cwiseAbs()};
        Eigen::Isometry3f before = Eigen::Isometry3f::Identity(), after = before;
        before.translation() = vector();
        after.translation() = before.translation() + 0.1F * vector();
        after.linear() = Eigen::AngleAxisf(0.3F * unit(random), vector().normalized()).toRotationMatrix();
        const ObjectDisplacement displacement = displacement_between(before, after, box, 0.02F);
        if (!(displacement.max_m > 0.0F)) continue;  // a jump
        for (int i = 0; i < 50; ++i) {
            const Vector3f point_m = box.center_m + box.half_m.cwiseProduct(vector());
            const Vector3f moved_m = after * point_m - before * point_m;
            EXPECT_LE(moved_m.norm(), displacement.max_m + 1e-5F);
        }
    }
    // Motion beyond a sweep's limits of distance and rotation, or to a pose that is not finite, is a jump.
    const Eigen::Isometry3f turned(Eigen::AngleAxisf(1.1F, Vector3f::UnitX()));
    EXPECT_EQ(displacement_between(Eigen::Isometry3f::Identity(), turned, {}, 0.0F).max_m, 0.0F);
    Eigen::Isometry3f nowhere = Eigen::Isometry3f::Identity();
    nowhere.translation().x() = std::numeric_limits<float>::quiet_NaN();
    const collision::Obb box{Vector3f::Zero(), Eigen::Matrix3f::Identity(), Vector3f::Ones()};
    EXPECT_EQ(displacement_between(Eigen::Isometry3f::Identity(), nowhere, box, 0.0F).max_m, 0.0F);
}

// The oracle samples a thousand times within the frame and measures the distance of bone and plate at each.
TEST(SweptObjects, WhatFineSteppingOfBothTouchesIsFoundOnTheWay) {
    std::mt19937 random(6);
    std::uniform_real_distribution<float> unit(-1.0F, 1.0F);
    const auto vector = [&] { return Vector3f(unit(random), unit(random), unit(random)); };
    int touched = 0, passed = 0, jumped = 0;
    for (int trial = 0; trial < 500; ++trial) {
        const SceneObject plate = trial % 2 == 0 ? mesh_plate(0.001F, Vector3f::Zero())
                                                 : box_object({0.001F, 0.05F, 0.05F}, Vector3f::Zero());
        // The plate rotates by up to 0.6 rad a frame: 54 rad/s at 90 Hz.
        Eigen::Isometry3f plate_t0 = Eigen::Isometry3f::Identity(), plate_t1 = plate_t0;
        plate_t0.translation() = 0.05F * vector();
        plate_t0.linear() = Eigen::AngleAxisf(unit(random), vector().normalized()).toRotationMatrix();
        plate_t1.translation() = plate_t0.translation() + Vector3f(-0.06F, 0.0F, 0.0F) + 0.05F * vector();
        plate_t1.linear() =
            plate_t0.linear() * Eigen::AngleAxisf(0.6F * unit(random), vector().normalized()).toRotationMatrix();
        const ObjectDisplacement displacement =
            displacement_between(plate_t0, plate_t1, collision::bounding_box(plate.shape), 0.02F);
        jumped += displacement.max_m > 0.0F ? 0 : 1;

        // Every third bone is at rest.
        collision::BodyPose before, now;
        const float radius_m = 0.005F + 0.002F * unit(random), moves = trial % 3 == 0 ? 0.0F : 1.0F;
        const Vector3f a_m = Vector3f(-0.06F, 0.0F, 0.0F) + 0.07F * vector(), along_m = 0.03F * vector().normalized();
        const Vector3f shift_m = moves * (Vector3f(0.03F, 0.0F, 0.0F) + 0.05F * vector());
        const Vector3f turned_m = 0.03F * (along_m + moves * 0.004F * vector()).normalized();
        before.shapes = {RoundCone{a_m, a_m + along_m, radius_m, radius_m}};
        now.shapes = {RoundCone{a_m + shift_m, a_m + shift_m + turned_m, radius_m, radius_m}};
        before.bone_present = now.bone_present = {1};
        collision::Collider collider;
        collider.shape = collision::transformed(plate_t1, plate.shape);
        std::vector<SweptContact> met;
        const collision::Candidate pair{0, 0};
        find_swept(before, now, {&collider, 1}, {&displacement, 1}, {&pair, 1}, {}, 0.0F, met);

        const auto gap_m = [&](float share) {
            collision::CollideCounts counts;
            collision::Contact contact;
            const collision::Shape there = collision::transformed(displacement.world_from_object(share), plate.shape);
            const collision::Shape bone = between(before.shapes[0], now.shapes[0], share);
            return collision::closest(bone, there, 1.0F, contact, counts) ? contact.distance_m : 1.0F;
        };
        if (gap_m(0.0F) <= 0.0F) continue;
        float min_m = 1.0F;
        for (int i = 0; i <= 1000; ++i) min_m = std::min(min_m, gap_m(static_cast<float>(i) / 1000.0F));
        ++(expect_met(met, min_m, radius_m, trial) ? touched : passed);
        for (const SweptContact& each : met) {
            EXPECT_NEAR(gap_m(each.share), each.contact.distance_m, 5e-4F) << trial;
            EXPECT_LE(each.contact.distance_m, 0.0F);
            EXPECT_GE(each.contact.distance_m, -0.6F * radius_m - 1e-4F);
            // The contact is reported for the time of touch: its point is on the plate's skin at that time.
            const Vector3f in_plate_m = displacement.world_from_object(each.share).inverse() * each.contact.on_object_m;
            collision::CollideCounts counts;
            collision::Contact contact;
            const collision::Shape point = RoundCone{in_plate_m, in_plate_m, 0.0F, 0.0F};
            ASSERT_TRUE(collision::closest(point, plate.shape, 1.0F, contact, counts));
            EXPECT_NEAR(contact.distance_m, 0.0F, 1e-4F) << trial;
            EXPECT_NEAR(each.contact.normal.norm(), 1.0F, 1e-4F);
        }
    }
    EXPECT_EQ(jumped, 0);
    EXPECT_GT(touched, 100);
    EXPECT_GT(passed, 100);
}

TEST(ContactPointsOfAStep, AFingerLaidOnATableRestsAtBothEndsOfEachBone) {
    Scene scene;
    scene.objects = {box_object({0.5F, 0.05F, 0.5F}, {0.0F, 0.5F - 0.05F - 0.007F, 0.0F})};
    Session session(scene);
    const Claw claw;
    const StepReport report = session.step(claw.frame());
    const HandState& hand = session.world.hands[1];
    ASSERT_GT(hand.contacts.size(), 1U);
    compute_manifolds(scene, session.world);
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
    compute_manifolds(scene, session.world);
    const std::vector<collision::Contact>& points = session.world.hands[1].points;
    EXPECT_TRUE(points.empty());
}

}  // namespace
}  // namespace glovebox::scenes
