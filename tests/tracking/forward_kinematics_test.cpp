#include "tracking/forward_kinematics.h"

#include <gtest/gtest.h>

#include "tracking/hand_geometry.h"

namespace glovebox::tracking {
namespace {

HandFrame posed(const HandAngles& angles, Side side) {
    return pose_from_angles(default_profile(), angles, Eigen::Isometry3f::Identity(), side);
}

TEST(ForwardKinematics, BoneLengthsAreTheProfiles) {
    const HandProfile profile = scaled_profile(1.1F);
    HandAngles angles = resting_angles();
    angles.palm_arch = 0.3F;
    const HandFrame hand = pose_from_angles(profile, angles, Eigen::Isometry3f::Identity(), Side::left);
    for (std::size_t i = 2; i < kJointCount; ++i) {
        const Joint joint = static_cast<Joint>(i);
        EXPECT_NEAR((hand[joint].position_m - hand[parent_of(joint)].position_m).norm(), profile.length_to_parent_m[i],
                    1e-6F);
    }
}

TEST(ForwardKinematics, FlexionBringsTipsTowardsThePalmOnBothHands) {
    HandAngles fist;
    for (FingerAngles& finger : fist.fingers) finger = {1.2F, 0.0F, 1.4F, 0.8F};
    for (const Side side : {Side::left, Side::right})
        for (const Joint tip : {Joint::index_tip, Joint::middle_tip, Joint::ring_tip, Joint::little_tip}) {
            EXPECT_LT(posed(fist, side)[tip].position_m.y(), -0.02F);
            EXPECT_GT(posed(fist, side)[tip].position_m.z(), posed({}, side)[tip].position_m.z() + 0.05F);
        }
}

TEST(ForwardKinematics, BonesLieAlongMinusZOfTheirJoints) {
    const HandFrame hand = posed(resting_angles(), Side::left);
    for (int i = static_cast<int>(Joint::thumb_metacarpal); i + 1 < kJointCount; ++i) {
        const Joint joint = static_cast<Joint>(i), next = static_cast<Joint>(i + 1);
        if (parent_of(next) != joint) continue;
        const Eigen::Vector3f along = (hand[next].position_m - hand[joint].position_m).normalized();
        EXPECT_LT((hand[joint].orientation * -Eigen::Vector3f::UnitZ() - along).norm(), 1e-4F) << name_of(joint);
    }
}

TEST(ForwardKinematics, TheThumbIsOnTheInsideAndOpposes) {
    EXPECT_LT(posed({}, Side::right)[Joint::thumb_tip].position_m.x(), -0.05F);
    EXPECT_GT(posed({}, Side::left)[Joint::thumb_tip].position_m.x(), 0.05F);
    HandAngles across;
    across.thumb = {0.9F, 0.0F, 0.6F, 0.6F};
    const Eigen::Vector3f tip_m = posed(across, Side::right)[Joint::thumb_tip].position_m;
    EXPECT_GT(tip_m.x(), posed({}, Side::right)[Joint::thumb_tip].position_m.x() + 0.03F);
    EXPECT_LT(tip_m.y(), -0.02F) << "in front of the palm";
}

}  // namespace
}  // namespace glovebox::tracking
