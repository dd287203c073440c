#include "collision/query/hull_pair.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "collision/query/convex.h"
#include "collision/survey/tree/sample_meshes.h"
#include "tests/collision/made_meshes.h"
#include "tests/collision/random_shapes.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3d;
using Hull = std::shared_ptr<const ConvexHull>;

Hull ellipsoid(RandomShapes& random, int points, const Eigen::Vector3f& radii = {1.0F, 0.7F, 0.5F}) {
    std::vector<Eigen::Vector3f> corners;
    for (int i = 0; i < points; ++i) corners.push_back(random.direction().cwiseProduct(radii));
    return ConvexHull::from_points(corners);
}

ConvexPair slow(const ConvexHull& a, const ConvexHull& b, const Eigen::Isometry3f& a_from_b) {
    return closest(ConvexCore(a, Eigen::Isometry3d::Identity()), ConvexCore(b, a_from_b.cast<double>()));
}

// Returns the overlap along n: translating a by this distance along -n leaves the hulls just touching.
double overlap_along(const ConvexHull& a, const ConvexHull& b, const Eigen::Isometry3f& a_from_b, const Vector3d& n) {
    double top = -1e300, bottom = 1e300;
    for (const auto& p : a.corners_m()) top = std::max(top, n.dot(p.cast<double>()));
    for (const auto& p : b.corners_m()) bottom = std::min(bottom, n.dot(a_from_b.cast<double>() * p.cast<double>()));
    return top - bottom;
}

// Returns the depth over all possible facets of the difference: both hulls' facets and all pairs of edges.
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
            // The normal is a separating direction, or the direction of the minimum translation.
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

TEST(HullPair, BoxesInTheSamePlaceAreAsDeepAsTheyAreThinInEverySize) {
    // All their edges and faces are on common lines and planes.
    RandomShapes random(66);
    int compared = 0;
    for (const float size : {1.0F, 1e-2F, 1e-3F, 1e-4F, 1e-5F, 1e-6F})
        for (int round = 0; round < 500; ++round) {
            Eigen::Vector3f half = size * (0.3F * Eigen::Vector3f::Ones() + random.vector(0.2F));
            if (round % 3 == 0) half.setConstant(0.3F * size);
            const Hull box = ConvexHull::from_points(box_mesh(half).vertices_m);
            Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
            if (round % 2 == 0) {
                const float nearly = random.size(1e-9F, 1e-4F);
                pose.linear() = Eigen::AngleAxisf(nearly, random.direction()).toRotationMatrix();
                pose.translation() = size * random.vector(nearly);
            } else {
                pose.linear() = random.rotation();
                pose = Eigen::Isometry3f(pose.inverse(Eigen::Isometry) * pose);
            }
            const double expected = 2.0 * double{half.minCoeff()};
            HullPairMemory memory;
            ASSERT_NEAR(-closest(*box, *box, pose, memory).distance, expected, 1e-3 * double{size})
                << round << ", size " << size;
            ASSERT_NEAR(-slow(*box, *box, pose).distance, expected, 1e-3 * double{size}) << round << ", size " << size;
            ++compared;
        }
    EXPECT_EQ(compared, 3'000);
}

// Returns the least overlap over many directions, the best improved by random steps of decreasing size.
double sampled_depth(const ConvexHull& a, const ConvexHull& b, const Eigen::Isometry3f& pose, RandomShapes& random) {
    double depth = 1e300;
    Vector3d best = Vector3d::UnitX();
    double reach = 2.0;
    for (int i = 0; i < 600; ++i) {
        if (i >= 300) reach = std::max(1e-4, reach * 0.95);
        const Vector3d n = (i < 300 ? Vector3d(random.direction().cast<double>())
                                    : Vector3d(best + reach * random.vector(0.2F).cast<double>()))
                               .normalized();
        const double other = overlap_along(a, b, pose, n);
        if (other < depth) {
            depth = other;
            best = n;
        }
    }
    return depth;
}

TEST(HullPair, HullsOfThousandsOfCornersArePartedByTheirDepthAndNotByLess) {
    RandomShapes random(67);
    int deep = 0, overlapping = 0;
    for (int round = 0; round < 24; ++round) {
        const int points = std::array{162, 642, 1'000, 2'562}[static_cast<std::size_t>(round % 4)];
        const Eigen::Vector3f radii = round % 3 == 0 ? Eigen::Vector3f(1.0F, 0.7F, 0.5F) : Eigen::Vector3f::Ones();
        const Hull a = ellipsoid(random, points, radii), b = ellipsoid(random, points, radii);
        Eigen::Isometry3f pose = random.pose(0.0F);
        const float off = std::array{0.0F, 0.02F, 0.1F, 0.4F}[static_cast<std::size_t>(round / 6)];
        pose.translation() = off * random.direction();
        HullPairMemory memory;
        const ConvexPair found = closest(*a, *b, pose, memory), again = closest(*a, *b, pose, memory),
                         other = slow(*a, *b, pose);
        const double least = sampled_depth(*a, *b, pose, random);
        for (const ConvexPair& pair : {found, again, other}) {
            ASSERT_LT(pair.distance, 0.0);
            ASSERT_NEAR(pair.normal.norm(), 1.0, 1e-9);
            ASSERT_NEAR(overlap_along(*a, *b, pose, pair.normal), -pair.distance, 4e-6)
                << round << ": " << points << " corners, " << off << " off the middle";
            ASSERT_GT(least, -pair.distance - 4e-6) << round << ": " << points << " corners, " << off << " off";
            ASSERT_LT((pair.on_b - pair.on_a - pair.distance * pair.normal).norm(), 1e-9);
            ASSERT_LT(pair.on_a.norm(), 1.0001);
        }
        ++overlapping;
        deep += found.distance < -1.8 ? 1 : 0;
    }
    EXPECT_EQ(overlapping, 24);
    EXPECT_GT(deep, 6);
}

// Facets and edges of a hull in a pose, or of its reflection in the origin (sign -1).
struct Gauss {
    struct Edge {
        Vector3d at, along, side, other;  // normals of the two adjacent facets
    };
    struct Facet {
        Vector3d at, normal;
    };
    std::vector<Vector3d> corners;
    std::vector<Facet> facets;
    std::vector<Edge> edges;

    Gauss(const ConvexHull& hull, const Eigen::Isometry3f& pose, double sign) {
        for (const auto& corner : hull.corners_m())
            corners.push_back(sign * (pose.cast<double>() * corner.cast<double>()));
        std::map<std::array<int, 2>, Vector3d> normal_at;
        for (const auto& facet : hull.facets()) {
            const auto corner = [&](std::size_t k) { return corners[static_cast<std::size_t>(facet[k % 3])]; };
            const Vector3d normal = sign * (corner(1) - corner(0)).cross(corner(2) - corner(0)).normalized();
            facets.push_back({corner(0), normal});
            for (std::size_t k = 0; k < 3; ++k) normal_at[{facet[k], facet[(k + 1) % 3]}] = normal;
        }
        for (const auto& [ends, normal] : normal_at)
            if (const auto other = normal_at.find({ends[1], ends[0]}); ends[0] < ends[1] && other != normal_at.end()) {
                const Vector3d &from = corners[static_cast<std::size_t>(ends[0])],
                               &to = corners[static_cast<std::size_t>(ends[1])];
                edges.push_back({from, to - from, normal, other->second});
            }
    }
    double reach(const Vector3d& direction) const {
        double furthest = -1e300;
        for (const Vector3d& corner : corners) furthest = std::max(furthest, direction.dot(corner));
        return furthest;
    }
};

// Returns the depths of all facets of the difference: the hulls' own, and one per pair of edges with crossing arcs.
std::vector<double> depths_of_facets(const ConvexHull& hull_a, const ConvexHull& hull_b,
                                     const Eigen::Isometry3f& pose) {
    const Gauss a(hull_a, Eigen::Isometry3f::Identity(), 1.0), b(hull_b, pose, -1.0);
    std::vector<double> depths;
    for (const auto& facet : a.facets) depths.push_back(facet.normal.dot(facet.at) + b.reach(facet.normal));
    for (const auto& facet : b.facets) depths.push_back(facet.normal.dot(facet.at) + a.reach(facet.normal));
    for (const auto& e : a.edges)
        for (const auto& f : b.edges) {
            if (e.along.dot(f.side) * e.along.dot(f.other) > 0.0 || f.along.dot(e.side) * f.along.dot(e.other) > 0.0)
                continue;
            Vector3d normal = e.along.cross(f.along).normalized();
            if (normal.dot(e.side + e.other) < 0.0) normal = -normal;
            if (normal.dot(f.side + f.other) > 0.0) depths.push_back(normal.dot(e.at + f.at));
        }
    return depths;
}

double outside_of(const ConvexHull& hull, const Eigen::Isometry3f& pose, const Vector3d& point) {
    double furthest = -1e300;
    for (const auto& facet : Gauss(hull, pose, 1.0).facets)
        furthest = std::max(furthest, facet.normal.dot(point - facet.at));
    return furthest;
}

TEST(HullPair, RoundHullsInTheSamePlaceAreAsDeepAsTheShallowestFacetOfTheirDifference) {
    RandomShapes random(68);
    const Hull ball = ConvexHull::from_points(icosphere(3, 1.0F).vertices_m);
    int with_rivals = 0;
    for (int round = 0; round < 48; ++round) {
        const int points = round % 8 == 0 ? 1'000 : 400;
        const bool same = round % 8 == 1;
        const Hull a = same ? ball : ellipsoid(random, points, Eigen::Vector3f::Ones()),
                   b = same ? ball : ellipsoid(random, points, Eigen::Vector3f::Ones());
        Eigen::Isometry3f pose = random.pose(0.0F);
        if (same && round < 16) pose.linear().setIdentity();
        pose.translation() = std::array{0.0F, 1e-3F, 0.02F}[static_cast<std::size_t>(round % 3)] * random.direction();
        const std::vector<double> depths = depths_of_facets(*a, *b, pose);
        const double least = *std::min_element(depths.begin(), depths.end());
        with_rivals +=
            std::count_if(depths.begin(), depths.end(), [&](double d) { return d < 1.01 * least; }) >= 30 ? 1 : 0;
        HullPairMemory memory;
        const ConvexPair found = closest(*a, *b, pose, memory), again = closest(*a, *b, pose, memory),
                         other = slow(*a, *b, pose);
        for (const ConvexPair& pair : {found, again, other}) {
            ASSERT_NEAR(-pair.distance, least, 4e-6) << round;
            ASSERT_NEAR(overlap_along(*a, *b, pose, pair.normal), least, 4e-6) << round;
            ASSERT_LT(outside_of(*a, Eigen::Isometry3f::Identity(), pair.on_a), 4e-6) << round;
            ASSERT_LT(outside_of(*b, pose, pair.on_b), 4e-6) << round;
        }
        HullPairMemory back;
        ASSERT_NEAR(closest(*b, *a, pose.inverse(Eigen::Isometry), back).distance, found.distance, 4e-6) << round;
    }
    EXPECT_GT(with_rivals, 24) << "pairs with many facets that are nearly as near";
}

TEST(HullPair, PointsOfPairsThatOverlapLieOnTheHulls) {
    RandomShapes random(69);
    int overlapping = 0;
    for (int round = 0; round < 3'000; ++round) {
        const auto box = [&] {
            return ConvexHull::from_points(box_mesh(0.3F * Eigen::Vector3f::Ones() + random.vector(0.2F)).vertices_m);
        };
        const Hull a = box(), b = round % 3 == 0 ? ellipsoid(random, 24) : box();
        Eigen::Isometry3f pose = random.pose(round % 5 == 0 ? 0.0F : 0.5F);
        if (round % 2 == 0) pose.linear().setIdentity();
        HullPairMemory memory;
        const ConvexPair found = closest(*a, *b, pose, memory), other = slow(*a, *b, pose);
        for (const ConvexPair& pair : {found, other}) {
            ASSERT_LT(outside_of(*a, Eigen::Isometry3f::Identity(), pair.on_a), 4e-6) << round;
            ASSERT_LT(outside_of(*b, pose, pair.on_b), 4e-6) << round;
        }
        overlapping += found.distance < 0.0 ? 1 : 0;
    }
    EXPECT_GT(overlapping, 1'500);
}

TEST(HullPair, BallsInTheMiddleOfARoundHullAreAsDeepAsItsNearestFacet) {
    RandomShapes random(70);
    const Hull hull = ConvexHull::from_points(icosphere(3, 1.0F).vertices_m);
    const Gauss surface(*hull, Eigen::Isometry3f::Identity(), 1.0);
    for (int round = 0; round < 60; ++round) {
        const Vector3d middle = (round % 2 == 0 ? 1e-3F : 0.03F) * random.vector(1.0F).cast<double>();
        const double radius = double{random.between(0.01F, 3.0F)};
        double expected = 1e300;
        for (const auto& facet : surface.facets)
            expected = std::min(expected, radius + facet.normal.dot(facet.at - middle));
        const ConvexPair pair = closest(ConvexCore(*hull, Eigen::Isometry3d::Identity()),
                                        ConvexCore(RoundSegment{middle, middle, radius, radius}));
        ASSERT_NEAR(-pair.distance, expected, 1e-6 * (1.0 + radius)) << round;
        ASSERT_LT(outside_of(*hull, Eigen::Isometry3f::Identity(), pair.on_a), 1e-5) << round;
        ASSERT_NEAR((pair.on_b - middle).norm(), radius, 1e-5 * (1.0 + radius)) << round;
    }
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
