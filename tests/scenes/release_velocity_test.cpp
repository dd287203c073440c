#include "scenes/release_velocity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace glovebox::scenes {
namespace {

using Eigen::Vector3f;

const Vector3f kGravity_m_s2{0.0F, -9.81F, 0.0F};

// The path of a thrown object, with its velocity at each time.
struct Ballistic {
    Vector3f start_m{0.1F, 1.2F, -0.3F}, start_m_s{1.5F, 2.0F, -0.7F};
    Vector3f spin_rad_s{3.0F, -5.0F, 2.0F};

    CarriedPose at(double time_s) const {
        const auto t = static_cast<float>(time_s);
        const float angle = t * spin_rad_s.norm();
        return {time_s, start_m + t * start_m_s + 0.5F * t * t * kGravity_m_s2,
                Eigen::Quaternionf(Eigen::AngleAxisf(angle, spin_rad_s.normalized()))};
    }
    Vector3f velocity_m_s(double time_s) const { return start_m_s + static_cast<float>(time_s) * kGravity_m_s2; }
    std::vector<CarriedPose> sampled(double rate_hz, double until_s) const {
        std::vector<CarriedPose> poses;
        for (int i = 0; i / rate_hz <= until_s + 1e-9; ++i) poses.push_back(at(i / rate_hz));
        return poses;
    }
};

TEST(ReleaseVelocity, OfABallisticMotionIsItsVelocity) {
    const Ballistic motion;
    for (const double rate_hz : {72.0, 90.0, 120.0, 500.0}) {
        const auto poses = motion.sampled(rate_hz, 0.3);
        for (const double at_s : {0.1, 0.2, 0.2371}) {
            const ReleaseVelocity found = release_velocity(poses, at_s);
            EXPECT_LT((found.linear_m_s - motion.velocity_m_s(at_s - kOpening_s)).norm(), 2e-3F)
                << rate_hz << " Hz at " << at_s;
            EXPECT_LT((found.angular_rad_s - motion.spin_rad_s).norm(), 0.1F) << rate_hz << " Hz at " << at_s;
        }
    }
}

// With tracker noise: no bias, and the spread that a least-squares parabola over 80 ms must have.
TEST(ReleaseVelocity, OfANoisyBallisticMotionHasNoBiasAndTheSpreadOfItsFit) {
    const Ballistic motion;
    constexpr double kRate_hz = 90.0, kAt_s = 20.0 / kRate_hz;
    constexpr double kNoise_m = 0.001;
    std::mt19937 random(3);
    std::normal_distribution<float> noise(0.0F, static_cast<float>(kNoise_m));
    // The slope's variance 20 ms before the last sample, from the normal equations.
    Eigen::Matrix3d normal = Eigen::Matrix3d::Zero();
    for (int i = 0; i / kRate_hz <= 0.08; ++i) {
        const double t = -i / kRate_hz;
        const Eigen::Vector3d power(1.0, t, t * t);
        normal += power * power.transpose();
    }
    const Eigen::Vector3d slope(0.0, 1.0, -2.0 * kOpening_s);
    const double spread_m_s = kNoise_m * std::sqrt(slope.dot(normal.inverse() * slope));
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    double squares = 0.0;
    constexpr int kThrows = 2000;
    for (int i = 0; i < kThrows; ++i) {
        auto poses = motion.sampled(kRate_hz, kAt_s + 0.06);
        for (CarriedPose& pose : poses) pose.position_m += Vector3f(noise(random), noise(random), noise(random));
        const Vector3f error = release_velocity(poses, kAt_s).linear_m_s - motion.velocity_m_s(kAt_s - kOpening_s);
        sum += error.cast<double>();
        squares += static_cast<double>(error.squaredNorm());
    }
    EXPECT_LT((sum / kThrows).norm(), 5.0 * spread_m_s / std::sqrt(kThrows / 3.0));
    EXPECT_NEAR(std::sqrt(squares / kThrows / 3.0), spread_m_s, 0.05 * spread_m_s);
    EXPECT_LT(spread_m_s, 0.04) << "a millimetre of noise throws no faster";
}

TEST(ReleaseVelocity, KnowsNothingOfWhatCameAfterOrLongBefore) {
    const Ballistic motion;
    auto poses = motion.sampled(90.0, 0.3);
    const ReleaseVelocity before = release_velocity(poses, 0.2);
    for (CarriedPose& pose : poses)
        if (pose.time_s > 0.2 + 1e-6 || pose.time_s < 0.2 - kReleaseWindow_s - 1e-6) pose.position_m.setConstant(9.0F);
    EXPECT_EQ(release_velocity(poses, 0.2).linear_m_s, before.linear_m_s);
    EXPECT_GT((release_velocity(poses, 0.22).linear_m_s - before.linear_m_s).norm(), 1.0F) << "but of this it does";
}

TEST(ReleaseVelocity, OfFewPosesIsALinesAndOfNextToNoTimeIsNone) {
    const Ballistic motion;
    // Three poses at 30 Hz: a parabola through them would follow their noise.
    const auto three = motion.sampled(30.0, 2.0 / 30.0);
    EXPECT_LT((release_velocity(three, 2.0 / 30.0).linear_m_s - motion.velocity_m_s(1.0 / 30.0)).norm(), 1e-3F);
    EXPECT_EQ(release_velocity(motion.sampled(1000.0, 0.005), 0.005).linear_m_s, Vector3f::Zero());
    EXPECT_EQ(release_velocity({}, 1.0).linear_m_s, Vector3f::Zero());
    EXPECT_EQ(release_velocity(three, 5.0).linear_m_s, Vector3f::Zero()) << "all of it is long ago";
    EXPECT_EQ(release_velocity(three, -5.0).linear_m_s, Vector3f::Zero()) << "nothing was carried yet";
}

TEST(ReleaseVelocity, TheSignOfAQuaternionDoesNotMatter) {
    const Ballistic motion;
    auto poses = motion.sampled(90.0, 0.2);
    for (std::size_t i = 0; i < poses.size(); i += 2) poses[i].orientation.coeffs() *= -1.0F;
    EXPECT_LT((release_velocity(poses, 0.2).angular_rad_s - motion.spin_rad_s).norm(), 0.1F);
}

TEST(CarriedPath, KeepsTheNewestPosesApartAndTheWindowBesides) {
    CarriedPath path;
    for (int i = 0; i < 5000; ++i) path.add({1e-3 * i, Vector3f::Zero(), Eigen::Quaternionf::Identity()});
    ASSERT_GT(path.poses().size(), 2U);
    for (std::size_t i = 1; i < path.poses().size(); ++i)
        EXPECT_GE(path.poses()[i].time_s - path.poses()[i - 1].time_s, 0.0025 - 1e-9);
    EXPECT_GT(path.poses().back().time_s, 4.999 - 0.004);
    EXPECT_LT(path.poses().front().time_s, 4.999 - 2.0 * kReleaseWindow_s);
    path.clear();
    EXPECT_TRUE(path.poses().empty());
}

}  // namespace
}  // namespace glovebox::scenes
