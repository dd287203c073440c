#include "tracking/prediction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "tracking/forward_kinematics.h"

namespace glovebox::tracking {
namespace {

constexpr double kNoDamping = std::numeric_limits<double>::infinity();

// Constant motion: the wrist translates and rotates, and every knuckle bends at its own rate.
HandFrame gliding(double time_s) {
    const auto t = static_cast<float>(time_s);
    Eigen::Isometry3f world_from_wrist = Eigen::Isometry3f::Identity();
    world_from_wrist.translate(Eigen::Vector3f(0.8F * t, 0.2F, -0.3F * t));
    world_from_wrist.rotate(Eigen::AngleAxisf(3.0F * t, Eigen::Vector3f(1.0F, 2.0F, 0.5F).normalized()));
    HandAngles angles = resting_angles();
    for (FingerAngles& finger : angles.fingers) {
        finger.mcp_flex += 2.0F * t;
        finger.pip_flex += 1.5F * t;
    }
    HandFrame frame = pose_from_angles(default_profile(), angles, world_from_wrist, Side::left);
    frame.source = Source::live;
    frame.times.common_ns = std::llround(1e9 * time_s);
    return frame;
}

HandMotion after(int frames, double dt_s, double damping_s = kNoDamping) {
    HandMotion motion;
    motion.settings.damping_s = damping_s;
    for (int i = 0; i < frames; ++i) motion.take(gliding(i * dt_s));
    return motion;
}

double furthest_m(const HandFrame& a, const HandFrame& b) {
    double furthest = 0.0;
    for (std::size_t i = 0; i < kJointCount; ++i)
        furthest = std::max(furthest, double{(a.joints[i].position_m - b.joints[i].position_m).norm()});
    return furthest;
}

bool same_hand(const HandFrame& a, const HandFrame& b) {
    return furthest_m(a, b) == 0.0 && a.source == b.source && a.times.common_ns == b.times.common_ns;
}

TEST(Prediction, OfConstantMotionIsExactWithoutDamping) {
    for (const double horizon_s : {0.01, 0.02, 0.04}) {
        const HandFrame ahead = predict(after(12, 1.0 / 90.0), horizon_s), truth = gliding(11.0 / 90.0 + horizon_s);
        // Floats of two frames 11 ms apart, extrapolated by 40 ms: errors of 1e-7 m and 1e-7 rad become 1e-5.
        EXPECT_LT(furthest_m(ahead, truth), 2e-5) << horizon_s;
        for (std::size_t i = 0; i < kJointCount; ++i)
            EXPECT_LT(ahead.joints[i].orientation.angularDistance(truth.joints[i].orientation), 2e-3F);
        EXPECT_GT(furthest_m(gliding(11.0 / 90.0), truth), 0.008) << "it moved at all";
        EXPECT_EQ(ahead.source, Source::extrapolated);
        EXPECT_NEAR(static_cast<double>(ahead.times.common_ns), 1e9 * (11.0 / 90.0 + horizon_s), 2.0);
        EXPECT_EQ(ahead[Joint::ring_tip].flags, joint_flags::kPositionValid | joint_flags::kOrientationValid)
            << "no one tracked this";
    }
}

TEST(Prediction, DampingShortensTheReachAsItsClosedFormSays) {
    HandMotion motion = after(12, 1.0 / 90.0, 0.05);
    const double reach_s = 0.05 * (1.0 - std::exp(-0.04 / 0.05));
    const Eigen::Vector3f moved_m =
        predict(motion, 0.04)[Joint::wrist].position_m - motion.last[Joint::wrist].position_m;
    EXPECT_NEAR(double{moved_m.x()}, 0.8 * reach_s, 1e-5);
    EXPECT_NEAR(double{moved_m.z()}, -0.3 * reach_s, 1e-5);
}

TEST(Prediction, BonesKeepTheirLengthInAnyMotion) {
    std::mt19937 random(17);
    std::normal_distribution<float> noise(0.0F, 1.0F);
    HandMotion motion;
    double largest_motion_m = 0.0;
    for (int i = 0; i < 300; ++i) {
        HandFrame frame = gliding(i / 90.0);
        for (JointPose& joint : frame.joints) {
            for (float& x : joint.position_m) x += 0.002F * noise(random);
            joint.orientation.coeffs() += 0.02F * Eigen::Vector4f(noise(random), noise(random), noise(random), 0.0F);
            joint.orientation.normalize();
        }
        motion.take(frame);
        const HandFrame ahead = predict(motion, 0.05);
        largest_motion_m = std::max(largest_motion_m, furthest_m(ahead, frame));
        for (std::size_t k = 2; k < kJointCount; ++k) {
            const auto parent = static_cast<std::size_t>(parent_of(static_cast<Joint>(k)));
            EXPECT_NEAR((ahead.joints[k].position_m - ahead.joints[parent].position_m).norm(),
                        (frame.joints[k].position_m - frame.joints[parent].position_m).norm(), 1e-6F);
        }
    }
    EXPECT_GT(largest_motion_m, 0.03);
}

TEST(Prediction, GoesNoFurtherThanItsMaximumAndNotBackwards) {
    const HandMotion motion = after(5, 0.01);
    EXPECT_TRUE(same_hand(predict(motion, 1.0), predict(motion, motion.settings.max_horizon_s)));
    EXPECT_TRUE(same_hand(predict(motion, 0.0), motion.last));
    EXPECT_TRUE(same_hand(predict(motion, -0.01), motion.last));
    EXPECT_TRUE(same_hand(predict(motion, std::numeric_limits<double>::quiet_NaN()), motion.last));
}

TEST(Prediction, NeverGoesAcrossAGapAJumpOrALostHand) {
    const auto next = [](auto&& change, double time_s = 0.05) {
        HandMotion motion = after(5, 0.01);
        HandFrame frame = gliding(time_s);
        change(motion, frame);
        motion.take(frame);
        return same_hand(predict(motion, 0.02), frame);
    };
    const auto nothing = [](HandMotion&, HandFrame&) {};
    EXPECT_FALSE(next(nothing)) << "or nothing is tested here";
    EXPECT_FALSE(next(nothing, 0.14));
    EXPECT_TRUE(next(nothing, 0.141)) << "a gap";
    EXPECT_TRUE(next(nothing, 0.04)) << "the same time";
    EXPECT_TRUE(next(nothing, 0.03)) << "back in time";
    EXPECT_TRUE(next([](HandMotion&, HandFrame& frame) { frame.discontinuous = true; }));
    EXPECT_TRUE(next([](HandMotion&, HandFrame& frame) { frame.source = Source::held; }));
    EXPECT_TRUE(next([](HandMotion& motion, HandFrame&) { motion.take(HandFrame{}); }));
    EXPECT_TRUE(next([](HandMotion&, HandFrame& frame) {
        for (JointPose& joint : frame.joints) joint.position_m.x() += 1.0F;
    })) << "100 m/s is a jump";
    EXPECT_TRUE(same_hand(predict(after(1, 0.01), 0.02), gliding(0.0))) << "one frame has no velocity";
    EXPECT_FALSE(predict(HandMotion{}, 0.02).active);
}

TEST(Prediction, AJointsFlipIsNoTurn) {
    HandMotion motion = after(5, 0.01);
    HandFrame flipped = gliding(0.05);
    flipped[Joint::index_proximal].orientation =
        flipped[Joint::index_proximal].orientation * Eigen::Quaternionf(0.0F, 0.0F, 0.0F, 1.0F);
    motion.take(flipped);
    EXPECT_LT(predict(motion, 0.02)[Joint::index_proximal].orientation.angularDistance(
                  flipped[Joint::index_proximal].orientation),
              0.1F);
}

TEST(Prediction, APositionWithoutOrientationIsCarriedAlong) {
    HandMotion motion;
    motion.settings.damping_s = kNoDamping;
    HandFrame frame;
    for (int i = 0; i < 5; ++i) {
        frame = gliding(0.01 * i);
        for (JointPose& joint : frame.joints) {
            joint.flags = joint_flags::kPositionValid;
            joint.orientation.coeffs().setConstant(std::numeric_limits<float>::quiet_NaN());
        }
        motion.take(frame);
    }
    const HandFrame ahead = predict(motion, 0.02);
    for (std::size_t i = 0; i < kJointCount; ++i)
        EXPECT_NEAR((ahead.joints[i].position_m - frame.joints[i].position_m).x(), 0.016F, 1e-5F);
}

TEST(Prediction, NeverMakesNanOfFiniteNumbers) {
    std::mt19937 random(11);
    const std::array<float, 7> sizes = {0.0F, 1e-38F, 1e-6F, 1.0F, -1e5F, 1e15F, -1e30F};
    const auto any = [&] { return sizes[random() % sizes.size()]; };
    HandMotion motion;
    int moved = 0;
    for (int i = 0; i < 5000; ++i) {
        HandFrame frame = gliding(0.0);
        frame.times.common_ns = motion.last.times.common_ns + (random() % 2 == 0 ? 1 : 11'000'000);
        for (JointPose& joint : frame.joints) {
            if (random() % 4 == 0) joint.position_m = {any(), any(), any()};
            if (random() % 4 == 0) joint.orientation.coeffs() << any(), any(), any(), any();
        }
        motion.take(frame);
        const HandFrame ahead = predict(motion, 0.05);
        moved += ahead.source == Source::extrapolated ? 1 : 0;
        for (const JointPose& joint : ahead.joints) {
            ASSERT_TRUE(joint.position_m.allFinite()) << i;
            ASSERT_TRUE(joint.orientation.coeffs().allFinite()) << i;
        }
    }
    EXPECT_GT(moved, 1000) << "hit rate";
}

TEST(ParsePrediction, ReadsWhatItWritesAndSaysWhatIsWrong) {
    EXPECT_DOUBLE_EQ(parse_prediction("20ms").horizon_s, 0.02);
    EXPECT_DOUBLE_EQ(parse_prediction("0.05s").horizon_s, 0.05);
    EXPECT_EQ(parse_prediction("off").horizon_s, 0.0);
    for (const char* text : {"off", "20ms", "0.05s", "7.25ms"})
        EXPECT_EQ(parse_prediction(text_of(parse_prediction(text))), parse_prediction(text));
    for (const char* text : {"", "ms", "20", "20 ms", "0ms", "-5ms", "51ms", "nanms", "infs", "20mss"}) try {
            parse_prediction(text);
            ADD_FAILURE() << text;
        } catch (const std::runtime_error& error) {
            EXPECT_THAT(error.what(), testing::StartsWith(std::string("--predict ") + text + ": "));
        }
}

}  // namespace
}  // namespace glovebox::tracking
