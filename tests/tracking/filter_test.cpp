#include "tracking/filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <random>

#include "tracking/forward_kinematics.h"

namespace glovebox::tracking {
namespace {

using std::numbers::pi;

HandFrame hand_at(double time_s, const Eigen::Vector3f& wrist_m = Eigen::Vector3f::Zero(), float turn_rad = 0.0F) {
    Eigen::Isometry3f world_from_wrist = Eigen::Isometry3f::Identity();
    world_from_wrist.translate(wrist_m).rotate(Eigen::AngleAxisf(turn_rad, Eigen::Vector3f::UnitY()));
    HandFrame frame = pose_from_angles(default_profile(), resting_angles(), world_from_wrist, Side::right);
    frame.source = Source::live;
    frame.times.common_ns = std::llround(1e9 * time_s);
    return frame;
}

HandFilter filter_of(double min_cutoff_hz, double beta) {
    HandFilter filter;
    filter.settings.on = true;
    filter.settings.min_cutoff_hz = min_cutoff_hz;
    filter.settings.beta = beta;
    return filter;
}

HandFrame passed(HandFilter& filter, const HandFrame& in) {
    HandFrame out;
    filter.pass(in, out);
    return out;
}

float wrist_x(const HandFrame& frame) {
    return frame[Joint::wrist].position_m.x();
}

double turned_rad(const HandFrame& frame, const HandFrame& from) {
    return double{frame[Joint::wrist].orientation.angularDistance(from[Joint::wrist].orientation)};
}

bool same(const HandFrame& a, const HandFrame& b) {
    for (std::size_t i = 0; i < kJointCount; ++i)
        if (a.joints[i].position_m != b.joints[i].position_m ||
            a.joints[i].orientation.coeffs() != b.joints[i].orientation.coeffs())
            return false;
    return true;
}

TEST(OneEuro, IsOffUnlessAskedFor) {
    HandFilter filter;
    passed(filter, hand_at(0.0));
    const HandFrame moved = hand_at(0.01, {0.1F, 0.0F, 0.0F});
    EXPECT_TRUE(same(passed(filter, moved), moved));
}

// Closed form of a first-order low pass: 1 - exp(-2 pi f t), for positions and rotations at any time step.
TEST(OneEuro, AStepSettlesAsTheClosedFormSaysAtAnyRate) {
    const double cutoff_hz = 2.0;
    for (const double step_s : {0.001, 0.011, 0.033, 0.09}) {
        HandFilter filter = filter_of(cutoff_hz, 0.0);
        const HandFrame start = passed(filter, hand_at(0.0));
        int looked_at = 0;
        for (double t = step_s; t < 0.5; t += step_s, ++looked_at) {
            const HandFrame out = passed(filter, hand_at(t, {0.5F, 0.0F, 0.0F}, 1.0F));
            const double share = 1.0 - std::exp(-2.0 * pi * cutoff_hz * t);
            EXPECT_NEAR(double{wrist_x(out)}, 0.5 * share, 1e-6) << step_s << " " << t;
            EXPECT_NEAR(turned_rad(out, start), share, 2e-3) << step_s << " " << t;
        }
        EXPECT_GE(looked_at, 5);
    }
}

TEST(OneEuro, IrregularStepsGiveWhatRegularOnesGiveAtTheSameTimes) {
    std::mt19937 random(7);
    HandFilter regular = filter_of(1.5, 0.0), irregular = filter_of(1.5, 0.0);
    passed(regular, hand_at(0.0));
    passed(irregular, hand_at(0.0));
    HandFrame a, b;
    for (int i = 1; i <= 50; ++i) a = passed(regular, hand_at(0.01 * i, {0.2F, 0.0F, 0.0F}));
    for (double t = 0.0; t < 0.495;) {
        t = std::min(0.5, t + 0.001 + 0.04 * static_cast<double>(random() % 100) / 100.0);
        b = passed(irregular, hand_at(t, {0.2F, 0.0F, 0.0F}));
    }
    b = passed(irregular, hand_at(0.5, {0.2F, 0.0F, 0.0F}));
    EXPECT_NEAR(double{wrist_x(a)}, double{wrist_x(b)}, 1e-6);
}

// Returns the response to a sine, as amplitude and phase, by projection on sine and cosine over whole periods.
std::complex<double> response(double cutoff_hz, double frequency_hz, double rate_hz) {
    HandFilter filter = filter_of(cutoff_hz, 0.0);
    const int period = static_cast<int>(std::lround(rate_hz / frequency_hz));
    std::complex<double> sum = 0.0;
    for (int i = 0; i < 20 * period; ++i) {
        const double phase = 2.0 * pi * i / period;
        const HandFrame out =
            passed(filter, hand_at(i / rate_hz, {0.1F * static_cast<float>(std::sin(phase)), 0.0F, 0.0F}));
        if (i >= 10 * period) sum += double{wrist_x(out)} * std::polar(1.0, -phase);
    }
    // sin = Im e^{i phase}: the projection of a unit sine is -i/2 for each sample.
    return sum / (0.1 * 10.0 * period) * std::complex<double>(0.0, 2.0);
}

TEST(OneEuro, ASineAtTheCutoffLosesThreeDecibelsAndAnEighthOfAPeriod) {
    // Many samples a period: the analogue filter's response 1 / (1 + i f / cutoff).
    const std::complex<double> fine = response(2.0, 2.0, 4000.0);
    EXPECT_NEAR(std::abs(fine), std::numbers::sqrt2 / 2.0, 0.002);
    EXPECT_NEAR(std::arg(fine), -pi / 4.0, 0.004);
    // At a headset's rate: the sampled filter's response a / (1 - (1 - a) e^{-i w}).
    const double a = 1.0 - std::exp(-2.0 * pi * 2.0 / 90.0);
    for (const double frequency_hz : {1.0, 2.0, 6.0}) {
        const std::complex<double> exact = a / (1.0 - (1.0 - a) * std::polar(1.0, -2.0 * pi * frequency_hz / 90.0));
        const std::complex<double> seen = response(2.0, frequency_hz, 90.0);
        EXPECT_NEAR(std::abs(seen - exact), 0.0, 2e-4) << frequency_hz;
    }
}

// White noise through y += a (x - y): the variance falls by the factor a / (2 - a).
TEST(OneEuro, ARestingHandsJitterFallsByTheClosedFormsFactor) {
    std::mt19937 random(3);
    std::normal_distribution<float> noise_m(0.0F, 0.001F);
    HandFilter filter = filter_of(1.0, 0.0);
    double before = 0.0, after = 0.0, turn = 0.0, turn_before = 0.0;
    const HandFrame rest = hand_at(0.0);
    for (int i = 0; i < 40'000; ++i) {
        const float turn_rad = noise_m(random);
        const HandFrame in = hand_at(i / 90.0, {noise_m(random), noise_m(random), noise_m(random)}, turn_rad);
        const HandFrame out = passed(filter, in);
        if (i < 500) continue;
        before += double{in[Joint::wrist].position_m.squaredNorm()};
        after += double{out[Joint::wrist].position_m.squaredNorm()};
        turn_before += double{turn_rad} * double{turn_rad};
        // Small rotations by their vector part: angularDistance() loses them to rounding.
        const double y = 2.0 * double{(out[Joint::wrist].orientation * rest[Joint::wrist].orientation.conjugate()).y()};
        turn += y * y;
    }
    const double a = 1.0 - std::exp(-2.0 * pi * 1.0 / 90.0), factor = a / (2.0 - a);
    EXPECT_NEAR(after / before, factor, 0.1 * factor);
    EXPECT_NEAR(turn / turn_before, factor, 0.15 * factor);
}

// In steady motion the cutoff is min + beta v, and a low pass lags behind a ramp by v * dt * (1 - a) / a.
TEST(OneEuro, FastMotionLagsByWhatBetaSays) {
    const double speed_m_s = 0.8, dt_s = 1.0 / 90.0;
    double last_lag_s = 1.0;
    for (const double beta : {0.0, 5.0, 20.0}) {
        HandFilter filter = filter_of(1.0, beta);
        HandFrame in, out;
        for (int i = 0; i < 400; ++i) {
            in = hand_at(i * dt_s, {static_cast<float>(speed_m_s * i * dt_s), 0.0F, 0.0F});
            out = passed(filter, in);
        }
        const double a = 1.0 - std::exp(-2.0 * pi * (1.0 + beta * speed_m_s) * dt_s);
        const double lag_s = double{wrist_x(in) - wrist_x(out)} / speed_m_s;
        EXPECT_NEAR(lag_s, dt_s * (1.0 - a) / a, 1e-4) << beta;
        EXPECT_LT(lag_s, last_lag_s);
        last_lag_s = lag_s;
    }
    EXPECT_LT(last_lag_s, 0.005) << "hardly any at a fast reach";
}

TEST(OneEuro, DoesNotDependOnTheAxes) {
    HandFilter one = filter_of(1.0, 20.0), other = filter_of(1.0, 20.0);
    const Eigen::Isometry3f turned(Eigen::AngleAxisf(0.9F, Eigen::Vector3f(1.0F, 2.0F, -1.0F).normalized()));
    std::mt19937 random(5);
    std::normal_distribution<float> step_m(0.0F, 0.003F);
    Eigen::Vector3f at_m = Eigen::Vector3f::Zero();
    for (int i = 0; i < 200; ++i) {
        at_m += Eigen::Vector3f(step_m(random), step_m(random), step_m(random));
        const HandFrame in = hand_at(i / 90.0, at_m, 0.02F * static_cast<float>(i));
        HandFrame in_other = in;
        move_rigidly(turned, in_other);
        HandFrame out = passed(one, in), out_other = passed(other, in_other);
        move_rigidly(turned, out);
        for (std::size_t k = 0; k < kJointCount; ++k)
            ASSERT_LT((out.joints[k].position_m - out_other.joints[k].position_m).norm(), 2e-6F) << i;
    }
}

TEST(OneEuro, ASignOfTheQuaternionIsNoTurn) {
    HandFilter filter = filter_of(1.0, 20.0);
    const HandFrame start = hand_at(0.0, Eigen::Vector3f::Zero(), 0.7F);
    HandFrame before = passed(filter, start);
    for (int i = 1; i < 50; ++i) {
        HandFrame in = hand_at(i / 90.0, Eigen::Vector3f::Zero(), 0.7F);
        if (i % 2 == 1)
            for (JointPose& joint : in.joints) joint.orientation.coeffs() *= -1.0F;
        const HandFrame out = passed(filter, in);
        EXPECT_LT(turned_rad(out, start), 1e-3) << i;
        EXPECT_GT(out[Joint::wrist].orientation.dot(before[Joint::wrist].orientation), 0.9F) << "nor a changed sign";
        before = out;
    }
}

TEST(OneEuro, StartsOverAfterAGapAJumpAndALostHand) {
    const Eigen::Vector3f far_m(0.5F, 0.0F, 0.0F);
    const auto after = [&](auto&& prepare, double time_s) {
        HandFilter filter = filter_of(1.0, 0.0);
        for (int i = 0; i < 10; ++i) passed(filter, hand_at(0.01 * i));
        HandFrame next = hand_at(time_s, far_m);
        prepare(filter, next);
        return same(passed(filter, next), next);
    };
    EXPECT_FALSE(after([](HandFilter&, HandFrame&) {}, 0.10)) << "or nothing is tested here";
    EXPECT_FALSE(after([](HandFilter&, HandFrame&) {}, 0.19)) << "100 ms are no gap";
    EXPECT_TRUE(after([](HandFilter&, HandFrame&) {}, 0.1901));
    EXPECT_TRUE(after([](HandFilter&, HandFrame& next) { next.discontinuous = true; }, 0.10));
    EXPECT_TRUE(after([](HandFilter& filter, HandFrame&) { passed(filter, HandFrame{}); }, 0.10));
    EXPECT_TRUE(after([](HandFilter&, HandFrame&) {}, 0.05)) << "back in time";
}

TEST(OneEuro, AHeldHandStandsWhereItWasGivenOut) {
    HandFilter filter = filter_of(1.0, 0.0);
    passed(filter, hand_at(0.0));
    const HandFrame before = passed(filter, hand_at(0.01, {0.1F, 0.0F, 0.0F}));
    HandFrame held = hand_at(0.02, {0.1F, 0.0F, 0.0F});
    held.source = Source::held;
    const HandFilter kept = filter;
    const HandFrame out = passed(filter, held);
    EXPECT_TRUE(same(out, before));
    EXPECT_EQ(out.source, Source::held);
    EXPECT_EQ(out.times.common_ns, held.times.common_ns);
    EXPECT_EQ(filter.last_ns, kept.last_ns) << "and it is no sample";
}

TEST(OneEuro, TouchesNothingThatIsNotValidAndKeepsTheRest) {
    HandFilter filter = filter_of(1.0, 0.0);
    passed(filter, hand_at(0.0));
    HandFrame in = hand_at(0.01, {0.1F, 0.0F, 0.0F}, 0.5F);
    in[Joint::ring_tip].flags = joint_flags::kOrientationValid;
    in[Joint::palm].flags = joint_flags::kPositionValid;
    in[Joint::thumb_tip].flags = 0;
    in[Joint::thumb_tip].position_m.setConstant(std::numeric_limits<float>::quiet_NaN());
    in.times.device_ns = 5;
    in.times.arrival_ns = 6;
    const HandFrame out = passed(filter, in);
    EXPECT_EQ(out[Joint::ring_tip].position_m, in[Joint::ring_tip].position_m);
    EXPECT_NE(out[Joint::ring_tip].orientation.coeffs(), in[Joint::ring_tip].orientation.coeffs());
    EXPECT_EQ(out[Joint::palm].orientation.coeffs(), in[Joint::palm].orientation.coeffs());
    EXPECT_NE(out[Joint::palm].position_m, in[Joint::palm].position_m);
    for (std::size_t i = 0; i < kJointCount; ++i) {
        EXPECT_EQ(out.joints[i].flags, in.joints[i].flags);
        EXPECT_EQ(out.joints[i].radius_m, in.joints[i].radius_m);
    }
    EXPECT_EQ(out.times.device_ns, 5);
    EXPECT_EQ(out.times.arrival_ns, 6);
    EXPECT_EQ(out.source, Source::live);
    // A joint that returns starts at its new position, not at its old one.
    const HandFrame back = hand_at(0.02, {0.2F, 0.0F, 0.0F});
    EXPECT_EQ(passed(filter, back)[Joint::ring_tip].position_m, back[Joint::ring_tip].position_m);
}

TEST(OneEuro, NeverMakesNanOfFiniteNumbers) {
    std::mt19937 random(11);
    const std::array<float, 8> sizes = {0.0F, 1e-38F, 1e-6F, 1.0F, -1e5F, 1e15F, -3e38F, 3e38F};
    const std::array<std::int64_t, 5> steps_ns = {0, 1, 1000, 11'000'000, 100'000'000};
    const auto any = [&] { return sizes[random() % sizes.size()]; };
    HandFilter filter = filter_of(1.0, 20.0);
    std::int64_t now_ns = 0;
    int filtered = 0;
    for (int i = 0; i < 5000; ++i) {
        HandFrame in = hand_at(0.0);
        now_ns += steps_ns[random() % steps_ns.size()];
        in.times.common_ns = now_ns;
        for (JointPose& joint : in.joints) {
            joint.position_m = {any(), any(), any()};
            joint.orientation.coeffs() << any(), any(), any(), any();
            if (random() % 2 == 0 && joint.orientation.norm() > 0.0F)
                joint.orientation.coeffs() << 0.6F, 0.0F, -0.8F, 0.0F;
        }
        const HandFrame out = passed(filter, in);
        filtered += same(in, out) ? 0 : 1;
        for (const JointPose& joint : out.joints) {
            ASSERT_TRUE(joint.position_m.allFinite()) << i;
            ASSERT_TRUE(joint.orientation.coeffs().allFinite()) << i;
        }
    }
    EXPECT_GT(filtered, 4000) << "hit rate";
}

TEST(ParseFilter, ReadsWhatItWritesAndSaysWhatIsWrong) {
    for (const char* text : {"off", "one-euro:1.5,20", "one-euro:0.25,0", "one-euro:1e-05,3.3"})
        EXPECT_EQ(text_of(parse_filter(text)), text);
    EXPECT_EQ(parse_filter(text_of(parse_filter("one-euro"))), parse_filter("one-euro"));
    EXPECT_TRUE(parse_filter("one-euro").on);
    EXPECT_FALSE(parse_filter("off").on);
    EXPECT_EQ(parse_filter("one-euro:1.5,20").min_cutoff_hz, 1.5);
    EXPECT_EQ(parse_filter("one-euro:1.5,20").beta, 20.0);
    for (const char* text : {"", "kalman", "one-euro:", "one-euro1,2", "one-euro:1", "one-euro:1,2,3", "one-euro:0,1",
                             "one-euro:-1,1", "one-euro:1,-1", "one-euro:nan,1", "one-euro:1,inf", "one-euro:1, 2"})
        try {
            parse_filter(text);
            ADD_FAILURE() << text;
        } catch (const std::runtime_error& error) {
            EXPECT_THAT(error.what(), testing::StartsWith(std::string("--filter ") + text + ": "));
        }
}

}  // namespace
}  // namespace glovebox::tracking
