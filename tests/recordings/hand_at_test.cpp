#include "recordings/hand_at.h"

#include <gtest/gtest.h>

#include <random>

namespace glovebox::recordings {
namespace {

using tracking::HandFrame;
using tracking::HandPair;
using tracking::Side;

constexpr std::int64_t kFrame_ns = 11'111'111;
const Eigen::Vector3f kVelocity_m_s{0.3F, -0.2F, 0.7F};
const Eigen::Vector3f kTurn_rad_s{0.0F, 2.5F, 0.0F};

// Every joint translates and rotates at constant velocity, so every time in between is known in closed form.
HandFrame even_hand(double t_s) {
    HandFrame hand;
    hand.side = Side::left;
    hand.active = true;
    for (std::size_t j = 0; j < hand.joints.size(); ++j) {
        const auto f = static_cast<float>(j);
        hand.joints[j].position_m =
            Eigen::Vector3f(0.01F * f, 1.0F, -0.02F * f) + static_cast<float>(t_s) * kVelocity_m_s;
        hand.joints[j].orientation =
            Eigen::AngleAxisf(static_cast<float>(t_s) * kTurn_rad_s.norm() + 0.1F * f, kTurn_rad_s.normalized());
        hand.joints[j].radius_m = 0.005F + 0.01F * static_cast<float>(t_s);
        hand.joints[j].flags = tracking::joint_flags::kAll;
    }
    return hand;
}

std::vector<HandPair> even_samples(int count) {
    std::vector<HandPair> samples(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        HandPair& sample = samples[static_cast<std::size_t>(i)];
        sample.time_ns = i * kFrame_ns;
        sample[Side::left] = even_hand(1e-9 * static_cast<double>(sample.time_ns));
        // The same rotation with the opposite sign, as trackers sometimes report it.
        if (i % 3 == 1)
            for (auto& joint : sample[Side::left].joints) joint.orientation.coeffs() *= -1.0F;
    }
    return samples;
}

TEST(HandAt, IsTheSampleToTheBitAtItsOwnTime) {
    const auto samples = even_samples(20);
    for (const HandPair& sample : samples) {
        const HandFrame hand = hand_at(samples, Side::left, sample.time_ns);
        ASSERT_TRUE(hand.active);
        for (std::size_t j = 0; j < hand.joints.size(); ++j) {
            EXPECT_EQ(hand.joints[j].position_m, sample[Side::left].joints[j].position_m);
            EXPECT_EQ(hand.joints[j].orientation.coeffs(), sample[Side::left].joints[j].orientation.coeffs());
            EXPECT_EQ(hand.joints[j].radius_m, sample[Side::left].joints[j].radius_m);
        }
        EXPECT_FALSE(hand_at(samples, Side::right, sample.time_ns).active);
    }
}

TEST(HandAt, FollowsEvenMotionInBetween) {
    const auto samples = even_samples(40);
    std::mt19937 random(7);
    std::uniform_int_distribution<std::int64_t> time(0, samples.back().time_ns);
    HandMotion motion;
    for (int i = 0; i < 500; ++i) {
        const std::int64_t at_ns = time(random);
        const HandFrame hand = hand_at(samples, Side::left, at_ns, &motion),
                        truth = even_hand(1e-9 * static_cast<double>(at_ns));
        ASSERT_TRUE(hand.active && motion.known);
        for (std::size_t j = 0; j < hand.joints.size(); ++j) {
            EXPECT_LT((hand.joints[j].position_m - truth.joints[j].position_m).norm(), 1e-6F);
            EXPECT_LT(hand.joints[j].orientation.angularDistance(truth.joints[j].orientation), 1e-3F);
            EXPECT_NEAR(hand.joints[j].radius_m, truth.joints[j].radius_m, 1e-7F);
            EXPECT_EQ(hand.joints[j].flags, tracking::joint_flags::kAll);
            EXPECT_LT((motion.joints[j].linear_m_s - kVelocity_m_s).norm(), 1e-3F);
            EXPECT_LT((motion.joints[j].angular_rad_s - kTurn_rad_s).norm(), 2e-2F);
        }
    }
}

TEST(HandAt, ALostHandIsNoHandAndHoldsNoLongerThanItMay) {
    auto samples = even_samples(40);
    for (std::size_t i = 10; i < 20; ++i) samples[i][Side::left] = {};
    EXPECT_FALSE(hand_at(samples, Side::left, samples[10].time_ns).active);
    EXPECT_FALSE(hand_at(samples, Side::left, samples[15].time_ns + 5'000'000).active);
    EXPECT_FALSE(hand_at(samples, Side::left, samples[19].time_ns + 5'000'000).active) << "it is not guessed ahead";
    const HandFrame held = hand_at(samples, Side::left, samples[9].time_ns + 5'000'000);
    EXPECT_TRUE(held.active);
    EXPECT_EQ(held.joints[3].position_m, samples[9][Side::left].joints[3].position_m);

    const std::int64_t end_ns = samples.back().time_ns;
    EXPECT_TRUE(hand_at(samples, Side::left, end_ns + kMaxHold_ns).active);
    EXPECT_FALSE(hand_at(samples, Side::left, end_ns + kMaxHold_ns + 1).active);
    EXPECT_TRUE(hand_at(samples, Side::left, -kMaxHold_ns).active);
    EXPECT_FALSE(hand_at(samples, Side::left, -kMaxHold_ns - 1).active);
    EXPECT_FALSE(hand_at({}, Side::left, 0).active);
}

TEST(HandAt, DoesNotInterpolateAcrossAGap) {
    auto samples = even_samples(40);
    for (std::size_t i = 20; i < samples.size(); ++i) samples[i].time_ns += 2'000'000'000;
    const std::int64_t before_ns = samples[19].time_ns;
    HandMotion motion;
    const HandFrame held = hand_at(samples, Side::left, before_ns + 50'000'000, &motion);
    EXPECT_TRUE(held.active);
    EXPECT_EQ(held.joints[0].position_m, samples[19][Side::left].joints[0].position_m);
    EXPECT_FALSE(hand_at(samples, Side::left, before_ns + 500'000'000).active);
}

TEST(HandAt, AJointIsValidWhereItIsInBoth) {
    auto samples = even_samples(3);
    samples[1][Side::left].joints[4].flags = tracking::joint_flags::kPositionValid;
    const HandFrame hand = hand_at(samples, Side::left, kFrame_ns / 2);
    EXPECT_EQ(hand.joints[4].flags, tracking::joint_flags::kPositionValid);
    EXPECT_EQ(hand.joints[5].flags, tracking::joint_flags::kAll);
}

}  // namespace
}  // namespace glovebox::recordings
