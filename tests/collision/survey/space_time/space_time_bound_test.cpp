// Space-time bounds against closed forms, against motions at maximum acceleration, and against dense
// sampling.
#include "collision/survey/space_time/space_time_bound.h"

#include <gtest/gtest.h>

#include <limits>

#include "collision/survey/space_time/wandering_bodies.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3d;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

BoundedMotion moving(const Vector3d& center_m, const Vector3d& velocity_m_s, double radius_m, double acceleration) {
    return {center_m, velocity_m_s, radius_m, acceleration};
}

TEST(SpaceTimeBound, KnowsTheClosedForms) {
    const BoundedMotion rest = moving({0, 0, 0}, {0, 0, 0}, 0.1, 0.0);
    // Head-on without acceleration: gap divided by speed. Both bounds are exact along an axis.
    const BoundedMotion coming = moving({1.3, 0, 0}, {-2, 0, 0}, 0.2, 0.0);
    EXPECT_NEAR(horn_contact_s(rest, coming, kInfinity), 0.5, 1e-12);
    EXPECT_NEAR(trapezoid_contact_s(rest, coming, 9.0), 0.5, 1e-12);
    // From rest: both accelerate towards each other.
    EXPECT_NEAR(horn_contact_s(moving({0, 0, 0}, {0, 0, 0}, 0.1, 3.0), moving({0, 1.3, 0}, {0, 0, 0}, 0.2, 5.0), 9.0),
                std::sqrt(2.0 * 1.0 / 8.0), 1e-12);
    // Passing by or moving apart, without acceleration: never.
    EXPECT_EQ(horn_contact_s(rest, moving({1, 0.5, 0}, {-2, 0, 0}, 0.2, 0.0), kInfinity), kInfinity);
    EXPECT_EQ(horn_contact_s(rest, moving({1, 0, 0}, {2, 0, 0}, 0.2, 0.0), kInfinity), kInfinity);
    EXPECT_EQ(trapezoid_contact_s(rest, moving({1, 0.5, 0}, {-2, 0, 0}, 0.2, 0.0), 9.0), 9.0);
    // Moving apart but decelerating: 1 m and 2 m/s away, 1 m/s^2 back is 2 + sqrt(4 + 2 * 0.7) seconds.
    EXPECT_NEAR(horn_contact_s(rest, moving({1, 0, 0}, {2, 0, 0}, 0.2, 1.0), kInfinity), 2.0 + std::sqrt(5.4), 1e-9);
    EXPECT_EQ(horn_contact_s(rest, moving({1, 0, 0}, {2, 0, 0}, 0.2, 1.0), 3.0), 3.0) << "not before the horizon";
}

TEST(SpaceTimeBound, WhatOverlapsOrIsNotFiniteMayTouchNow) {
    const BoundedMotion rest = moving({0, 0, 0}, {0, 0, 0}, 0.1, 1.0);
    for (const SpaceTimeBound& bound : space_time_bounds()) {
        EXPECT_EQ(bound.contact_s(rest, rest, 1.0), 0.0) << bound.name;
        EXPECT_EQ(bound.contact_s(rest, moving({0.2, 0, 0}, {0, 0, 0}, 0.1, 0.0), 1.0), 0.0) << bound.name;
        for (const double bad : {std::nan(""), kInfinity}) {
            EXPECT_EQ(bound.contact_s(rest, moving({9, bad, 0}, {0, 0, 0}, 0.1, 1.0), 1.0), 0.0) << bound.name;
            EXPECT_EQ(bound.contact_s(moving({9, 0, 0}, {bad, 0, 0}, 0.1, 1.0), rest, 1.0), 0.0) << bound.name;
            EXPECT_EQ(bound.contact_s(moving({9, 0, 0}, {0, 0, 0}, 0.1, bad), rest, 1.0), 0.0) << bound.name;
        }
    }
}

// The horn is exact: some constant accelerations touch at its time, and none touch before.
// The test was seen to fail: with half the acceleration in horn_contact_s() pairs touched before their bound; with 20 %
// more none touched at it; with the trapezoid's growth halved its faces cut the horn.
TEST(SpaceTimeBound, NoAdmissibleMotionTouchesEarlierAndOneTouchesThen) {
    Random random(7);
    const auto vector = [&](double size) -> Vector3d {
        return {random.between(-size, size), random.between(-size, size), random.between(-size, size)};
    };
    constexpr double kHorizon_s = 0.5;
    int touch = 0, never = 0, steps = 0;
    for (int round = 0; round < 3000; ++round) {
        const BoundedMotion a = moving(vector(1.0), vector(3.0), random.between(0.0, 0.1), random.between(0.0, 10.0)),
                            b = moving(vector(1.0), vector(3.0), random.between(0.0, 0.1), random.between(0.0, 10.0));
        if (gap_m(a, b) <= 0.0) continue;
        const double bound_s = horn_contact_s(a, b, kHorizon_s);
        EXPECT_LE(trapezoid_contact_s(a, b, kHorizon_s), bound_s + 1e-12);
        // Twenty constant accelerations of maximum magnitude, the first directly towards each other.
        const Vector3d between_m = b.center_m - a.center_m + bound_s * (b.velocity_m_s - a.velocity_m_s);
        for (int way = 0; way < 20; ++way) {
            const Vector3d push_a = way == 0 ? Vector3d(between_m.normalized()) : Vector3d(vector(1.0).normalized()),
                           push_b = way == 0 ? Vector3d(-push_a) : Vector3d(vector(1.0).normalized());
            const auto gap_at = [&](double t) {
                const auto after = [t](BoundedMotion motion, const Vector3d& push) {
                    motion.center_m += t * motion.velocity_m_s + 0.5 * t * t * motion.max_acceleration_m_s2 * push;
                    return motion;
                };
                return gap_m(after(a, push_a), after(b, push_b));
            };
            for (int k = 0; k < 100; ++k, ++steps)
                ASSERT_GT(gap_at(bound_s * k / 100.0), -1e-9) << "round " << round << ", way " << way << ", " << k;
            if (way == 0 && bound_s < kHorizon_s) {
                ASSERT_NEAR(gap_at(bound_s), 0.0, 1e-9);
            }
        }
        ++(bound_s < kHorizon_s ? touch : never);
    }
    EXPECT_GT(touch, 500);
    EXPECT_GT(never, 100) << steps << " steps";
}

// Seen to fail: with half the acceleration in horn_contact_s(), or twice the scheduled time, contacts are missed.
TEST(SpaceTimeBound, TheScheduleMissesNoContactThatDenseSamplingFinds) {
    for (const double acceleration : {20.0, 80.0}) {
        const WanderingBodies world({.max_acceleration_m_s2 = acceleration}, 11);
        std::int64_t dense_tests = 0, frame_tests = 0;
        const auto truth = sample_touches(world, 1.0 / 10000.0, dense_tests);
        EXPECT_GT(truth.size(), 15U);
        const auto frames = sample_touches(world, 1.0 / 90.0, frame_tests);
        EXPECT_GT(count_missed(truth, frames), 0) << "no contact is short: the schedule has nothing to prove";
        for (const SpaceTimeBound& bound : space_time_bounds()) {
            std::int64_t looks = 0;
            const auto found = follow_touches(world, bound, 1.0 / 90.0, 0.1, 1e-4, looks);
            EXPECT_EQ(count_missed(truth, found), 0) << bound.name;
            EXPECT_LT(looks, dense_tests / 100) << bound.name;
            // Extra spans must be nearly contacts: distances below 0.1 mm.
            EXPECT_LE(found.size(), truth.size() + truth.size() / 5 + 2) << bound.name;
        }
    }
}

TEST(SpaceTimeBound, SpansThatShareNoTimeAreMissed) {
    const std::vector<TouchSpan> truth = {{0, 1, 1.0, 2.0}, {0, 2, 1.0, 2.0}, {0, 1, 5.0, 6.0}};
    EXPECT_EQ(count_missed(truth, truth), 0);
    EXPECT_EQ(count_missed(truth, {{0, 1, 1.9, 2.5}}), 2);
    EXPECT_EQ(count_missed(truth, {{0, 1, 2.1, 4.9}, {1, 2, 1.0, 2.0}}), 3);
}

}  // namespace
}  // namespace glovebox::collision
