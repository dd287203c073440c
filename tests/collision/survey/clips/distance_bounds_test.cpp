#include "collision/survey/clips/distance_bounds.h"

#include <gtest/gtest.h>

#include <random>

#include "collision/query/collide.h"

namespace glovebox::collision::clips {
namespace {

struct HandSizes {
    std::mt19937_64 engine{7};
    float operator()(float low, float high) { return std::uniform_real_distribution<float>(low, high)(engine); }
    Eigen::Vector3f point(float reach_m) {
        return {(*this)(-reach_m, reach_m), (*this)(-reach_m, reach_m), (*this)(-reach_m, reach_m)};
    }
    int below(int n) { return static_cast<int>(engine() % static_cast<unsigned>(n)); }
};

// Makes bones and objects of a hand's size: balls, capsules, cones whose larger end contains the smaller one, cones of
// zero length with two radii, points and lines.
RoundCone cone_of(HandSizes& random) {
    RoundCone cone{random.point(0.1F), {}, random(0.0F, 0.03F), random(0.0F, 0.03F)};
    cone.b_m = cone.a_m + random.point(0.05F);
    switch (random.below(8)) {
        case 0:
            cone.b_m = cone.a_m;
            break;
        case 1:
            cone.b_m = cone.a_m;
            cone.radius_b_m = cone.radius_a_m;
            break;
        case 2:
            cone.radius_b_m = cone.radius_a_m;
            break;
        case 3:
            cone.b_m = cone.a_m + 0.01F * random.point(0.05F);
            break;
        case 4:
            cone.radius_a_m = cone.radius_b_m = 0.0F;
            break;
        case 5:  // near the length at which one end just contains the other
            cone.b_m = cone.a_m + Eigen::Vector3f::UnitX() * (cone.radius_a_m - cone.radius_b_m);
            break;
        default:
            break;
    }
    return cone;
}
RoundCone ball_of(HandSizes& random) {
    const Eigen::Vector3f middle = random.point(0.1F);
    return {middle, middle, random(0.0F, 0.05F), random(0.0F, 0.05F)};
}
RoundedBox box_of(HandSizes& random) {
    RoundedBox box;
    box.core.center_m = random.point(0.1F);
    box.core.axes =
        Eigen::Quaternionf(random(-1, 1), random(-1, 1), random(-1, 1), random(-1, 1)).normalized().matrix();
    box.core.half_m = random.point(0.05F).cwiseAbs();
    box.radius_m = random.below(2) == 0 ? 0.0F : random(0.0F, 0.02F);
    return box;
}

float exact_distance(const Shape& a, const Shape& b) {
    Contact contact;
    CollideCounts counts;
    closest(a, b, std::numeric_limits<float>::infinity(), contact, counts);
    return contact.distance_m;
}

TEST(DistanceBounds, HoldTheExactDistanceAndAreNarrowBesideABall) {
    HandSizes random;
    int overlapping = 0;
    for (int i = 0; i < 20'000; ++i) {
        const Shape ball = ball_of(random),
                    other = random.below(2) == 0 ? Shape(cone_of(random)) : Shape(box_of(random));
        const bool swap = random.below(2) == 0;
        const DistanceBounds bounds = swap ? distance_bounds(other, ball) : distance_bounds(ball, other);
        const float exact_m = exact_distance(ball, other);
        ASSERT_LE(bounds.min_m, exact_m) << i;
        ASSERT_GE(bounds.max_m, exact_m) << i;
        ASSERT_LT(bounds.max_m - bounds.min_m, 2e-5F) << i;
        overlapping += exact_m < 0.0F ? 1 : 0;
    }
    EXPECT_GT(overlapping, 1'500);
    EXPECT_LT(overlapping, 18'000);
}

TEST(DistanceBounds, HoldTheExactDistanceOfTwoConesWithinTheirTaper) {
    HandSizes random;
    int narrow = 0;
    for (int i = 0; i < 20'000; ++i) {
        const RoundCone a = cone_of(random), b = cone_of(random);
        const DistanceBounds bounds = distance_bounds(a, b);
        const float exact_m = exact_distance(a, b);
        ASSERT_LE(bounds.min_m, exact_m) << i;
        ASSERT_GE(bounds.max_m, exact_m) << i;
        const float taper_m = std::abs(a.radius_a_m - a.radius_b_m) + std::abs(b.radius_a_m - b.radius_b_m);
        ASSERT_LE(bounds.max_m - bounds.min_m, taper_m + 2e-5F) << i;
        narrow += bounds.max_m - bounds.min_m < 2e-5F ? 1 : 0;
    }
    EXPECT_GT(narrow, 1'000);
}

TEST(DistanceBounds, AreUnlimitedForWhatTheyDoNotKnow) {
    HandSizes random;
    const DistanceBounds bounds = distance_bounds(Shape(box_of(random)), Shape(box_of(random)));
    EXPECT_EQ(bounds.min_m, -std::numeric_limits<float>::infinity());
    EXPECT_EQ(bounds.max_m, std::numeric_limits<float>::infinity());
}

// Also far from the origin: pairs are evaluated relative to the ball's centre.
TEST(DistanceBounds, ColumnsHoldTheExactDistanceAsTheScalarTwinDoes) {
    HandSizes random;
    for (int i = 0; i < 3'000; ++i) {
        ConeBallPairs pairs;
        std::vector<float> exact_m;
        const Eigen::Vector3f away_m = i % 2 == 0 ? Eigen::Vector3f::Zero() : Eigen::Vector3f(random.point(20.0F));
        for (int k = 1 + random.below(static_cast<int>(ConeBallPairs::kCapacity)); k > 0; --k) {
            RoundCone cone = cone_of(random), ball = ball_of(random);
            for (Eigen::Vector3f* point : {&cone.a_m, &cone.b_m}) *point += away_m;
            ball.a_m += away_m;
            ball.b_m = ball.a_m;
            pairs.add(cone, ball);
            exact_m.push_back(exact_distance(cone, ball));
        }
        BoundsColumns lanes{}, scalar{};
        distance_bounds(pairs, lanes);
        distance_bounds_scalar(pairs, scalar);
        for (std::size_t k = 0; k < pairs.count; ++k) {
            for (const BoundsColumns* bounds : {&lanes, &scalar}) {
                ASSERT_LE(bounds->min_m[k], exact_m[k]) << i << ' ' << k;
                ASSERT_GE(bounds->max_m[k], exact_m[k]) << i << ' ' << k;
                ASSERT_LT(bounds->max_m[k] - bounds->min_m[k], 2e-5F) << i << ' ' << k;
            }
            ASSERT_NEAR(lanes.min_m[k], scalar.min_m[k], 3e-6F) << i << ' ' << k;
        }
    }
}

}  // namespace
}  // namespace glovebox::collision::clips
