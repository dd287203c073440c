// Distance grabs and stored grab poses: the right object is selected, brought, held and released.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "scenes/distance_grab.h"
#include "scenes/grab_pose.h"
#include "scenes/scene_hash.h"
#include "tests/scenes/claw.h"

namespace glovebox::scenes {
namespace {

using Eigen::Isometry3f;
using Eigen::Vector3f;
using tracking::Side;

constexpr float kOpen_m = 0.05F, kClosed_m = 0.008F;  // half gaps of the claw; its tips have a radius of 8 mm

// A claw whose fingers move in their outer joints only, so that the palm stays as it is.
struct Pincer : Claw {
    tracking::HandFrame frame() const {
        using tracking::Joint;
        Claw wide = *this;
        wide.half_gap_m = kOpen_m;
        tracking::HandFrame hand = wide.frame();
        const tracking::HandFrame tips = Claw::frame();
        for (const Joint joint : {Joint::thumb_distal, Joint::thumb_tip, Joint::index_distal, Joint::index_tip})
            hand[joint] = tips[joint];
        return hand;
    }
};

Pincer claw(float half_gap_m) {
    Pincer claw;
    claw.half_gap_m = half_gap_m;
    return claw;
}

Isometry3f palm_of_claw(const Pincer& claw) {
    collision::BodyPose pose;
    pose_hand(claw.frame(), pose);
    return *palm_of(pose);
}

// Returns the point at this distance ahead of the palm, turned off its direction about the vertical.
Vector3f ahead_of(const Pincer& claw, float range_m, float off_rad = 0.0F) {
    const Isometry3f palm = palm_of_claw(claw);
    return palm.translation() +
           range_m * (Eigen::AngleAxisf(off_rad, Vector3f::UnitY()) * Vector3f(palm.linear().col(0)));
}

Scene floating(std::vector<SceneObject> objects) {
    Scene scene;
    scene.objects = std::move(objects);
    for (std::size_t i = 0; i < scene.objects.size(); ++i) scene.objects[i].name += std::to_string(i);
    scene.gravity_m_s2.setZero();
    scene.respawn_after_s = 100.0F;
    scene.thresholds.distance_grab_m = 2.0F;
    return scene;
}

std::int32_t aimed_at(const Session& session) {
    return session.world.aims[Side::right].object;
}

// Steps until the pull is over: at most 0.6 s.
void hold_for(Session& session, const Pincer& hand, int frames = 70) {
    for (int i = 0; i < frames; ++i) session.step(hand.frame());
}

TEST(DistanceGrab, BringsTheNearestPointOfTheObjectToThePinch) {
    const Pincer open = claw(kOpen_m), closed = claw(kClosed_m);
    Session session(floating({ball_object(0.035F, ahead_of(open, 1.0F))}));
    for (int i = 0; i < 3; ++i) session.step(open.frame());
    EXPECT_EQ(aimed_at(session), 0);
    session.step(closed.frame());
    EXPECT_EQ(session.of(EventKind::grab_begin).size(), 1U);
    EXPECT_EQ(aimed_at(session), -1);
    const Vector3f pinch_m = closed.middle_m;
    const Vector3f towards = (ahead_of(open, 1.0F) - pinch_m).normalized();
    hold_for(session, closed);
    EXPECT_LT((session.place() - (pinch_m + 0.035F * towards)).norm(), 0.003F);

    // It follows the hand rigidly.
    Pincer moved = closed;
    moved.middle_m += Vector3f(0.1F, 0.05F, 0.0F);
    for (int i = 1; i <= 30; ++i) {
        Pincer between = closed;
        between.middle_m += static_cast<float>(i) / 30.0F * Vector3f(0.1F, 0.05F, 0.0F);
        session.step(between.frame());
    }
    hold_for(session, moved, 20);
    EXPECT_LT((session.place() - (moved.middle_m + 0.035F * towards)).norm(), 0.003F);

    moved.half_gap_m = kOpen_m;
    session.step(moved.frame());
    session.step(moved.frame());
    hold_for(session, moved, 10);
    EXPECT_EQ(session.of(EventKind::grab_end).size(), 1U);
    EXPECT_LT(session.velocity().norm(), 0.05F);
}

TEST(DistanceGrab, MovesWithoutAJumpAndArrivesInTime) {
    const Pincer open = claw(kOpen_m), closed = claw(kClosed_m);
    for (const float range_m : {0.3F, 0.8F, 1.8F}) {
        Session session(floating({ball_object(0.03F, ahead_of(open, range_m))}));
        for (int i = 0; i < 3; ++i) session.step(open.frame());
        Vector3f last_m = session.place();
        int arrived = -1;
        for (int i = 0; i < 90; ++i) {
            session.step(closed.frame());
            // The fastest moment of the eased motion is 1.5 times its average speed of 4 m/s or less.
            EXPECT_LT((session.place() - last_m).norm(), 1.25F * 1.5F * 4.0F / 90.0F) << i;
            last_m = session.place();
            if (arrived < 0 && (last_m - closed.middle_m).norm() < 0.035F) arrived = i;
        }
        EXPECT_GE(arrived, 0) << range_m;
        EXPECT_LE(arrived, 60) << range_m;
    }
}

TEST(DistanceGrab, SelectsWhatTheConeContainsAndTheNearestToItsAxis) {
    std::mt19937 random(20261123);
    std::uniform_real_distribution<float> off(-0.9F, 0.9F), range(0.4F, 2.4F);
    const Pincer open = claw(kOpen_m);
    constexpr float kRadius_m = 0.02F;
    int selected = 0, outside = 0;
    for (int trial = 0; trial < 200; ++trial) {
        std::vector<SceneObject> balls;
        std::vector<float> angles;
        // Balls on one plane; each hides those behind it only if these lie closer to the axis than its radius.
        for (int i = 0; i < 4; ++i) {
            const float off_rad = off(random), range_m = range(random);
            balls.push_back(ball_object(kRadius_m, ahead_of(open, range_m, off_rad)));
            const float side_m = range_m * std::sin(std::abs(off_rad)) - kRadius_m;
            const float along_m = range_m * std::cos(off_rad);
            const bool in_reach = range_m - kRadius_m < 1.9F;
            const bool beyond = range_m - kRadius_m > 2.05F;
            if (!in_reach && !beyond)
                angles.push_back(-2.0F);  // on the limit: not judged
            else if (beyond)
                angles.push_back(9.0F);
            else
                angles.push_back(side_m <= 0.0F ? 0.0F : std::atan2(side_m, along_m));
        }
        bool unclear = false;
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t j = 0; j < 4; ++j)
                unclear = unclear || angles[i] < -1.0F || (i != j && std::abs(angles[i] - angles[j]) < 0.06F) ||
                          std::abs(angles[i] - kAim_rad) < 0.02F;
        if (unclear) continue;
        Session session(floating(balls));
        session.step(open.frame());
        const auto best = std::min_element(angles.begin(), angles.end());
        const std::int32_t expected = *best <= kAim_rad ? static_cast<std::int32_t>(best - angles.begin()) : -1;
        ++(expected < 0 ? outside : selected);
        EXPECT_EQ(aimed_at(session), expected) << trial;
    }
    EXPECT_GT(selected, 20);
    EXPECT_GT(outside, 5);
}

TEST(DistanceGrab, LeavesAloneWhatIsFixedJointedHiddenOrFar) {
    const Pincer open = claw(kOpen_m), closed = claw(kClosed_m);
    const auto aims = [&](std::vector<SceneObject> objects) {
        Session session(floating(std::move(objects)));
        for (int i = 0; i < 2; ++i) session.step(open.frame());
        return aimed_at(session);
    };
    const SceneObject ball = ball_object(0.03F, ahead_of(open, 1.0F));
    EXPECT_EQ(aims({ball}), 0);
    SceneObject fixed = ball;
    fixed.motion = Motion::fixed;
    EXPECT_EQ(aims({fixed}), -1);
    SceneObject jointed = ball;
    jointed.joint.kind = JointKind::hinge;
    EXPECT_EQ(aims({jointed}), -1);
    EXPECT_EQ(aims({ball_object(0.03F, ahead_of(open, 2.2F))}), -1);
    EXPECT_EQ(aims({ball_object(0.03F, ahead_of(open, -1.0F))}), -1);
    const SceneObject wall = box_object({0.3F, 0.3F, 0.01F}, ahead_of(open, 0.5F));
    EXPECT_EQ(aims({ball, wall}), -1);
    const SceneObject behind = box_object({0.3F, 0.3F, 0.01F}, ahead_of(open, 1.2F));
    EXPECT_EQ(aims({ball, behind}), 0);

    Scene off = floating({ball});
    off.thresholds.distance_grab_m = 0.0F;
    Session session(off);
    for (int i = 0; i < 3; ++i) session.step(open.frame());
    hold_for(session, closed);
    EXPECT_TRUE(session.of(EventKind::grab_begin).empty());
    EXPECT_EQ(session.place(), ball.world_from_object.translation());
}

TEST(DistanceGrab, APinchThatBeganElsewhereTakesNothing) {
    Pincer open = claw(kOpen_m), closed = claw(kClosed_m);
    const Vector3f ball_m = ahead_of(open, 1.0F);
    open.turn_rad = closed.turn_rad = 1.0F;
    Session session(floating({ball_object(0.03F, ball_m)}));
    for (int i = 0; i < 3; ++i) session.step(open.frame());
    EXPECT_EQ(aimed_at(session), -1);
    for (; closed.turn_rad > 0.0F; closed.turn_rad -= 0.05F) session.step(closed.frame());
    closed.turn_rad = 0.0F;
    hold_for(session, closed, 5);
    EXPECT_TRUE(session.of(EventKind::grab_begin).empty());

    // A hand that appears with its fingers closed takes nothing, either.
    Session appears(floating({ball_object(0.03F, ball_m)}));
    hold_for(appears, closed, 5);
    EXPECT_TRUE(appears.of(EventKind::grab_begin).empty());
}

TEST(DistanceGrab, AShortLossOfTheHandOrAFingerDoesNotLetGo) {
    const Pincer open = claw(kOpen_m), closed = claw(kClosed_m);
    tracking::HandFrame no_thumb = closed.frame();
    no_thumb[tracking::Joint::thumb_tip].flags = 0;
    for (const bool whole : {true, false})
        for (const int lost : {15, 60}) {
            Session session(floating({ball_object(0.03F, ahead_of(open, 1.0F))}));
            for (int i = 0; i < 3; ++i) session.step(open.frame());
            hold_for(session, closed);
            for (int i = 0; i < lost; ++i) session.step(whole ? nullptr : &no_thumb);
            hold_for(session, closed, 3);
            const bool keeps = lost == 15;  // 167 ms; the grace time is 250 ms
            EXPECT_EQ(session.of(EventKind::grab_end).size(), keeps ? 0U : 1U) << whole << lost;
            EXPECT_EQ(session.world.holds[hold_index(session.world, Side::right, 0)].holding, keeps) << whole << lost;
        }
}

TEST(DistanceGrab, AThrownObjectKeepsTheSpeedOfTheHand) {
    const Pincer open = claw(kOpen_m), closed = claw(kClosed_m);
    Session session(floating({ball_object(0.03F, ahead_of(open, 0.8F))}));
    for (int i = 0; i < 3; ++i) session.step(open.frame());
    hold_for(session, closed);
    Pincer swings = closed;
    constexpr float kSpeed_m_s = 1.5F;
    for (int i = 0; i < 25; ++i) {
        swings.middle_m.x() += kSpeed_m_s / 90.0F;
        session.step(swings.frame());
    }
    swings.half_gap_m = kOpen_m;
    for (int i = 0; i < 2; ++i) {
        swings.middle_m.x() += kSpeed_m_s / 90.0F;
        session.step(swings.frame());
    }
    EXPECT_NEAR(session.velocity().x(), kSpeed_m_s, 0.1F * kSpeed_m_s);
}

TEST(GrabPose, ADistanceGrabEndsAtTheStoredPoseOfThatHand) {
    const Pincer open = claw(kOpen_m), closed = claw(kClosed_m);
    SceneObject box = box_object({0.02F, 0.05F, 0.02F}, ahead_of(open, 1.0F), Motion::dynamic);
    GrabPose stored;
    stored.object_from_palm =
        Eigen::Translation3f(-0.15F, 0.02F, 0.03F) * Eigen::AngleAxisf(1.0F, Vector3f(0.0F, 0.6F, 0.8F));
    GrabPose left = stored;
    left.side = Side::left;
    left.object_from_palm.translation().x() = -0.4F;
    box.grab_poses = {left, stored};
    Session session(floating({box}));
    for (int i = 0; i < 3; ++i) session.step(open.frame());
    hold_for(session, closed, 90);
    const Isometry3f expected = palm_of_claw(closed) * stored.object_from_palm.inverse();
    const Isometry3f error = expected.inverse() * session.world.world_from_object[0];
    EXPECT_LT(error.translation().norm(), 0.003F);
    EXPECT_LT(std::abs(Eigen::AngleAxisf(error.linear()).angle()), 0.03F);
}

// Grips a ball between the tips, with a stored pose this far from how the hand holds it.
Vector3f gripped_at(const Vector3f& off_m, const Isometry3f& palm, float half_gap_m, bool& held) {
    SceneObject ball = ball_object(0.03F, {0.0F, 0.5F, 0.0F});
    ball.material.friction_static = 1.0F;
    GrabPose stored;
    stored.object_from_palm = ball.world_from_object.inverse() * palm;
    stored.object_from_palm.translation() += off_m;
    ball.grab_poses = {stored};
    Session session(floating({ball}));
    for (float gap_m = 0.05F; gap_m > half_gap_m; gap_m -= 0.001F) session.step(claw(gap_m).frame());
    hold_for(session, claw(half_gap_m), 40);
    held = session.world.holds[hold_index(session.world, Side::right, 0)].holding;
    return session.place();
}

TEST(GrabPose, AGrabSnapsToAStoredPoseNearbyAndToNoneFurtherAway) {
    constexpr float kHalfGap_m = 0.036F;
    const Isometry3f palm = palm_of_claw(claw(kHalfGap_m));
    const Vector3f middle_m(0.0F, 0.5F, 0.0F);
    bool held = false;
    const Vector3f near_m(0.0F, 0.006F, 0.0F), far_m(0.0F, 0.06F, 0.0F);
    // The palm is stored above the object's frame, so the object ends as far below.
    const Vector3f snapped = gripped_at(near_m, palm, kHalfGap_m, held);
    EXPECT_TRUE(held);
    EXPECT_LT((snapped - (middle_m - near_m)).norm(), 0.002F);
    const Vector3f unchanged = gripped_at(far_m, palm, kHalfGap_m, held);
    EXPECT_TRUE(held);
    EXPECT_LT((unchanged - middle_m).norm(), 0.004F);
}

TEST(GrabPose, TheNearestWithinTheLimitsIsFoundAsBySearchingAll) {
    std::mt19937 random(7);
    std::normal_distribution<float> normal;
    const auto pose = [&] {
        Isometry3f made = Isometry3f::Identity();
        made.translation() = 0.03F * Vector3f(normal(random), normal(random), normal(random));
        const Vector3f axis = Vector3f(normal(random), normal(random), normal(random)).normalized();
        made.linear() = Eigen::AngleAxisf(0.5F * normal(random), axis).toRotationMatrix();
        return made;
    };
    int found = 0, none = 0;
    for (int trial = 0; trial < 300; ++trial) {
        SceneObject object = ball_object(0.03F, Vector3f::Zero());
        for (int i = 0; i < 3; ++i) object.grab_poses.push_back({i == 0 ? Side::left : Side::right, pose()});
        const Isometry3f palm_from_object = pose();
        int best = -1;
        double best_m = 1e9;
        for (int i = 1; i < 3; ++i) {
            const Isometry3f apart = object.grab_poses[static_cast<std::size_t>(i)].object_from_palm * palm_from_object;
            const double angle =
                std::acos(std::clamp((static_cast<double>(apart.linear().trace()) - 1.0) / 2.0, -1.0, 1.0));
            const double apart_m =
                static_cast<double>((object.grab_poses[static_cast<std::size_t>(i)].object_from_palm.translation() -
                                     palm_from_object.inverse().translation())
                                        .norm());
            if (apart_m > static_cast<double>(kSnap_m) || angle > static_cast<double>(kSnap_rad)) continue;
            if (apart_m + 0.1 * angle < best_m) {
                best = i;
                best_m = apart_m + 0.1 * angle;
            }
        }
        const auto got = find_grab_pose(object, Side::right, palm_from_object, kSnap_m, kSnap_rad);
        ASSERT_EQ(got.has_value(), best >= 0) << trial;
        ++(got ? found : none);
        if (!got) continue;
        const GrabPose& expected = object.grab_poses[static_cast<std::size_t>(best)];
        EXPECT_TRUE(got->isApprox(expected.object_from_palm.inverse(), 1e-4F));
    }
    EXPECT_GT(found, 30);
    EXPECT_GT(none, 30);
}

TEST(GrabPose, PosesAndReachAreInTheHashOfTheScene) {
    Scene scene = floating({ball_object(0.03F, Vector3f::Zero())});
    const std::uint64_t with_reach = hash_of(scene);
    scene.objects[0].grab_poses.emplace_back();
    EXPECT_NE(hash_of(scene), with_reach);
    scene.objects[0].grab_poses.clear();
    scene.thresholds.distance_grab_m = 0.0F;
    EXPECT_NE(hash_of(scene), with_reach);
}

TEST(DistanceGrab, ASecondPinchGrabsAgain) {
    std::array<Pincer, 2> open = {claw(kOpen_m), claw(kOpen_m)}, closed = {claw(kClosed_m), claw(kClosed_m)};
    open[1].middle_m.y() += 0.6F;
    closed[1].middle_m.y() += 0.6F;
    Session session(
        floating({ball_object(0.035F, ahead_of(open[0], 1.0F)), ball_object(0.035F, ahead_of(open[1], 1.0F))}));
    for (std::size_t at = 0; at < open.size(); ++at) {
        hold_for(session, open[at], 40);
        EXPECT_EQ(aimed_at(session), static_cast<std::int32_t>(at));
        hold_for(session, closed[at]);
        ASSERT_EQ(session.of(EventKind::grab_begin).size(), at + 1);
        EXPECT_EQ(session.of(EventKind::grab_begin)[at].event.object, static_cast<std::int32_t>(at));
        hold_for(session, open[at], 20);
    }
}

}  // namespace
}  // namespace glovebox::scenes
