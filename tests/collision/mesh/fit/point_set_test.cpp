#include "collision/mesh/fit/point_set.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "collision/survey/fit/random.h"
#include "collision/survey/tree/sample_meshes.h"

namespace glovebox::collision {
namespace {

std::vector<Eigen::Vector3f> random_points(int count, Random& random, double offset_m = 0.0, double size_m = 1.0) {
    std::vector<Eigen::Vector3f> points;
    for (int i = 0; i < count; ++i)
        points.push_back(Eigen::Vector3d(offset_m + size_m * random.unit(), 0.3 * size_m * random.unit() - offset_m,
                                         0.1 * size_m * random.unit() + offset_m)
                             .cast<float>());
    return points;
}

Eigen::Matrix3f random_axes(Random& random) {
    Eigen::Quaterniond q(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1), random.between(-1, 1));
    return q.normalized().toRotationMatrix().cast<float>();
}

TEST(PointSet, SimdAndScalarLoopsGiveTheSameBits) {
    Random random(1);
    for (const int count : {1, 2, 3, 7, 15, 16, 17, 31, 32, 33, 100, 1000}) {
        for (int round = 0; round < 20; ++round) {
            PointSet points;
            points.assign(random_points(count, random));
            const Eigen::Matrix3f axes = random_axes(random);
            const Ranges simd = ranges_along(points, axes), scalar = ranges_along_scalar(points, axes);
            ASSERT_EQ(simd.low_m, scalar.low_m);
            ASSERT_EQ(simd.high_m, scalar.high_m);
            for (const int directions : {7, 13}) {
                const Extremes a = extremes(points, directions), b = extremes_scalar(points, directions);
                for (std::size_t k = 0; k < static_cast<std::size_t>(directions); ++k) {
                    ASSERT_EQ(a.lowest[k], b.lowest[k]) << count << " points, direction " << k;
                    ASSERT_EQ(a.highest[k], b.highest[k]) << count << " points, direction " << k;
                    ASSERT_LT(a.highest[k], count);
                }
            }
            ASSERT_EQ(large_triangle(points), large_triangle_scalar(points)) << count << " points";
            ASSERT_EQ(descend(points, axes), descend_scalar(points, axes)) << count << " points";
        }
    }
}

TEST(PointSet, ExtremePointsAreTheFurthestAlongTheirDirection) {
    Random random(2);
    const std::vector<Eigen::Vector3f> list = random_points(200, random);
    PointSet points;
    points.assign(list);
    const Extremes found = extremes(points, kMaxDirections);
    for (int k = 0; k < kMaxDirections; ++k) {
        const Eigen::Vector3f direction = fixed_direction(k);
        for (const auto& point : list)
            EXPECT_LE(
                direction.dot(point),
                direction.dot(list[static_cast<std::size_t>(found.highest[static_cast<std::size_t>(k)])]) + 1e-5F);
    }
}

TEST(PointSet, LargeTrianglesSpanTheSet) {
    Random random(5);
    for (int round = 0; round < 200; ++round) {
        const auto list = random_points(static_cast<int>(random.between(3, 60)), random);
        PointSet points;
        points.assign(list);
        const LargeTriangle found = large_triangle(points);
        const auto at = [&](std::size_t k) { return list[static_cast<std::size_t>(found[k])]; };
        float diameter_m = 0.0F;
        for (const auto& a : list)
            for (const auto& b : list) diameter_m = std::max(diameter_m, (a - b).norm());
        // Two sweeps find a chord of at least 1 / sqrt(3) of the diameter; no point is farther from its line.
        ASSERT_GE((at(1) - at(0)).norm(), 0.577F * diameter_m);
        const Eigen::Vector3f along = (at(1) - at(0)).normalized();
        const auto from_line_m = [&](const Eigen::Vector3f& p) { return along.cross(p - at(0)).norm(); };
        for (const auto& p : list) ASSERT_LE(from_line_m(p), from_line_m(at(2)) + 1e-6F);
    }
}

// The guarantee of every box: evaluated in double, its stored float slabs contain every point, with no tolerance.
TEST(PointSet, EnclosingBoxesHoldEveryPointAtAnyDistanceFromTheOrigin) {
    Random random(3);
    int tight = 0, boxes = 0;
    for (const double offset_m : {0.0, 1.0, 10.0, 1000.0})
        for (const double size_m : {0.001, 0.1, 3.0, 1000.0})
            for (int round = 0; round < 200; ++round) {
                const auto list = random_points(static_cast<int>(random.between(1, 40)), random, offset_m, size_m);
                PointSet points;
                points.assign(list);
                const Obb box = enclose(points, random_axes(random));
                Eigen::Vector3d furthest = Eigen::Vector3d::Zero();
                for (const auto& point : list) {
                    const Eigen::Vector3d along =
                        box.axes.cast<double>().transpose() * (point.cast<double>() - box.center_m.cast<double>());
                    furthest = furthest.cwiseMax(along.cwiseAbs());
                }
                for (int k = 0; k < 3; ++k) ASSERT_LE(furthest[k], double{box.half_m[k]});
                ++boxes;
                // The padding is small: a few parts per million of the size and of the distance.
                if ((box.half_m.cast<double>() - furthest).maxCoeff() < 1e-5 * size_m + 1e-6 * offset_m) ++tight;
            }
    EXPECT_EQ(tight, boxes);
}

TEST(Descent, NeverReturnsALargerBoxAndFindsATurnedOne) {
    Random random(4);
    int found = 0;
    for (int round = 0; round < 200; ++round) {
        const Eigen::Matrix3f turn = random_axes(random);
        std::vector<Eigen::Vector3f> corners = box_mesh({3.0F, 2.0F, 1.0F}).vertices_m;
        for (Eigen::Vector3f& corner : corners) corner = turn * corner;
        PointSet points;
        points.assign(corners);
        // Start up to 0.4 rad away from the box whose corners are the points.
        const Eigen::Vector3f axis = random_axes(random).col(0);
        const Eigen::Matrix3f start =
            turn * Eigen::AngleAxisf(static_cast<float>(random.between(0.0, 0.4)), axis).toRotationMatrix();
        const Eigen::Matrix3f end = descend(points, start, 0.001);
        const float before_m2 = enclose(points, start).area_m2(), after_m2 = enclose(points, end).area_m2();
        ASSERT_LE(after_m2, before_m2 * 1.0001F);
        if (after_m2 < 1.01F * 88.0F) ++found;
        ASSERT_LT((end.transpose() * end - Eigen::Matrix3f::Identity()).cwiseAbs().maxCoeff(), 2e-6F);
        ASSERT_GT(end.determinant(), 0.0F);
    }
    EXPECT_GE(found, 190);
}

}  // namespace
}  // namespace glovebox::collision
