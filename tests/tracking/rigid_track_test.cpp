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

// A pose that an application writes to a track and to a scene must be the same in both.
TEST(RigidTrack, ReturnsEachSampleUnchangedAtItsTime) {
    RigidTrack track;
    for (int i = 0; i < 50; ++i) {
        track.time_ns.push_back(1000 * std::int64_t{i});
        const Eigen::Vector4f numbers(0.3F, -0.1F * static_cast<float>(i % 7), 0.2F,
                                      1.0F - 0.03F * static_cast<float>(i));
        track.world_from_object.push_back(Eigen::Translation3f(0.1F * static_cast<float>(i), 1.0F, -2.0F) *
                                          Eigen::Quaternionf(numbers).normalized());
    }
    for (std::size_t i = 0; i < track.time_ns.size(); ++i)
        EXPECT_EQ(track.at(track.time_ns[i]).matrix(), track.world_from_object[i].matrix()) << i;
}

TEST(RigidTrack, EmptyIsIdentity) {
    EXPECT_TRUE(RigidTrack{}.at(7).isApprox(Eigen::Isometry3f::Identity()));
}

}  // namespace
}  // namespace glovebox::tracking
