#include "tracking/hand_geometry.h"

#include <gtest/gtest.h>

#include <random>

#include "tracking/forward_kinematics.h"

namespace glovebox::tracking {
namespace {

Eigen::Isometry3f random_pose(std::mt19937& random) {
    std::uniform_real_distribution<float> uniform(-1.0F, 1.0F);
    Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
    pose.translation() = Eigen::Vector3f(uniform(random), uniform(random), uniform(random));
    pose.linear() = Eigen::Quaternionf(uniform(random), uniform(random), uniform(random), uniform(random))
                        .normalized()
                        .toRotationMatrix();
    return pose;
}

HandAngles random_angles(std::mt19937& random) {
    std::uniform_real_distribution<float> bend(0.15F, 1.4F), spread(-0.2F, 0.2F);
    HandAngles angles;
    angles.thumb = {0.4F * bend(random), spread(random), 0.5F * bend(random), 0.5F * bend(random)};
    for (FingerAngles& finger : angles.fingers)
        finger = {bend(random), spread(random), bend(random), 0.6F * bend(random)};
    return angles;
}

HandFrame positions_only(HandFrame frame) {
    for (JointPose& joint : frame.joints) {
        joint.orientation = Eigen::Quaternionf::Identity();
        joint.flags = joint_flags::kPositionValid | joint_flags::kPositionTracked;
    }
    return frame;
}

float degrees_between(const Eigen::Quaternionf& a, const Eigen::Quaternionf& b) {
    return 57.29578F * a.angularDistance(b);
}

TEST(OrientFromPositions, FindsTheFingersAxesOfForwardKinematicsAgain) {
    std::mt19937 random(7);
    for (int i = 0; i < 200; ++i) {
        const Side side = i % 2 == 0 ? Side::left : Side::right;
        const HandFrame truth = pose_from_angles(default_profile(), random_angles(random), random_pose(random), side);
        HandFrame frame = positions_only(truth);
        orient_from_positions(frame);
        for (int joint = static_cast<int>(Joint::index_metacarpal); joint < kJointCount; ++joint) {
            const auto j = static_cast<std::size_t>(joint);
            ASSERT_TRUE(frame.joints[j].orientation_valid());
            EXPECT_EQ(frame.joints[j].flags & joint_flags::kOrientationTracked, 0) << "worked out, not measured";
            // The rest is the twist of a spread finger, which positions do not determine.
            EXPECT_LT(degrees_between(frame.joints[j].orientation, truth.joints[j].orientation), 16.0F)
                << name_of(static_cast<Joint>(joint)) << " of case " << i;
        }
    }
}

TEST(OrientFromPositions, KeepsGivenOrientations) {
    HandFrame frame = pose_from_angles(default_profile(), resting_angles(), Eigen::Isometry3f::Identity(), Side::left);
    frame[Joint::index_tip].orientation = Eigen::Quaternionf(0, 1, 0, 0);
    orient_from_positions(frame);
    EXPECT_EQ(frame[Joint::index_tip].orientation.coeffs(), Eigen::Quaternionf(0, 1, 0, 0).coeffs());
}

TEST(OrientFromPositions, LeavesHandsWithoutAPalmAlone) {
    HandFrame frame = positions_only(
        pose_from_angles(default_profile(), resting_angles(), Eigen::Isometry3f::Identity(), Side::left));
    for (JointPose& joint : frame.joints) joint.position_m = {0.0F, 0.0F, joint.position_m.z()};
    orient_from_positions(frame);
    for (const JointPose& joint : frame.joints) EXPECT_FALSE(joint.orientation_valid());
}

TEST(PlaceMissingJoints, PutsWhatIsMissingNearWhereItWasAndMarksItAsNotTracked) {
    const HandFrame truth =
        pose_from_angles(default_profile(), resting_angles(), Eigen::Isometry3f::Identity(), Side::right);
    const JointSet lacking =
        joint_set({Joint::palm, Joint::thumb_metacarpal, Joint::index_metacarpal, Joint::middle_metacarpal,
                   Joint::ring_metacarpal, Joint::little_metacarpal, Joint::index_tip, Joint::thumb_tip});
    HandFrame frame = truth;
    for (std::size_t i = 0; i < kJointCount; ++i)
        if (lacking.test(i)) frame.joints[i] = JointPose{};
    place_missing_joints(lacking, frame);
    for (std::size_t i = 0; i < kJointCount; ++i) {
        ASSERT_TRUE(frame.joints[i].position_valid());
        EXPECT_EQ((frame.joints[i].flags & joint_flags::kPositionTracked) == 0, lacking.test(i));
        EXPECT_LT((frame.joints[i].position_m - truth.joints[i].position_m).norm(), 0.012F)
            << name_of(static_cast<Joint>(i));
    }
}

TEST(PlaceMissingJoints, LeavesAJointThatTheSourceLostAlone) {
    HandFrame frame = pose_from_angles(default_profile(), resting_angles(), Eigen::Isometry3f::Identity(), Side::right);
    frame[Joint::index_tip] = JointPose{};
    place_missing_joints(joint_set({Joint::palm}), frame);
    EXPECT_FALSE(frame[Joint::index_tip].position_valid());
}

TEST(ChiralityVote, TellsLeftFromRightForAnyPoseWithBentFingers) {
    std::mt19937 random(11);
    for (int i = 0; i < 100; ++i) {
        const Side side = i % 2 == 0 ? Side::left : Side::right;
        HandFrame frame = pose_from_angles(default_profile(), random_angles(random), random_pose(random), side);
        frame.side = Side::left;  // must not matter
        ChiralityVote vote;
        vote.add(frame);
        EXPECT_EQ(vote.side(), side) << i;
    }
}

TEST(ChiralityVote, SaysNothingOfAFlatHand) {
    ChiralityVote vote;
    vote.add(pose_from_angles(default_profile(), HandAngles{}, Eigen::Isometry3f::Identity(), Side::left));
    EXPECT_FALSE(vote.side().has_value());
}

TEST(IsLongerThanAny, AcceptsALargeHandAndRefusesTwiceItsSize) {
    const HandFrame hand =
        pose_from_angles(default_profile(), resting_angles(), Eigen::Isometry3f::Identity(), Side::right);
    int judged = 0;
    for (std::size_t i = 0; i < kJointCount; ++i) {
        const auto joint = static_cast<Joint>(i);
        const float bone_m = (hand.joints[i].position_m - hand[parent_of(joint)].position_m).norm();
        EXPECT_FALSE(is_longer_than_any(joint, 1.25F * bone_m)) << name_of(joint);
        judged += is_longer_than_any(joint, 0.12F) ? 1 : 0;
    }
    EXPECT_EQ(judged, 19) << "all bones but those that begin at the wrist";
}

TEST(HasRelativePositions, IsTrueOfBonesAndNeverOfAHandInSpace) {
    std::mt19937 random(5);
    std::uniform_real_distribution<float> share(0.0F, 1.0F);
    for (int trial = 0; trial < 2000; ++trial) {
        const Side side = trial % 2 == 0 ? Side::left : Side::right;
        // Fists and open hands, around the wrist, a controller or a room's origin.
        Eigen::Isometry3f pose = random_pose(random);
        pose.translation() *= trial % 3 == 0 ? 0.0F : trial % 3 == 1 ? 0.2F : 5.0F * share(random);
        HandAngles angles = random_angles(random);
        if (trial % 5 == 0)
            for (FingerAngles& finger : angles.fingers) finger = {1.4F, 0.0F, 1.7F, 1.1F};
        const HandFrame hand = pose_from_angles(default_profile(), angles, pose, side);
        EXPECT_FALSE(has_relative_positions(hand)) << trial;
        HandFrame bones = hand;
        for (int j = 0; j < kJointCount; ++j) {
            const JointPose& parent = hand[parent_of(static_cast<Joint>(j))];
            bones.joints[static_cast<std::size_t>(j)].position_m =
                parent.orientation.inverse() *
                (hand.joints[static_cast<std::size_t>(j)].position_m - parent.position_m);
        }
        EXPECT_TRUE(has_relative_positions(bones)) << trial;
    }
}

TEST(MirrorX, TwiceIsTheSameHandAndOnceIsTheOther) {
    const HandFrame right =
        pose_from_angles(default_profile(), resting_angles(), Eigen::Isometry3f::Identity(), Side::right);
    const HandFrame left =
        pose_from_angles(default_profile(), resting_angles(), Eigen::Isometry3f::Identity(), Side::left);
    HandFrame frame = right;
    mirror_x(frame);
    for (std::size_t i = 0; i < kJointCount; ++i) {
        EXPECT_TRUE(frame.joints[i].position_m.isApprox(left.joints[i].position_m, 1e-6F));
        EXPECT_LT(frame.joints[i].orientation.angularDistance(left.joints[i].orientation), 1e-3F);
    }
    mirror_x(frame);
    EXPECT_EQ(frame[Joint::little_tip].position_m, right[Joint::little_tip].position_m);
}

}  // namespace
}  // namespace glovebox::tracking
