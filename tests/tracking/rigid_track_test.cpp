#include "tracking/rigid_track.h"

#include <gtest/gtest.h>

namespace glovebox::tracking {
namespace {

TEST(RigidTrack, HoldsTheEndsAndInterpolatesBetween) {
    RigidTrack track;
    track.time_ns = {0, 100};
    track.world_from_object.assign(2, Eigen::Isometry3f::Identity());
    track.world_from_object[1].translate(Eigen::Vector3f(2, 0, 0));
    track.world_from_object[1].rotate(Eigen::AngleAxisf(1.0F, Eigen::Vector3f::UnitY()));
    EXPECT_TRUE(track.at(-5).isApprox(track.world_from_object[0]));
    EXPECT_TRUE(track.at(100).isApprox(track.world_from_object[1]));
    EXPECT_FLOAT_EQ(track.at(25).translation().x(), 0.5F);
    EXPECT_NEAR(Eigen::AngleAxisf(track.at(50).linear()).angle(), 0.5F, 1e-6F);
}

TEST(RigidTrack, EmptyIsIdentity) {
    EXPECT_TRUE(RigidTrack{}.at(7).isApprox(Eigen::Isometry3f::Identity()));
}

}  // namespace
}  // namespace glovebox::tracking
