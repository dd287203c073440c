#include "collision/query/box_triangle.h"

#include <gtest/gtest.h>

#include "collision/query/convex.h"
#include "tests/collision/random_shapes.h"

namespace glovebox::collision {
namespace {

TEST(BoxTriangle, TheGapAlongAxesIsTheDepthWhereTheyOverlapAndNeverMoreThanTheDistance) {
    RandomShapes random(81);
    int overlapping = 0, apart = 0, seen_apart = 0, ways_out = 0;
    std::array<std::array<int, 3>, 2> by_kind{};  // [overlapping, apart][box face, triangle face, edges]
    for (int i = 0; i < 20'000; ++i) {
        const Obb box = random.box(0.02F, 0.5F, 0.3F);
        Triangle triangle;
        for (Eigen::Vector3d& corner : triangle) corner = random.vector(0.8F).cast<double>();
        if (i % 20 == 0) triangle[2] = 0.3 * triangle[0] + 0.7 * triangle[1];                   // a line
        if (i % 20 == 1) triangle[1] = triangle[2] = triangle[0];                               // a point
        if (i % 20 == 2) triangle[1] = triangle[0] + 0.5 * box.axes.col(0).cast<double>();      // along an edge
        if (i % 20 == 3) triangle[2] = triangle[0] + 1e-6 * random.direction().cast<double>();  // a needle
        const AxisGap along = gap_along_axes(box, triangle);
        const double gap = along.gap_m;
        const ConvexPair expected = closest(ConvexCore(box), ConvexCore(triangle));
        const double exact = expected.distance;
        ASSERT_LE(gap, exact + 1e-6) << i;
        const ConvexPair pair = closest(box, triangle, along);
        ASSERT_NEAR(pair.distance, exact, 1e-6) << i;
        ASSERT_LT((pair.on_b - pair.on_a - pair.distance * pair.normal).norm(), 1e-6) << i;
        if (i % 20 > 3) {
            // The witness points are on the box and on the triangle.
            const ConvexPair a = closest(ConvexCore(box), ConvexCore(Triangle{pair.on_a, pair.on_a, pair.on_a}));
            ASSERT_LT(std::abs(a.distance), 1e-6) << i << " " << along.edge << along.axis;
            ASSERT_LT((closest_on_triangle(pair.on_b, triangle).point - pair.on_b).norm(), 1e-6) << i;
            const bool closed_form = pair.distance == gap;
            if (closed_form) ++by_kind[exact < 0.0 ? 0 : 1][along.edge >= 0 ? 2 : (along.axis < 0 ? 1 : 0)];
            if (exact < 0.0) {
                ways_out += closed_form ? 1 : 0;
                // Moved by that displacement, the triangle is outside.
                Triangle moved = triangle;
                for (Eigen::Vector3d& corner : moved) corner -= (pair.distance - 1e-5) * pair.normal;
                ASSERT_GT(closest(ConvexCore(box), ConvexCore(moved)).distance, 0.0) << i;
            }
        }
        if (exact < 0.0 && i % 20 > 3) {
            ++overlapping;
            ASSERT_NEAR(gap, exact, 1e-6) << i;
        } else if (exact > 1e-6) {
            ++apart;
            seen_apart += gap > 0.0 ? 1 : 0;
        }
    }
    EXPECT_GT(overlapping, 2000);
    EXPECT_GT(ways_out, overlapping * 98 / 100);
    for (const auto& kinds : by_kind)
        for (const int found : kinds) EXPECT_GT(found, 100);
    EXPECT_GT(apart, 2000);
    EXPECT_EQ(seen_apart, apart);  // the set of axes is complete
}

}  // namespace
}  // namespace glovebox::collision
