#include "collision/query/rotation_between.h"

#include <gtest/gtest.h>

#include "tests/collision/random_shapes.h"

namespace glovebox::collision {
namespace {

using Eigen::Quaternionf;
using Eigen::Vector3f;

TEST(RotationBetween, IsEigensAndTurnsOneDirectionIntoTheOther) {
    RandomShapes random(29);
    for (int i = 0; i < 2'000; ++i) {
        const Vector3f before = random.vector(3.0F);
        // Every fourth direction is nearly or exactly opposite.
        const float off = i % 8 == 0 ? 0.0F : 3e-3F;
        const Vector3f after = i % 4 == 0 ? Vector3f(-2.0F * before + random.vector(off)) : random.vector(3.0F);
        const Quaternionf turn = rotation_between(before, after);
        ASSERT_NEAR(turn.norm(), 1.0F, 2e-5F) << i;
        ASSERT_LT((turn * before.normalized() - after.normalized()).norm(), 1e-4F) << i;
        const Quaternionf eigens = Quaternionf::FromTwoVectors(before, after);
        if (i % 4 != 0) {
            ASSERT_EQ(turn.coeffs(), eigens.coeffs()) << i;
        }
        // Opposite directions have many rotations of half a turn.
        ASSERT_NEAR(turn.w(), eigens.w(), 1e-3F) << i;
    }
    const Vector3f x = Vector3f::UnitX();
    EXPECT_EQ(rotation_between(x, Vector3f::Zero()).coeffs(), Quaternionf::Identity().coeffs());
    EXPECT_EQ(rotation_between(Vector3f::Zero(), x).coeffs(), Quaternionf::Identity().coeffs());
    EXPECT_EQ(rotation_between(x, x).coeffs(), Quaternionf::Identity().coeffs());
}

}  // namespace
}  // namespace glovebox::collision
