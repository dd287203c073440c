#include "tracking/hand_profile.h"

#include <gtest/gtest.h>

#include <limits>

#include "tracking/forward_kinematics.h"
#include "tracking/hand_geometry.h"

namespace glovebox::tracking {
namespace {

TEST(HandProfile, DefaultIsAPlausibleAdultHand) {
    const HandProfile profile = default_profile();
    const HandFrame flat = pose_from_angles(profile, {}, Eigen::Isometry3f::Identity(), Side::right);
    EXPECT_NEAR(hand_length_m(flat), 0.190F, 0.005F);
    for (std::size_t i = 0; i < kJointCount; ++i) {
        EXPECT_GT(profile.radius_m[i], 0.004F);
        EXPECT_LT(profile.radius_m[i], 0.022F);
    }
}

TEST(HandProfile, FitFindsTheHandAgainWhateverItDoesAndThroughBadFrames) {
    const HandProfile truth = scaled_profile(0.87F);
    std::vector<HandPair> samples(60);
    for (std::size_t i = 0; i < samples.size(); ++i) {
        HandAngles angles = resting_angles();
        angles.fingers[1].pip_flex = 0.02F * static_cast<float>(i);
        HandFrame& hand = samples[i][Side::left];
        hand = pose_from_angles(truth, angles, Eigen::Isometry3f::Identity(), Side::left);
        if (i % 7 == 0) hand.active = false;
        if (i % 7 == 1) hand[Joint::index_tip].position_m.x() = std::numeric_limits<float>::quiet_NaN();
        if (i % 7 == 2) hand[Joint::index_tip].position_m.x() += 0.3F;
        if (i % 7 > 2) hand[Joint::ring_tip].radius_m = 1e20F;
    }
    const HandProfile fitted = fit_profile(samples, Side::left);
    EXPECT_NEAR(fitted.scale, truth.scale, 1e-4F);
    for (std::size_t i = 0; i < kJointCount; ++i) {
        EXPECT_NEAR(fitted.length_to_parent_m[i], truth.length_to_parent_m[i], 1e-5F);
        EXPECT_NEAR(fitted.radius_m[i], truth.radius_m[i], 1e-6F);
    }
    EXPECT_EQ(fit_profile(samples, Side::right).origin, "default");
}

TEST(HandProfile, RadiiFollowTheSizeOfAHandThatHasNone) {
    std::vector<HandPair> samples(1);
    samples[0][Side::right] =
        pose_from_angles(scaled_profile(1.2F), resting_angles(), Eigen::Isometry3f::Identity(), Side::right);
    for (JointPose& joint : samples[0][Side::right].joints) joint.radius_m = 0.0F;
    const HandProfile fitted = fit_profile(samples, Side::right);
    EXPECT_NEAR(fitted.radius_m[10], 1.2F * default_profile().radius_m[10], 1e-5F);
    HandFrame frame = samples[0][Side::right];
    frame[Joint::palm].radius_m = 0.5F;
    fill_radii(fitted, frame);
    EXPECT_EQ(frame[Joint::palm].radius_m, 0.5F) << "given radii stay";
    EXPECT_EQ(frame[Joint::index_tip].radius_m, fitted.radius_m[10]);
}

}  // namespace
}  // namespace glovebox::tracking
