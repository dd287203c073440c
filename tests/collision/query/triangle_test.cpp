#include "collision/query/triangle.h"

#include <gtest/gtest.h>

#include "collision/query/convex.h"
#include "tests/collision/random_shapes.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3d;

Vector3d random_point(RandomShapes& random) {
    return random.vector(1.0F).cast<double>();
}

TEST(SegmentTriangle, EqualsGjk) {
    RandomShapes random(41);
    int meeting = 0;
    for (int i = 0; i < 20'000; ++i) {
        const Triangle t = {random_point(random), random_point(random), random_point(random)};
        const RoundSegment segment{random_point(random), random_point(random), 0.0, 0.0};
        const double found = closest(segment, t).core_distance;
        const double expected = std::max(0.0, closest(ConvexCore(segment), ConvexCore(t)).distance);
        ASSERT_NEAR(found, expected, 1e-7) << i;
        meeting += found == 0.0 ? 1 : 0;
    }
    EXPECT_GT(meeting, 1'000);
}

TEST(SegmentTriangle, DoesNotCareForTheOrderOfItsPoints) {
    RandomShapes random(42);
    for (int i = 0; i < 5'000; ++i) {
        const Triangle t = {random_point(random), random_point(random), random_point(random)};
        const RoundSegment s{random_point(random), random_point(random), 0.1, 0.3};
        const double gap = closest(s, t).gap;
        ASSERT_NEAR(closest(RoundSegment{s.b, s.a, s.radius_b, s.radius_a}, t).gap, gap, 1e-12);
        ASSERT_NEAR(closest(s, Triangle{t[1], t[2], t[0]}).gap, gap, 1e-12);
        ASSERT_NEAR(closest(s, Triangle{t[0], t[2], t[1]}).gap, gap, 1e-12);
    }
}

TEST(RoundConeTriangle, EqualsFineSamplingOfItsAxis) {
    RandomShapes random(43);
    for (int i = 0; i < 1'000; ++i) {
        const Triangle t = {random_point(random), random_point(random), random_point(random)};
        const RoundSegment cone{random_point(random), random_point(random),
                                static_cast<double>(random.between(0, 0.5F)),
                                static_cast<double>(random.between(0, 0.5F))};
        double expected = 1e300;
        for (int k = 0; k <= 2'000; ++k) {
            const double s = k / 2'000.0;
            const Vector3d p = (1 - s) * cone.a + s * cone.b;
            expected = std::min(
                expected, (closest_on_triangle(p, t).point - p).norm() - (1 - s) * cone.radius_a - s * cone.radius_b);
        }
        const SegmentTriangle found = closest(cone, t);
        ASSERT_LE(found.gap, expected + 1e-12) << i;
        ASSERT_GE(found.gap, expected - 2e-3) << i;
        ASSERT_NEAR(found.gap, found.core_distance - (1 - found.s) * cone.radius_a - found.s * cone.radius_b, 1e-9)
            << i;
    }
}

TEST(SegmentTriangle, IsOneLipschitzInEveryPoint) {
    RandomShapes random(44);
    for (int i = 0; i < 10'000; ++i) {
        Triangle t = {random_point(random), random_point(random), random_point(random)};
        RoundSegment s{random_point(random), random_point(random), 0.0, 0.0};
        const double before = closest(s, t).core_distance;
        const Vector3d motion = 0.05 * random_point(random);
        (i % 5 == 0 ? s.a : i % 5 == 1 ? s.b : t[static_cast<std::size_t>(i % 5 - 2)]) += motion;
        ASSERT_LE(std::abs(closest(s, t).core_distance - before), motion.norm() + 1e-12);
    }
}

TEST(SegmentTriangle, MovesAwayAtUnitRateAlongItsNormal) {
    RandomShapes random(45);
    int measured = 0;
    for (int i = 0; i < 5'000; ++i) {
        const Triangle t = {random_point(random), random_point(random), random_point(random)};
        const RoundSegment s{random_point(random), random_point(random), 0.0, 0.0};
        const SegmentTriangle found = closest(s, t);
        if (found.core_distance < 0.05) continue;
        const Vector3d away = (found.on_axis - found.on_triangle) / found.core_distance;
        constexpr double kStep = 1e-4;
        const double further = closest(RoundSegment{s.a + kStep * away, s.b + kStep * away, 0, 0}, t).core_distance;
        ASSERT_NEAR((further - found.core_distance) / kStep, 1.0, 2e-2) << i;
        ++measured;
    }
    EXPECT_GT(measured, 3'000);
}

TEST(Gjk, NeverMeetsWhatAPlaneSeparates) {
    // A prism slides on a faceted cylinder, and faces become exactly parallel again and again.
    RandomShapes random(46);
    for (int i = 0; i < 1'501; ++i) {
        const double angle = 0.001 * i;
        const Eigen::Matrix3d turn = Eigen::AngleAxisd(angle, Vector3d::UnitY()).toRotationMatrix();
        const Obb block{Eigen::Vector3f(turn.cast<float>() * Eigen::Vector3f(0.033F, 0, 0)),
                        turn.cast<float>(),
                        {0.005F, 0.02F, 0.005F}};
        const Obb core{Eigen::Vector3f::Zero(), Eigen::Matrix3f::Identity(), {0.018F, 0.05F, 0.018F}};
        ASSERT_GT(closest(ConvexCore(block), ConvexCore(core)).distance, 0.0) << i;
    }
}

}  // namespace
}  // namespace glovebox::collision
