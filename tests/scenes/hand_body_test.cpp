#include "scenes/hand_body.h"

#include <gtest/gtest.h>

#include <set>

#include "scenes/bone_poses.h"
#include "tracking/forward_kinematics.h"

namespace glovebox::scenes {
namespace {

TEST(HandBody, HierarchyHoldsEveryBoneOnceAndChildrenComeFirst) {
    const collision::ArticulatedBody& body = hand_body();
    ASSERT_EQ(body.bone_count(), kHandBoneCount);
    ASSERT_EQ(body.nodes.size(), static_cast<std::size_t>(kHandBoneCount - 1));
    std::set<int> seen;
    for (std::size_t i = 0; i < body.nodes.size(); ++i) {
        const int self = kHandBoneCount + static_cast<int>(i);
        EXPECT_LT(body.nodes[i].child_a, self);
        EXPECT_LT(body.nodes[i].child_b, self);
        EXPECT_TRUE(seen.insert(body.nodes[i].child_a).second);
        EXPECT_TRUE(seen.insert(body.nodes[i].child_b).second);
    }
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(body.node_count() - 1));
}

TEST(HandBody, FingersOfBones) {
    for (int bone = 0; bone < kHandBoneCount; ++bone)
        EXPECT_EQ(finger_of_bone(bone), is_of_palm(bone) ? -1 : bone < 4 ? 0 : bone / 4);
    for (const int bone : {0, 4, 8, 12, 16}) EXPECT_TRUE(is_of_palm(bone));
    for (const int bone : {1, 2, 3, 5, 7, 17, 19}) EXPECT_FALSE(is_of_palm(bone));
}

collision::BodyPose flat_hand(float size, tracking::Side side,
                              const Eigen::Isometry3f& wrist = Eigen::Isometry3f::Identity()) {
    collision::BodyPose pose;
    pose_hand(tracking::pose_from_angles(tracking::scaled_profile(size), {}, wrist, side), pose);
    return pose;
}

const collision::RoundCone& cone(const collision::BodyPose& pose, int bone) {
    return std::get<collision::RoundCone>(pose.shapes[static_cast<std::size_t>(bone)]);
}

Eigen::Isometry3f some_pose() {
    Eigen::Isometry3f moved = Eigen::Isometry3f::Identity();
    moved.translation() = Eigen::Vector3f(0.3F, -0.2F, 1.0F);
    moved.linear() = Eigen::AngleAxisf(1.1F, Eigen::Vector3f(1.0F, 2.0F, 3.0F).normalized()).toRotationMatrix();
    return moved;
}

TEST(HandBody, PalmIsTheMirroredOneAndTwiceAsLargeOnAHandOfTwiceTheSize) {
    const collision::BodyPose right = flat_hand(1.0F, tracking::Side::right),
                              left = flat_hand(1.0F, tracking::Side::left),
                              large = flat_hand(2.0F, tracking::Side::right);
    const auto mirrored = [](Eigen::Vector3f point) {
        point.x() = -point.x();
        return point;
    };
    for (const int bone : {0, 4, 8, 12, 16}) {
        const collision::RoundCone &a = cone(right, bone), &b = cone(left, bone), &c = cone(large, bone);
        EXPECT_LT((mirrored(a.a_m) - b.a_m).norm() + (mirrored(a.b_m) - b.b_m).norm(), 1e-5F);
        EXPECT_LT((2.0F * a.a_m - c.a_m).norm() + (2.0F * a.b_m - c.b_m).norm(), 1e-5F);
        EXPECT_NEAR(2.0F * a.radius_a_m, c.radius_a_m, 1e-6F);
        EXPECT_GT(a.radius_a_m, 0.012F);
        EXPECT_LT(a.radius_a_m, 0.025F);
    }
}

TEST(HandBody, ThePalmsFrameMovesWithTheHand) {
    for (const tracking::Side side : tracking::kSides) {
        const auto here = palm_of(flat_hand(1.0F, side)), there = palm_of(flat_hand(1.0F, side, some_pose()));
        ASSERT_TRUE(here && there);
        EXPECT_TRUE((some_pose() * *here).isApprox(*there, 1e-5F));
        EXPECT_NEAR(here->linear().determinant(), 1.0F, 1e-5F);
        EXPECT_LT(here->linear().col(0).z(), -0.9F) << "fingers are forward";
    }
}

TEST(HandBody, PalmNeedsWristAndKnucklesAndNoMetacarpal) {
    tracking::HandFrame hand =
        tracking::pose_from_angles(tracking::default_profile(), {}, some_pose(), tracking::Side::right);
    for (const tracking::Joint joint : {tracking::Joint::index_metacarpal, tracking::Joint::little_metacarpal})
        hand[joint].flags = 0;
    collision::BodyPose pose;
    pose_hand(hand, pose);
    EXPECT_TRUE(palm_of(pose));
    hand[tracking::Joint::little_proximal].flags = 0;
    pose_hand(hand, pose);
    EXPECT_EQ(pose.bone_present[16], 0);
    EXPECT_EQ(pose.bone_present[0], 1);
    EXPECT_FALSE(palm_of(pose));
    hand[tracking::Joint::wrist].flags = 0;
    pose_hand(hand, pose);
    for (const std::size_t bone : {0U, 4U, 8U, 12U, 16U}) EXPECT_EQ(pose.bone_present[bone], 0);
}

// Each bone reads only the joints that joints_of() lists: the others may be anywhere.
TEST(HandBody, BonesDependOnTheJointsThatAreNamed) {
    const tracking::HandFrame hand =
        tracking::pose_from_angles(tracking::default_profile(), {}, some_pose(), tracking::Side::left);
    collision::BodyPose whole, part;
    pose_hand(hand, whole);
    for (int bone = 0; bone < kHandBoneCount; ++bone) {
        tracking::HandFrame scattered = hand;
        for (int joint = 0; joint < static_cast<int>(tracking::kJointCount); ++joint)
            if ((joints_of(std::uint64_t{1} << bone) >> joint & 1U) == 0)
                scattered.joints[static_cast<std::size_t>(joint)] = {};
        pose_bones(scattered, std::uint64_t{1} << bone, part);
        ASSERT_EQ(part.bone_present[static_cast<std::size_t>(bone)], 1) << bone;
        EXPECT_EQ(cone(part, bone).a_m, cone(whole, bone).a_m) << bone;
        EXPECT_EQ(cone(part, bone).b_m, cone(whole, bone).b_m) << bone;
        EXPECT_EQ(cone(part, bone).radius_b_m, cone(whole, bone).radius_b_m) << bone;
    }
}

tracking::HandShape some_shape() {
    tracking::HandShape shape;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const float k = 1e-4F * static_cast<float>(i + 1);
        shape[i] = {{k, -2.0F * k, 3.0F * k}, {-k, k, 0.5F * k}, 0.01F + k, 0.008F + k};
    }
    return shape;
}

// The offsets are in the frame of a bone's first joint, or of the wrist, so the bones move with them.
TEST(HandBody, AFittedShapeMovesWithTheHandAndIsTheOtherHandsMirrored) {
    const tracking::HandShape shape = some_shape(), other = tracking::mirrored(shape);
    const auto posed = [&](tracking::Side side, const Eigen::Isometry3f& wrist, const tracking::HandShape& of) {
        collision::BodyPose pose;
        pose_hand(tracking::pose_from_angles(tracking::default_profile(), {}, wrist, side), pose, of);
        return pose;
    };
    const auto still = Eigen::Isometry3f::Identity();
    const collision::BodyPose here = posed(tracking::Side::right, still, shape),
                              there = posed(tracking::Side::right, some_pose(), shape),
                              left = posed(tracking::Side::left, still, other),
                              usual = flat_hand(1.0F, tracking::Side::right);
    const Eigen::Vector3f flip(-1.0F, 1.0F, 1.0F);
    for (int bone = 0; bone < kHandBoneCount; ++bone) {
        const collision::RoundCone &a = cone(here, bone), &b = cone(there, bone), &c = cone(left, bone);
        EXPECT_LT((some_pose() * a.a_m - b.a_m).norm() + (some_pose() * a.b_m - b.b_m).norm(), 1e-5F) << bone;
        EXPECT_LT((flip.cwiseProduct(a.a_m) - c.a_m).norm() + (flip.cwiseProduct(a.b_m) - c.b_m).norm(), 1e-5F) << bone;
        EXPECT_EQ(a.radius_a_m, shape[static_cast<std::size_t>(bone)].from_radius_m);
        EXPECT_EQ(c.radius_b_m, shape[static_cast<std::size_t>(bone)].to_radius_m);
        EXPECT_GT((cone(usual, bone).a_m - a.a_m).norm(), 1e-4F) << "or nothing was moved";
    }
}

TEST(HandBody, WithoutAFrameABoneKeepsItsUsualShape) {
    tracking::HandFrame hand =
        tracking::pose_from_angles(tracking::default_profile(), {}, some_pose(), tracking::Side::right);
    hand[tracking::Joint::index_proximal].flags = tracking::joint_flags::kPositionValid;
    hand[tracking::Joint::ring_proximal].flags = 0;
    const tracking::HandShape shape = some_shape();
    collision::BodyPose fitted, usual;
    pose_hand(hand, fitted, shape);
    pose_hand(hand, usual);
    EXPECT_EQ(fitted.bone_present, usual.bone_present);
    EXPECT_EQ(fitted.bone_present[13], 0) << "its joint is lost";
    EXPECT_EQ(cone(fitted, 5).radius_a_m, cone(usual, 5).radius_a_m);
    EXPECT_EQ(cone(fitted, 9).radius_a_m, shape[9].from_radius_m);
}

}  // namespace
}  // namespace glovebox::scenes
