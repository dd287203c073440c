#include "collision/query/triangle_pair.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/collision/golden_cases.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3d;

using GoldenTrianglePair = GoldenTest;
INSTANTIATE_TEST_SUITE_P(Answers, GoldenTrianglePair, ::testing::Values(GoldenSource::made, GoldenSource::given),
                         golden_name);

TEST_P(GoldenTrianglePair, AgreesWithAnswersInRationalArithmetic) {
    YesAndNo hits;
    for (const nlohmann::json& golden : cases("triangle_triangle.jsonl")) {
        const auto read = [&](const char* key) {
            Triangle triangle;
            for (std::size_t i = 0; i < 3; ++i)
                for (std::size_t k = 0; k < 3; ++k) triangle[i][static_cast<int>(k)] = golden[key][i][k].get<double>();
            return triangle;
        };
        const Triangle a = read("a"), b = read("b");
        double size = 0.0, largest = 0.0;
        for (const Triangle* triangle : {&a, &b})
            for (const Vector3d& corner : *triangle)
                size = std::max(size, (corner - a[0]).norm()),
                largest = std::max(largest, corner.cwiseAbs().maxCoeff());
        const double tolerance = 1e-9 * size + 1e-12 * largest;
        const std::string what = golden["class"].get<std::string>() + ": " + golden.dump().substr(0, 400);
        const TriangleGap gap = closest(a, b);
        EXPECT_NEAR(gap.distance_m, golden["distance"].get<double>(), tolerance) << what;
        EXPECT_NEAR((gap.on_b - gap.on_a).norm(), gap.distance_m, tolerance) << what;
        // Exact, also if they touch in a point or are coplanar.
        EXPECT_EQ(triangles_touch(a, b), golden["hit"].get<bool>()) << what;
        EXPECT_EQ(triangles_touch(b, a), golden["hit"].get<bool>()) << what;
        hits.count(golden["hit"].get<bool>());
    }
    hits.expect_both();
}

TEST(TrianglePair, OverlapAndDistanceAgree) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    int hits = 0;
    for (int round = 0; round < 20000; ++round) {
        Triangle a, b;
        for (std::size_t i = 0; i < 3; ++i) {
            a[i] = {unit(random), unit(random), unit(random)};
            b[i] = {unit(random), unit(random), unit(random)};
        }
        if (round % 10 == 0) a[2] = 0.5 * (a[0] + a[1]);
        const double distance = distance_m(a, b);
        const bool meet = triangles_touch(a, b);
        if (distance > 1e-12) {
            ASSERT_FALSE(meet) << round;
        }
        if (!meet) {
            ASSERT_GT(distance, 0.0) << round;
        }
        ASSERT_EQ(meet, triangles_touch(b, a));
        hits += meet ? 1 : 0;
    }
    EXPECT_GT(hits, 2000);
}

TEST(TrianglePair, TouchingAndCoplanarTrianglesMeet) {
    const Triangle floor = {Vector3d(0, 0, 0), {1, 0, 0}, {0, 1, 0}};
    EXPECT_TRUE(triangles_touch(floor, {Vector3d(0.2, 0.2, 0), {0.2, 0.2, 1}, {0.3, 0.2, 1}}));  // a corner on the face
    EXPECT_TRUE(triangles_touch(floor, {Vector3d(1, 0, 0), {2, 0, 0}, {2, 1, 0}}));              // corner to corner
    EXPECT_TRUE(triangles_touch(floor, {Vector3d(0.1, 0.1, 0), {0.2, 0.1, 0}, {0.1, 0.2, 0}}));  // inside, coplanar
    EXPECT_FALSE(triangles_touch(floor, {Vector3d(1.01, 0, 0), {2, 0, 0}, {2, 1, 0}}));          // coplanar, apart
    EXPECT_FALSE(triangles_touch(floor, {Vector3d(0.2, 0.2, 1e-9), {0.2, 0.2, 1}, {0.3, 0.2, 1}}));  // just above
    EXPECT_TRUE(
        triangles_touch(floor, {Vector3d(0.2, 0.2, -1), {0.2, 0.2, 0.5}, {0.2, 0.2, 1}}));  // a segment through it
    EXPECT_FALSE(
        triangles_touch(floor, {Vector3d(0.8, 0.8, -1), {0.8, 0.8, 0.5}, {0.8, 0.8, 1}}));       // a segment past it
    EXPECT_TRUE(triangles_touch(floor, {Vector3d(0.2, 0.2, 0), {0.2, 0.2, 0}, {0.2, 0.2, 0}}));  // a point on it
}

}  // namespace
}  // namespace glovebox::collision
