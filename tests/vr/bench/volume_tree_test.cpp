#include "vr/bench/obbtree/volume_tree.h"

#include <gtest/gtest.h>

namespace glovebox::vr {
namespace {

// The square of a uniform rotation's trace is 1 on average, and so is three times the square of each entry.
// Seen red: 0.72 and 0.71 for quaternions that are normalized points of a cube.
TEST(RandomRotation, IsUniform) {
    constexpr int kCount = 200'000;
    collision::Random random(3);
    double trace2 = 0.0;
    Eigen::Matrix3d entries2 = Eigen::Matrix3d::Zero();
    for (int i = 0; i < kCount; ++i) {
        const Eigen::Matrix3d rotation = random_rotation(random).cast<double>();
        ASSERT_NEAR(rotation.determinant(), 1.0, 1e-5);
        trace2 += rotation.trace() * rotation.trace();
        entries2 += rotation.cwiseAbs2();
    }
    EXPECT_NEAR(trace2 / kCount, 1.0, 0.02);
    EXPECT_LT((3.0 / kCount * entries2 - Eigen::Matrix3d::Ones()).cwiseAbs().maxCoeff(), 0.02);
}

}  // namespace
}  // namespace glovebox::vr
