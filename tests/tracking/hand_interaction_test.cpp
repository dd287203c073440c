#include "tracking/openxr/hand_interaction.h"

#include <gtest/gtest.h>

#include <random>

#include "tracking/forward_kinematics.h"
#include "tracking/openxr/controller_hand.h"

namespace glovebox::tracking {
namespace {

constexpr std::array kPoses = {HandPose::grip, HandPose::aim, HandPose::pinch, HandPose::poke};

HandFrame hand_with_curl(float curl, Side side = Side::right,
                         const Eigen::Isometry3f& world_from_wrist = Eigen::Isometry3f::Identity()) {
    HandAngles angles;
    for (FingerAngles& finger : angles.fingers) {
        finger.mcp_flex = curl * kClosedFinger_rad[0];
        finger.pip_flex = curl * kClosedFinger_rad[1];
        finger.dip_flex = curl * kClosedFinger_rad[2];
    }
    HandFrame hand = pose_from_angles(default_profile(), angles, world_from_wrist, side);
    hand.active = true;
    return hand;
}

Eigen::Isometry3f random_pose(std::mt19937& random) {
    std::normal_distribution<float> normal;
    const Eigen::Quaternionf turn =
        Eigen::Quaternionf(normal(random), normal(random), normal(random), normal(random)).normalized();
    return Eigen::Translation3f(normal(random), normal(random), normal(random)) * turn;
}

TEST(HandInteraction, GraspIsHowFarTheFingersAreClosed) {
    for (const Side side : kSides)
        for (float curl = 0.0F; curl <= 1.0F; curl += 0.05F) {
            const GestureState grasp = gestures_of(hand_with_curl(curl, side))[2];
            EXPECT_TRUE(grasp.ready);
            EXPECT_NEAR(grasp.value, std::clamp((curl - 0.2F) / 0.5F, 0.0F, 1.0F), 1e-3F) << curl;
        }
}

TEST(HandInteraction, PinchIsTheGapBetweenThumbAndIndexFinger) {
    HandFrame hand = hand_with_curl(0.1F);
    JointPose &thumb = hand[Joint::thumb_tip], &index = hand[Joint::index_tip];
    thumb.radius_m = 0.009F;
    index.radius_m = 0.007F;
    const struct {
        float apart_m, value;
        bool ready;
    } cases[] = {{0.010F, 1.0F, true}, {0.016F, 1.0F, true}, {0.026F, 0.75F, true}, {0.046F, 0.25F, true},
                 {0.060F, 0.0F, true}, {0.084F, 0.0F, true}, {0.090F, 0.0F, false}, {0.160F, 0.0F, false}};
    for (const auto& each : cases) {
        index.position_m = thumb.position_m + each.apart_m * Eigen::Vector3f(2, -3, 6) / 7.0F;
        const auto gestures = gestures_of(hand);
        EXPECT_NEAR(gestures[0].value, each.value, 1e-4F) << each.apart_m;
        EXPECT_EQ(gestures[0].ready, each.ready) << each.apart_m;
        EXPECT_EQ(gestures[1].value, gestures[0].value);
    }
}

TEST(HandInteraction, WhatIsNotTrackedIsNotReady) {
    HandFrame hand = hand_with_curl(1.0F);
    EXPECT_GT(gestures_of(hand)[2].value, 0.99F);
    Eigen::Isometry3f pose;
    hand[Joint::ring_distal].flags = 0;
    EXPECT_FALSE(gestures_of(hand)[2].ready);
    EXPECT_EQ(gestures_of(hand)[2].value, 0.0F);
    hand[Joint::thumb_tip].flags = 0;
    EXPECT_FALSE(gestures_of(hand)[0].ready);
    EXPECT_FALSE(pose_of(hand, HandPose::pinch, pose));
    EXPECT_TRUE(pose_of(hand, HandPose::poke, pose));
    hand[Joint::wrist].flags = 0;
    for (const HandPose each : kPoses) EXPECT_FALSE(pose_of(hand, each, pose));
    HandFrame none = hand_with_curl(1.0F);
    none.active = false;
    for (const GestureState& gesture : gestures_of(none)) {
        EXPECT_EQ(gesture.value, 0.0F);
        EXPECT_FALSE(gesture.ready);
    }
    for (const HandPose each : kPoses) EXPECT_FALSE(pose_of(none, each, pose));
}

TEST(HandInteraction, PosesAndGesturesGoWithTheHand) {
    std::mt19937 random(32);
    for (int trial = 0; trial < 200; ++trial) {
        const float curl = 0.005F * static_cast<float>(trial);
        const Side side = trial % 2 == 0 ? Side::left : Side::right;
        const HandFrame hand = hand_with_curl(curl, side);
        const Eigen::Isometry3f world_from_hand = random_pose(random);
        const HandFrame moved = hand_with_curl(curl, side, world_from_hand);
        for (std::size_t g = 0; g < kGestureCount; ++g)
            EXPECT_NEAR(gestures_of(moved)[g].value, gestures_of(hand)[g].value, 1e-3F);
        for (const HandPose each : kPoses) {
            Eigen::Isometry3f pose, moved_pose;
            ASSERT_TRUE(pose_of(hand, each, pose));
            ASSERT_TRUE(pose_of(moved, each, moved_pose));
            EXPECT_TRUE(moved_pose.isApprox(world_from_hand * pose, 1e-4F));
            EXPECT_TRUE((pose.linear() * pose.linear().transpose()).isIdentity(1e-5F));
            EXPECT_NEAR(pose.linear().determinant(), 1.0F, 1e-5F);
        }
    }
}

TEST(HandInteraction, TheLeftHandIsTheRightHandsMirrorImage) {
    const Eigen::Vector3f mirror(-1, 1, 1);
    for (const HandPose each : {HandPose::aim, HandPose::pinch, HandPose::poke}) {
        Eigen::Isometry3f left, right;
        ASSERT_TRUE(pose_of(hand_with_curl(0.3F, Side::left), each, left));
        ASSERT_TRUE(pose_of(hand_with_curl(0.3F, Side::right), each, right));
        EXPECT_TRUE(left.translation().isApprox(mirror.cwiseProduct(right.translation()), 1e-4F));
        for (const int axis : {1, 2})
            EXPECT_TRUE(left.linear().col(axis).isApprox(mirror.cwiseProduct(right.linear().col(axis)), 1e-4F));
    }
}

// A flat hand at the origin, palm down, fingers towards -Z.
TEST(HandInteraction, AxesLookForwardAndUp) {
    for (const Side side : kSides)
        for (const HandPose each : {HandPose::aim, HandPose::pinch, HandPose::poke}) {
            Eigen::Isometry3f pose;
            ASSERT_TRUE(pose_of(hand_with_curl(0.0F, side), each, pose));
            EXPECT_GT(pose.linear()(2, 2), 0.8F) << "-Z forward";
            EXPECT_GT(pose.linear()(1, 1), 0.8F) << "+Y out of the back";
            EXPECT_LT(pose.translation().z(), -0.05F);
        }
}

TEST(HandInteraction, TheGripIsTheControllersInAHandThatHoldsOne) {
    std::mt19937 random(7);
    for (int trial = 0; trial < 50; ++trial) {
        ControllerInput input;
        input.present = true;
        input.world_from_grip = random_pose(random);
        input.squeeze = 0.02F * static_cast<float>(trial);
        const Side side = trial % 2 == 0 ? Side::left : Side::right;
        Eigen::Isometry3f grip;
        ASSERT_TRUE(pose_of(hand_from_controller(input, default_profile(), side), HandPose::grip, grip));
        EXPECT_TRUE(grip.isApprox(input.world_from_grip, 1e-4F));
    }
}

}  // namespace
}  // namespace glovebox::tracking
