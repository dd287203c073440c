#include "tracking/axes.h"

#include <gtest/gtest.h>

namespace glovebox::tracking {
namespace {

using Eigen::Vector3f;

TEST(Axes, EveryRowIsReadAndSaysWhetherItMirrors) {
    for (const AxesRow& row : axes_table()) {
        const auto axes = find_axes(row.name);
        ASSERT_TRUE(axes) << row.name;
        EXPECT_EQ(*axes, *find_axes(row.letters));
        EXPECT_TRUE((axes->ours_from_file * axes->ours_from_file.transpose()).isIdentity());
        EXPECT_EQ(axes->mirrors(), row.summary.starts_with("left-handed")) << row.name;
    }
    EXPECT_TRUE(find_axes("auto")->as_they_are());
}

TEST(Axes, ForwardAndUpOfEachEngineBecomeOurs) {
    const Vector3f forward = -Vector3f::UnitZ(), up = Vector3f::UnitY(), right = Vector3f::UnitX();
    const auto unity = find_axes("unity")->ours_from_file, unreal = find_axes("unreal")->ours_from_file,
               z_up = find_axes("z-up")->ours_from_file;
    EXPECT_EQ(unity * Vector3f::UnitZ(), forward);
    EXPECT_EQ(unreal * Vector3f::UnitX(), forward);
    EXPECT_EQ(unreal * Vector3f::UnitY(), right);
    EXPECT_EQ(unreal * Vector3f::UnitZ(), up);
    EXPECT_EQ(z_up * Vector3f::UnitY(), forward);
    EXPECT_EQ(z_up * Vector3f::UnitZ(), up);
}

TEST(Axes, WhatIsNotThreeDifferentAxesIsRefused) {
    for (const char* text : {"", "xy", "xyy", "xyzx", "xy-", "--xyz", "XYZ", "x y z", "mirror", "xyz-"})
        EXPECT_FALSE(find_axes(text)) << text;
}

TEST(Axes, ATurnedPoseMovesTurnedPointsToTheTurnedPlace) {
    Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
    pose.linear() = Eigen::AngleAxisf(0.7F, Vector3f(1, 2, 3).normalized()).toRotationMatrix();
    pose.translation() = Vector3f(0.1F, -0.2F, 0.3F);
    const Vector3f point(0.4F, 0.5F, -0.6F);
    for (const char* text : {"unity", "unreal", "z-up", "-xyz"}) {
        const Axes axes = *find_axes(text);
        const Eigen::Isometry3f turned = axes.turned(pose);
        EXPECT_TRUE((turned * (axes.ours_from_file * point)).isApprox(axes.ours_from_file * (pose * point), 1e-6F));
        EXPECT_NEAR(turned.linear().determinant(), 1.0F, 1e-5F);
    }
}

}  // namespace
}  // namespace glovebox::tracking
