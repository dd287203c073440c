#include "collision/exact/box_triangle.h"

#include <gtest/gtest.h>

#include "collision/exact/convex.h"
#include "tests/collision/random_shapes.h"

namespace glovebox::collision {
namespace {

TEST(BoxTriangle, TheGapAlongAxesIsTheDepthWhereTheyOverlapAndNeverMoreThanTheDistance) {
    RandomShapes random(81);
    int overlapping = 0, apart = 0, seen_apart = 0;
    for (int i = 0; i < 20'000; ++i) {
        const Obb box = random.box(0.02F, 0.5F, 0.3F);
        Triangle triangle;
        for (Eigen::Vector3d& corner : triangle) corner = random.vector(0.8F).cast<double>();
        if (i % 20 == 0) triangle[2] = 0.3 * triangle[0] + 0.7 * triangle[1];                   // a line
        if (i % 20 == 1) triangle[1] = triangle[2] = triangle[0];                               // a point
        if (i % 20 == 2) triangle[1] = triangle[0] + 0.5 * box.axes.col(0).cast<double>();      // along an edge
        if (i % 20 == 3) triangle[2] = triangle[0] + 1e-6 * random.direction().cast<double>();  // a needle
        const double gap = gap_along_axes(box, triangle);
        const double exact = closest(ConvexCore(box), ConvexCore(triangle)).distance;
        ASSERT_LE(gap, exact + 1e-6) << i;
        if (exact < 0.0 && i % 20 > 3) {
            ++overlapping;
            ASSERT_NEAR(gap, exact, 1e-6) << i;
        } else if (exact > 1e-6) {
            ++apart;
            seen_apart += gap > 0.0 ? 1 : 0;
        }
    }
    EXPECT_GT(overlapping, 2000);
    EXPECT_GT(apart, 2000);
    EXPECT_EQ(seen_apart, apart);  // the axes are complete
}

}  // namespace
}  // namespace glovebox::collision
