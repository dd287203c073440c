#include "collision/exact/hull_pair.h"

#include <gtest/gtest.h>

#include <cmath>

#include "collision/exact/convex.h"
#include "tests/collision/random_shapes.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3d;
using Hull = std::shared_ptr<const ConvexHull>;

Hull ellipsoid(RandomShapes& random, int points) {
    std::vector<Eigen::Vector3f> corners;
    for (int i = 0; i < points; ++i)
        corners.push_back(random.direction().cwiseProduct(Eigen::Vector3f(1.0F, 0.7F, 0.5F)));
    return ConvexHull::from_points(corners);
}

ConvexPair slow(const ConvexHull& a, const ConvexHull& b, const Eigen::Isometry3f& a_from_b) {
    return closest(ConvexCore(a, Eigen::Isometry3d::Identity()), ConvexCore(b, a_from_b.cast<double>()));
}

// How far b reaches against the direction: what translating a along -n by this much leaves just touching.
double overlap_along(const ConvexHull& a, const ConvexHull& b, const Eigen::Isometry3f& a_from_b, const Vector3d& n) {
    double top = -1e300, bottom = 1e300;
    for (const auto& p : a.corners_m()) top = std::max(top, n.dot(p.cast<double>()));
    for (const auto& p : b.corners_m()) bottom = std::min(bottom, n.dot(a_from_b.cast<double>() * p.cast<double>()));
    return top - bottom;
}

// Depth by trying every direction that can be a facet of the difference: both hulls' facets and all pairs of edges.
double depth_of_every_direction(const ConvexHull& a, const ConvexHull& b, const Eigen::Isometry3f& a_from_b) {
    std::vector<Vector3d> edges_a, edges_b;
    double depth = 1e300;
    const auto consider = [&](const Vector3d& direction) {
        if (direction.norm() < 1e-12) return;
        const Vector3d n = direction.normalized();
        depth = std::min({depth, overlap_along(a, b, a_from_b, n), overlap_along(a, b, a_from_b, -n)});
    };
    const auto gather = [&](const ConvexHull& hull, const Eigen::Isometry3d& pose, std::vector<Vector3d>& edges) {
        for (const auto& facet : hull.facets()) {
            std::array<Vector3d, 3> p;
            for (std::size_t k = 0; k < 3; ++k)
                p[k] = pose * hull.corners_m()[static_cast<std::size_t>(facet[k])].cast<double>();
            consider((p[1] - p[0]).cross(p[2] - p[0]));
            for (std::size_t k = 0; k < 3; ++k)
                if (facet[k] < facet[(k + 1) % 3]) edges.push_back(p[(k + 1) % 3] - p[k]);
        }
    };
    gather(a, Eigen::Isometry3d::Identity(), edges_a);
    gather(b, a_from_b.cast<double>(), edges_b);
    for (const Vector3d& u : edges_a)
        for (const Vector3d& v : edges_b) consider(u.cross(v));
    return depth;
}

TEST(HullPair, RememberingChangesTheTimeAndNotTheAnswer) {
    RandomShapes random(61);
    int apart = 0, overlapping = 0;
    for (int round = 0; round < 40; ++round) {
        const Hull a = ellipsoid(random, 32), b = ellipsoid(random, round % 2 == 0 ? 32 : 100);
        const Eigen::AngleAxisf step(0.013F, random.direction());
        Eigen::Isometry3f pose = random.pose(1.2F);
        HullPairMemory memory;
        for (int frame = 0; frame < 50; ++frame) {
            pose = step * pose;
            const ConvexPair warm = closest(*a, *b, pose, memory);
            HullPairMemory fresh;
            const ConvexPair cold = closest(*a, *b, pose, fresh), expected = slow(*a, *b, pose);
            ASSERT_NEAR(warm.distance, expected.distance, 4e-6) << round << ", frame " << frame;
            ASSERT_NEAR(cold.distance, expected.distance, 4e-6) << round << ", frame " << frame;
            ASSERT_NEAR(warm.normal.norm(), 1.0, 1e-9);
            ASSERT_LT((warm.on_b - warm.on_a - warm.distance * warm.normal).norm(), 1e-9);
            // The normal is one that keeps them apart, or the way out.
            ASSERT_NEAR(-overlap_along(*a, *b, pose, warm.normal), warm.distance, 4e-6);
            (warm.distance > 0.0 ? apart : overlapping) += 1;
        }
    }
    EXPECT_GT(apart, 400);
    EXPECT_GT(overlapping, 400);
}

TEST(HullPair, DepthIsThatOfEveryPossibleDirection) {
    RandomShapes random(62);
    int compared = 0;
    for (int round = 0; round < 60; ++round) {
        const Hull a = ellipsoid(random, 16), b = ellipsoid(random, 16);
        const Eigen::Isometry3f pose = random.pose(0.6F);
        HullPairMemory memory;
        const ConvexPair found = closest(*a, *b, pose, memory);
        if (found.distance >= 0.0) continue;
        ++compared;
        ASSERT_NEAR(-found.distance, depth_of_every_direction(*a, *b, pose), 4e-6) << round;
        ASSERT_NEAR(closest(*a, *b, pose, memory).distance, found.distance, 4e-6) << "asked again";
    }
    EXPECT_GT(compared, 25);
}

TEST(HullPair, MemoryOfAnotherPairIsHarmless) {
    RandomShapes random(63);
    const Hull big = ellipsoid(random, 100), a = ellipsoid(random, 12), b = ellipsoid(random, 12);
    HullPairMemory memory;
    for (int round = 0; round < 200; ++round) {
        const Eigen::Isometry3f pose = random.pose(1.5F);
        closest(*big, *big, pose, memory);
        ASSERT_NEAR(closest(*a, *b, pose, memory).distance, slow(*a, *b, pose).distance, 4e-6);
    }
    memory.count = 4;
    memory.corners_a = {-1, 1000, 0, 0};
    memory.corners_b = {0, 0, -7, 2'000'000'000};
    const Eigen::Isometry3f pose = random.pose(0.2F);
    EXPECT_NEAR(closest(*a, *b, pose, memory).distance, slow(*a, *b, pose).distance, 4e-6);
}

TEST(HullPair, SwappedHullsHaveTheSameDistanceAndTheOppositeNormal) {
    RandomShapes random(64);
    for (int round = 0; round < 300; ++round) {
        const Hull a = ellipsoid(random, 24), b = ellipsoid(random, 24);
        const Eigen::Isometry3f pose = random.pose(1.2F);
        HullPairMemory there, back;
        const ConvexPair one = closest(*a, *b, pose, there),
                         other = closest(*b, *a, pose.inverse(Eigen::Isometry), back);
        ASSERT_NEAR(one.distance, other.distance, 5e-6);
        if (one.distance > 1e-3) {
            ASSERT_LT((one.normal + pose.linear().cast<double>() * other.normal).norm(), 1e-3);
        }
    }
}

TEST(HullPair, FlatStraightAndSinglePointHullsHaveDistances) {
    const auto hull = [](std::vector<Eigen::Vector3f> points) { return ConvexHull::from_points(points); };
    const Hull point = hull({{0, 0, 0}}), line = hull({{-1, 0, 0}, {1, 0, 0}}),
               plate = hull({{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}});
    Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
    for (const Hull& a : {point, line, plate})
        for (const Hull& b : {point, line, plate})
            for (const float height : {0.0F, 1e-3F, 0.25F}) {
                pose.translation() = Eigen::Vector3f(0.1F, height, 0.0F);
                HullPairMemory memory;
                const ConvexPair pair = closest(*a, *b, pose, memory);
                const bool points = a == point && b == point;
                EXPECT_NEAR(pair.distance, points ? std::hypot(0.1, height) : height, 1e-6);
                EXPECT_TRUE(pair.normal.allFinite());
            }
}

TEST(HullPair, PosesThatAreNotFiniteAreInfinitelyFar) {
    RandomShapes random(65);
    const Hull a = ellipsoid(random, 24);
    for (const float bad : {std::nanf(""), std::numeric_limits<float>::infinity()})
        for (int entry = 0; entry < 12; ++entry) {
            Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
            pose.matrix()(entry % 3, entry / 3) = bad;
            HullPairMemory memory;
            const ConvexPair pair = closest(*a, *a, pose, memory);
            EXPECT_TRUE(std::isinf(pair.distance) && pair.normal.allFinite()) << bad << " at " << entry;
        }
}

}  // namespace
}  // namespace glovebox::collision
