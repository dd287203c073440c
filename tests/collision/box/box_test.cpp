#include "collision/box/box.h"

#include <gtest/gtest.h>

#include "tests/collision/random_shapes.h"

namespace glovebox::collision {
namespace {

TEST(BoxOverlap, TouchingFacesOverlap) {
    const Obb a{{0, 0, 0}, Eigen::Matrix3f::Identity(), {1, 1, 1}};
    EXPECT_TRUE(overlap(a, {{2, 0, 0}, Eigen::Matrix3f::Identity(), {1, 1, 1}}));
    EXPECT_FALSE(overlap(a, {{2.01F, 0, 0}, Eigen::Matrix3f::Identity(), {1, 1, 1}}));
}

TEST(BoxOverlap, NanIsApart) {
    const Obb a{{0, 0, 0}, Eigen::Matrix3f::Identity(), {1, 1, 1}};
    Obb b = a;
    b.center_m.y() = std::numeric_limits<float>::quiet_NaN();
    EXPECT_FALSE(overlap(a, b));
}

TEST(BoundingBox, OfAConeHoldsItAndIsTightInEverySize) {
    RandomShapes random(93);
    int balls = 0, long_ones = 0;
    for (int round = 0; round < 20'000; ++round) {
        const float size = random.size(1e-9F, 1e-3F);
        RoundCone cone = random.cone(size, size * random.size(1e-3F, 1.0F), 0.0F);
        if (round % 8 == 0) cone.b_m = cone.a_m;
        if (round % 4 == 1)
            cone.b_m = cone.a_m + Eigen::Vector3f::Unit(round / 4 % 3) * (round % 16 < 8 ? size : -size);
        const Obb box = bounding_box(cone, random.direction());
        ASSERT_LT((box.axes.transpose() * box.axes - Eigen::Matrix3f::Identity()).cwiseAbs().maxCoeff(), 1e-5F);
        const double length = (cone.b_m - cone.a_m).cast<double>().norm();
        const double reach = length + double{std::max(cone.radius_a_m, cone.radius_b_m)};
        double room = 1e300, spare = 0.0;
        for (int axis = 0; axis < 3; ++axis)
            for (const double side : {-1.0, 1.0}) {
                const Eigen::Vector3d n = side * box.axes.col(axis).cast<double>();
                const double top = n.dot(box.center_m.cast<double>()) + double{box.half_m[axis]};
                const double cone_top = std::max(n.dot(cone.a_m.cast<double>()) + double{cone.radius_a_m},
                                                 n.dot(cone.b_m.cast<double>()) + double{cone.radius_b_m});
                room = std::min(room, top - cone_top);
                spare = std::max(spare, axis == 0 ? top - cone_top : 0.0);
            }
        ASSERT_GE(room, -1e-6 * reach) << "length " << length << " along "
                                       << (cone.b_m - cone.a_m).normalized().transpose() << ", radii "
                                       << cone.radius_a_m << ", " << cone.radius_b_m;
        ASSERT_LE(spare, 1e-5 * reach) << "along the cone";
        (length == 0.0 ? balls : long_ones) += 1;
    }
    EXPECT_GT(balls, 1'000);
    EXPECT_GT(long_ones, 10'000);
}

}  // namespace
}  // namespace glovebox::collision
