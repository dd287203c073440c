#include "collision/box.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace glovebox::collision
