#include "collision/survey/clips/swept_tree.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "tests/collision/survey/clips/moving_bones.h"

namespace glovebox::collision::clips {
namespace {

bool ball_in_ball(const Eigen::Vector3f& center_m, float radius_m, const Eigen::Vector3f& in_m, float in_radius_m) {
    return (center_m - in_m).cast<double>().norm() + static_cast<double>(radius_m) <= static_cast<double>(in_radius_m);
}

// A cone contains another if its end balls contain the other's. Far from the origin, rounding is worst.
TEST(SweptTree, EveryNodeHoldsItsBonesInAllItsFrames) {
    Dice dice(1);
    for (const float far_m : {0.0F, 3.0F, 1000.0F}) {
        const MovingBones body = moving_bones(dice, 333, {far_m, 0, -far_m}, 0.3F);
        const SweptTree tree = body.tree(7);
        const SweptTreeView view = tree.view();
        int checked = 0;
        for (std::size_t n = 0; n < view.nodes.size(); ++n)
            for (std::int32_t frame = view.nodes[n].first; frame < view.nodes[n].end; ++frame) {
                const BodyPose& pose = body.poses[static_cast<std::size_t>(frame)];
                for (std::int32_t bone = 0; bone < MovingBones::kBones; ++bone) {
                    if (pose.bone_present[static_cast<std::size_t>(bone)] == 0) continue;
                    const Shape& shape = pose.shapes[static_cast<std::size_t>(bone)];
                    const RoundCone held = enclosing_cone(shape);
                    const RoundCone& cone = view.cones_of(static_cast<std::int32_t>(n))[static_cast<std::size_t>(bone)];
                    ASSERT_TRUE(ball_in_ball(held.a_m, held.radius_a_m, cone.a_m, cone.radius_a_m));
                    ASSERT_TRUE(ball_in_ball(held.b_m, held.radius_b_m, cone.b_m, cone.radius_b_m));
                    const Aabb tight = aabb_of(shape);
                    ASSERT_TRUE((tight.min_m.array() >= view.boxes[n].min_m.array()).all());
                    ASSERT_TRUE((tight.max_m.array() <= view.boxes[n].max_m.array()).all());
                    ++checked;
                }
            }
        EXPECT_GT(checked, 10000);
    }
}

TEST(SweptTree, TheConeRoundARoundedBoxHoldsItsCorners) {
    Dice dice(2);
    for (int k = 0; k < 1000; ++k) {
        RoundedBox box;
        box.core.center_m = {static_cast<float>(dice.normal()), static_cast<float>(dice.normal()), 100.0F};
        box.core.axes = Eigen::Quaternionf::UnitRandom().toRotationMatrix();
        for (int i = 0; i < 3; ++i) box.core.half_m[i] = static_cast<float>(dice.uniform(0.0, 0.1));
        box.radius_m = static_cast<float>(dice.uniform(0.0, 0.02));
        const RoundCone cone = enclosing_cone(box);
        EXPECT_EQ(cone.radius_a_m, cone.radius_b_m);
        const Eigen::Vector3d a = cone.a_m.cast<double>(), along = cone.b_m.cast<double>() - a;
        for (int corner = 0; corner < 8; ++corner) {
            const Eigen::Vector3f sign(corner & 1 ? 1.0F : -1.0F, corner & 2 ? 1.0F : -1.0F, corner & 4 ? 1.0F : -1.0F);
            const Eigen::Vector3d at =
                (box.core.center_m + box.core.axes * box.core.half_m.cwiseProduct(sign)).cast<double>();
            const double s = along.norm() > 0.0 ? std::clamp((at - a).dot(along) / along.squaredNorm(), 0.0, 1.0) : 0.0;
            EXPECT_LE((a + s * along - at).norm() + static_cast<double>(box.radius_m),
                      static_cast<double>(cone.radius_a_m) + 1e-5);
        }
    }
}

TEST(SweptTree, TheBallRoundTwoHoldsBothAndIsNoLargerThanNeeded) {
    const Ball both = enclosing_ball({{0, 0, 0}, 1.0F}, {{4, 0, 0}, 0.5F});
    EXPECT_NEAR(both.radius_m, 2.75, 1e-5);
    EXPECT_NEAR(both.center_m.x(), 1.75, 1e-5);
    EXPECT_EQ(enclosing_ball({{0, 0, 0}, 3.0F}, {{1, 0, 0}, 0.5F}).radius_m, 3.0F);
    EXPECT_EQ(enclosing_ball({{1, 0, 0}, 0.5F}, {{0, 0, 0}, 3.0F}).radius_m, 3.0F);
    EXPECT_EQ(enclosing_ball({{1, 0, 0}, 0.0F}, {{1, 0, 0}, 0.0F}).radius_m, 0.0F);
}

TEST(SweptTree, BonesThatAreNeverThereHaveNoCone) {
    Dice dice(3);
    MovingBones body = moving_bones(dice, 40, {0, 0, 0}, 0.1F, 0.0);
    for (BodyPose& pose : body.poses) pose.bone_present[2] = 0;
    const SweptTree tree = body.tree(8);
    for (std::size_t n = 0; n < tree.view().nodes.size(); ++n) {
        EXPECT_LT(tree.view().cones_of(static_cast<std::int32_t>(n))[2].radius_a_m, 0.0F);
        EXPECT_GE(tree.view().cones_of(static_cast<std::int32_t>(n))[1].radius_a_m, 0.0F);
    }
}

TEST(SweptTree, OneFrameAndFullLeavesAreTrees) {
    Dice dice(4);
    for (const int frames : {1, 2, 15, 16, 17, 32, 33, 1000}) {
        const SweptTree tree = moving_bones(dice, frames, {0, 0, 0}, 0.1F).tree();
        EXPECT_TRUE(well_formed(tree.view(), frames)) << frames;
        EXPECT_FALSE(well_formed(tree.view(), frames + 1)) << frames;
        for (const SweptNode& node : tree.view().nodes) {
            if (!node.leaf()) continue;
            EXPECT_LE(node.end - node.first, 16);
        }
    }
}

TEST(SweptTree, BrokenTreesAreNotWellFormed) {
    Dice dice(5);
    const SweptTree tree = moving_bones(dice, 100, {0, 0, 0}, 0.1F).tree();
    const SweptTreeView good = tree.view();
    for (const std::int32_t second : {-1, 1, 0x7fffffff}) {
        std::vector<SweptNode> nodes(good.nodes.begin(), good.nodes.end());
        nodes[0].second = second;
        SweptTreeView broken = good;
        broken.nodes = nodes;
        EXPECT_FALSE(well_formed(broken, 100)) << second;
    }
    SweptTreeView shorter = good;
    shorter.cones = good.cones.first(good.cones.size() - 1);
    EXPECT_FALSE(well_formed(shorter, 100));
}

TEST(SweptTree, BadMotionIsRefusedWithItsFrameAndBone) {
    Dice dice(6);
    EXPECT_THROW(SweptTree::build(3, 0, {}), std::invalid_argument);
    EXPECT_THROW(SweptTree::build(65, 1, {}), std::invalid_argument);
    MovingBones body = moving_bones(dice, 40, {0, 0, 0}, 0.1F, 0.0);
    std::get<RoundCone>(body.poses[33].shapes[2]).a_m.x() = std::numeric_limits<float>::quiet_NaN();
    try {
        body.tree();
        FAIL() << "NaN went through";
    } catch (const std::invalid_argument& e) {
        EXPECT_STREQ(e.what(), "swept tree: frame 33, bone 2: not finite, or a negative radius");
    }
    body.poses[33].bone_present[2] = 0;
    EXPECT_NO_THROW(body.tree()) << "a bone that is not there has no numbers";
}

}  // namespace
}  // namespace glovebox::collision::clips
