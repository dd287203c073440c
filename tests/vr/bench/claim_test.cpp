// Verdicts follow from thresholds and measurements alone, and each of the three can be reached.
#include "vr/bench/claim.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <random>

namespace glovebox::vr {
namespace {

Verdict verdict_of(Threshold threshold, const Measured& measured) {
    return judge({"claim", "published", std::move(threshold)}, measured).verdict;
}

// Seen red: with `low >= threshold.low` alone in verdict_of(), values above `between` were reproduced; with the
// median in place of the extremes, a spread that crosses was decided.
TEST(Claim, TheWholeSpreadDecides) {
    const Measured above{{}, 2.5, 2.1, 3.0}, across{{}, 2.5, 1.9, 3.0}, below{{}, 1.5, 1.2, 1.9};
    EXPECT_EQ(verdict_of(more_than(2), above), Verdict::reproduced);
    EXPECT_EQ(verdict_of(more_than(2), across), Verdict::undecided);
    EXPECT_EQ(verdict_of(more_than(2), below), Verdict::not_reproduced);
    EXPECT_EQ(verdict_of(less_than(2), above), Verdict::not_reproduced);
    EXPECT_EQ(verdict_of(less_than(2), across), Verdict::undecided);
    EXPECT_EQ(verdict_of(less_than(2), below), Verdict::reproduced);
    EXPECT_EQ(verdict_of(between(1, 2.2), above), Verdict::undecided);
    EXPECT_EQ(verdict_of(between(1, 2), above), Verdict::not_reproduced);
    EXPECT_EQ(verdict_of(between(1, 2), below), Verdict::reproduced);
    EXPECT_EQ(verdict_of(between(2, 2.5), across), Verdict::undecided) << "the spread is wider on both sides";
}

TEST(Claim, LimitsCountAsTheyRead) {
    EXPECT_EQ(verdict_of(at_least(2), exact(2)), Verdict::reproduced);
    EXPECT_EQ(verdict_of(more_than(2), exact(2)), Verdict::not_reproduced);
    EXPECT_EQ(verdict_of(at_most(2), exact(2)), Verdict::reproduced);
    EXPECT_EQ(verdict_of(less_than(2), exact(2)), Verdict::not_reproduced);
    EXPECT_EQ(verdict_of(exactly(0), exact(0)), Verdict::reproduced);
    EXPECT_EQ(verdict_of(exactly(0), exact(1)), Verdict::not_reproduced);
}

// Seen red: median_of() of one sample once had no spread, and so decided.
TEST(Claim, WhatWasNotMeasuredOrOnlyOnceIsUndecided) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(verdict_of(more_than(2), exact(nan)), Verdict::undecided);
    EXPECT_EQ(verdict_of(more_than(2), median_of(std::array{5.0})), Verdict::undecided);
    EXPECT_EQ(judge({"claim", "", more_than(2)}, std::span<const Measured>{}).verdict, Verdict::undecided);
    EXPECT_EQ(judge({"claim", "", more_than(2)}, std::span<const Measured>{}).measured, "not measured");
    EXPECT_EQ(judge({"claim", "", more_than(2)}, median_of(std::array{5.0})).spread, "one sample");
}

TEST(Claim, EveryNumberOfAClaimMustReachTheThreshold) {
    const auto verdict = [](std::vector<Measured> measured) {
        return judge({"claim", "", more_than(1, "x")}, measured).verdict;
    };
    EXPECT_EQ(verdict({exact(2), exact(3)}), Verdict::reproduced);
    EXPECT_EQ(verdict({exact(2), exact(0.5)}), Verdict::not_reproduced);
    EXPECT_EQ(verdict({exact(2), {{}, 1.5, 0.9, 2.0}}), Verdict::undecided);
    EXPECT_EQ(verdict({{{}, 1.5, 0.9, 2.0}, exact(0.5)}), Verdict::not_reproduced);
}

TEST(Claim, SaysItsNumbersInItsUnit) {
    const Claim claim =
        judge({"CAB is faster", "2.3x", more_than(2, "x")},
              std::vector{median_of(std::array{2.5, 2.25, 3.0}, "table 1"), exact(4, "table 2")}, "3 rounds");
    EXPECT_EQ(claim.threshold, "more than 2x");
    EXPECT_EQ(claim.measured, "table 1 2.5x, table 2 4x; 3 rounds");
    EXPECT_EQ(claim.spread, "table 1 2.25 to 3x, table 2 exact");
    EXPECT_EQ(judge({"count", "", exactly(0)}, exact(0)).spread, "exact");
}

TEST(Claim, RatiosAreTakenRoundByRound) {
    const Measured ratio = ratio_of(std::array{2.0, 6.0, 4.0}, std::array{1.0, 2.0, 1.0});
    EXPECT_DOUBLE_EQ(ratio.value, 3.0);
    EXPECT_DOUBLE_EQ(ratio.low, 2.0);
    EXPECT_DOUBLE_EQ(ratio.high, 4.0);
    EXPECT_EQ(medians_of_stretches(std::array{1.0, 2.0, 3.0, 10.0, 20.0, 30.0, 7.0, 8.0, 9.0}),
              (std::vector{2.0, 20.0, 8.0}));
    EXPECT_EQ(medians_of_stretches(std::array{1.0, 2.0}).size(), 2U) << "fewer samples than stretches";
}

// Twin: a verdict by brute force over points of the spread.
TEST(Claim, VerdictsAgreeWithPointsOfTheSpread) {
    std::mt19937 random(3);
    std::uniform_int_distribution<int> level(0, 6);
    std::array<int, 3> met{};
    for (int i = 0; i < 20000; ++i) {
        const double a = level(random), b = level(random), c = level(random), d = level(random);
        const Threshold threshold = between(std::min(a, b), std::max(a, b));
        const Measured measured{{}, 0.5 * (c + d), std::min(c, d), std::max(c, d)};
        int inside = 0, points = 0;
        for (double at = measured.low; at <= measured.high; at += 0.25, ++points)
            inside += at >= threshold.low && at <= threshold.high ? 1 : 0;
        const Verdict expected = inside == points ? Verdict::reproduced
                                 : inside == 0    ? Verdict::not_reproduced
                                                  : Verdict::undecided;
        ASSERT_EQ(verdict_of(threshold, measured), expected) << threshold.text << ", " << c << " to " << d;
        ++met[static_cast<std::size_t>(expected)];
    }
    for (const int count : met) EXPECT_GT(count, 1000) << "a verdict that is hardly met is hardly tested";
}

}  // namespace
}  // namespace glovebox::vr
