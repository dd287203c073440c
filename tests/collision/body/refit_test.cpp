// Refits of whole bodies: partial refits equal full ones, batches equal single bodies, and all methods agree.
#include "collision/body/refit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "collision/body/refit_lanes.h"
#include "tests/collision/made_bodies.h"

namespace glovebox::collision {
namespace {

using Eigen::Isometry3f;
using Eigen::Vector3f;

constexpr int kLinks = 20;

// Rigid links in a row, each bent relative to the previous one.
struct Links {
    RigidBones bones;
    std::vector<Isometry3f> world_from_bone;
};
Links random_links(RandomShapes& random) {
    Links links;
    Isometry3f at = random.pose(1.0F);
    for (int i = 0; i < kLinks; ++i) {
        links.bones.box_in_bone.push_back(
            {Vector3f(0.03F, 0, 0), Eigen::Matrix3f::Identity(), {0.035F, 0.01F, 0.008F}});
        links.bones.joint_in_bone.emplace_back(0.06F, 0.0F, 0.0F);
        links.bones.bone_of_joint.push_back(i);
        links.world_from_bone.push_back(at);
        at =
            at * Eigen::Translation3f(0.06F, 0, 0) * Eigen::AngleAxisf(random.between(-0.9F, 0.9F), random.direction());
    }
    return links;
}

BodyPose pose_of(const Links& links) {
    BodyPose pose;
    for (std::size_t i = 0; i < links.world_from_bone.size(); ++i) {
        pose.leaf_boxes.push_back(transformed(links.world_from_bone[i], links.bones.box_in_bone[i]));
        const Obb& box = pose.leaf_boxes.back();
        pose.shapes.push_back(
            RoundCone{box.center_m - 0.02F * box.axes.col(0), box.center_m + 0.02F * box.axes.col(0), 0.008F, 0.008F});
        pose.joints_m.push_back(links.world_from_bone[i] * links.bones.joint_in_bone[i]);
        pose.bone_present.push_back(1);
    }
    return pose;
}

bool same_bits(const Obb& a, const Obb& b) {
    return std::memcmp(&a, &b, sizeof(Obb)) == 0;
}
bool same_bits(const Aabb& a, const Aabb& b) {
    return a.min_m == b.min_m && a.max_m == b.max_m;
}

// Moves some links from one pose to another and marks those that moved.
BodyPose partly_moved(RandomShapes& random, const BodyPose& from, const BodyPose& to) {
    BodyPose pose = from;
    pose.bone_moved.assign(kLinks, 0);
    const auto first = static_cast<std::size_t>(random.between(0.0F, kLinks - 1.0F));
    const auto last = std::min<std::size_t>(kLinks, first + 1 + static_cast<std::size_t>(random.between(0.0F, 5.0F)));
    for (std::size_t i = first; i < last; ++i) {
        pose.leaf_boxes[i] = to.leaf_boxes[i];
        pose.shapes[i] = to.shapes[i];
        pose.joints_m[i] = to.joints_m[i];
        pose.bone_moved[i] = 1;
        // A joint moves with either of its two bones.
        if (i + 1 < kLinks) pose.bone_moved[i + 1] = 1;
    }
    return pose;
}

TEST(Refit, OfWhatMovedIsBitByBitThatOfEverything) {
    RandomShapes random(51);
    const ArticulatedBody body = make_chain(kLinks);
    for (const RefitMethod& method : refit_methods()) {
        int spared = 0;
        for (int round = 0; round < 100; ++round) {
            const BodyPose before = pose_of(random_links(random));
            BodyPose after = partly_moved(random, before, pose_of(random_links(random)));
            BodyBoxes some, all;
            method.refit(body, before, some);
            const int computed = method.refit(body, after, some);
            after.bone_moved.clear();
            const int everything = method.refit(body, after, all);
            spared += everything - computed;
            ASSERT_LE(computed, everything);
            for (std::size_t i = 0; i < all.obb.size(); ++i) ASSERT_TRUE(same_bits(some.obb[i], all.obb[i])) << i;
            for (std::size_t i = 0; i < all.aabb.size(); ++i) ASSERT_TRUE(same_bits(some.aabb[i], all.aabb[i])) << i;
        }
        if (method.kind == BoxKind::aligned || method.kind == BoxKind::oriented) {
            EXPECT_GT(spared, 500) << method.name << ": nothing was spared";
        }
    }
}

TEST(Refit, OfABodyAtRestComputesNothing) {
    RandomShapes random(52);
    const ArticulatedBody body = make_chain(kLinks);
    BodyPose pose = pose_of(random_links(random));
    for (const RefitMethod& method : refit_methods()) {
        BodyBoxes boxes;
        pose.bone_moved.clear();
        const int first = method.refit(body, pose, boxes);
        pose.bone_moved.assign(kLinks, 0);
        EXPECT_EQ(method.refit(body, pose, boxes), 0) << method.name;
        if (method.kind == BoxKind::oriented) {
            EXPECT_EQ(first, kLinks - 1) << method.name;
        }
    }
}

TEST(Refit, SeesABoneThatComesAndGoesAlsoWhenNothingMoved) {
    RandomShapes random(53);
    const ArticulatedBody body = make_chain(kLinks);
    BodyPose pose = pose_of(random_links(random));
    for (const RefitMethod& method : refit_methods()) {
        BodyBoxes some, all;
        pose.bone_moved.clear();
        method.refit(body, pose, some);
        pose.bone_moved.assign(kLinks, 0);
        pose.bone_present[7] = 0;
        method.refit(body, pose, some);
        BodyPose fresh = pose;
        fresh.bone_moved.clear();
        method.refit(body, fresh, all);
        EXPECT_EQ(some.present, all.present) << method.name;
        for (std::size_t i = 0; i < all.obb.size(); ++i)
            if (all.present[i] != 0 && method.kind == BoxKind::oriented) {
                EXPECT_NEAR((some.obb[i].center_m - all.obb[i].center_m).norm(), 0.0F, 1e-5F) << method.name << i;
            }
        pose.bone_present[7] = 1;
    }
}

TEST(BodyBatch, EqualsTheBodiesOneByOne) {
    RandomShapes random(54);
    const ArticulatedBody body = make_chain(kLinks);
    // Not a multiple of any SIMD width.
    for (const int bodies : {1, 8, 21}) {
        std::vector<Links> all;
        std::vector<const Isometry3f*> poses;
        for (int i = 0; i < bodies; ++i) all.push_back(random_links(random));
        for (const Links& links : all) poses.push_back(links.world_from_bone.data());
        BodyBatch batch(body, all.front().bones, bodies);
        batch.refit(poses);
        int compared = 0;
        for (int i = 0; i < bodies; ++i) {
            BodyBoxes boxes;
            refit_methods().front().refit(body, pose_of(all[static_cast<std::size_t>(i)]), boxes);
            for (int node = 0; node < body.node_count(); ++node) {
                const Obb single = boxes.obb[static_cast<std::size_t>(node)], together = batch.box(i, node);
                // A tie resolved differently gives another box of nearly the same size.
                ASSERT_NEAR(together.area_m2(), single.area_m2(), 0.05F * single.area_m2()) << node;
                if ((together.center_m - single.center_m).norm() < 1e-5F) ++compared;
            }
        }
        EXPECT_GT(compared, bodies * body.node_count() * 9 / 10);
    }
}

TEST(RefitRigid, EqualsTheRowCabOnTheSamePose) {
    RandomShapes random(55);
    const ArticulatedBody body = make_chain(kLinks);
    int compared = 0;
    for (int round = 0; round < 50; ++round) {
        const Links links = random_links(random);
        BodyBoxes rigid, row;
        refit_cab_rigid(body, links.bones, links.world_from_bone.data(), rigid);
        refit_methods().front().refit(body, pose_of(links), row);
        EXPECT_EQ(rigid.present, row.present);
        for (std::size_t i = 0; i < row.obb.size(); ++i) {
            ASSERT_NEAR(rigid.obb[i].area_m2(), row.obb[i].area_m2(), 0.05F * row.obb[i].area_m2()) << i;
            compared += (rigid.obb[i].center_m - row.obb[i].center_m).norm() < 1e-5F ? 1 : 0;
        }
    }
    EXPECT_GT(compared, 50 * body.node_count() * 9 / 10);
}

// Returns a pose as a tracker may report it for a lost bone.
Isometry3f not_finite(Isometry3f pose, int kind) {
    const float bad = std::array{std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                                 -std::numeric_limits<float>::infinity()}[static_cast<std::size_t>(kind % 3)];
    (kind % 2 == 0 ? pose.translation()[kind % 3] : pose.linear()(kind % 3, kind / 3 % 3)) = bad;
    return pose;
}

TEST(RefitRigid, AndBatchesMissTheBonesThatAreNotFiniteAndNoOthers) {
    RandomShapes random(56);
    const ArticulatedBody body = make_chain(kLinks);
    RefitPlan plan;
    plan.follow(body);
    constexpr int kBodies = 21;
    int compared = 0;
    for (int round = 0; round < 30; ++round) {
        std::vector<Links> all;
        std::vector<const Isometry3f*> poses;
        for (int i = 0; i < kBodies; ++i) all.push_back(random_links(random));
        for (const Links& links : all) poses.push_back(links.world_from_bone.data());
        const auto body_number = static_cast<std::size_t>(random.between(0.0F, kBodies - 0.01F));
        Links& links = all[body_number];
        BodyPose pose = pose_of(links);
        // One bone, or both of a pair, so that a node has no bones.
        const auto bone = static_cast<std::size_t>(random.between(0.0F, kLinks - 0.01F));
        for (const std::size_t lost : {bone, round % 2 == 0 ? bone ^ 1U : bone}) {
            pose.bone_present[lost] = 0;
            links.world_from_bone[lost] = not_finite(links.world_from_bone[lost], round);
        }
        BodyBoxes row, rigid;
        refit_methods().front().refit(body, pose, row);
        refit_cab_rigid(body, links.bones, links.world_from_bone.data(), rigid);
        BodyBatch batch(body, links.bones, kBodies);
        batch.refit(poses);
        ASSERT_EQ(rigid.present, row.present) << round;
        for (std::size_t i = 0; i < row.obb.size(); ++i) {
            const Obb& alone = rigid.obb[i];
            const Obb together = batch.box(static_cast<int>(body_number), static_cast<int>(i));
            ASSERT_EQ(all_finite(alone), row.present[i] != 0) << i;
            ASSERT_EQ(all_finite(together), row.present[i] != 0) << i;
            if (row.present[i] == 0) continue;
            for (std::size_t leaf = 0; leaf < kLinks; ++leaf) {
                const auto below = plan.leaves_below(static_cast<std::int32_t>(i));
                if (pose.bone_present[leaf] == 0 || std::find(below.begin(), below.end(), leaf) == below.end())
                    continue;
                ASSERT_LE(excess(alone, pose.leaf_boxes[leaf]), 1e-6) << i;
                ASSERT_LE(excess(together, pose.leaf_boxes[leaf]), 1e-6) << i;
                ++compared;
            }
        }
        // Other bodies in the same batch must be unaffected.
        for (int other = 0; other < kBodies; ++other) {
            const auto number = static_cast<std::size_t>(other);
            if (number == body_number) continue;
            BodyBoxes single;
            refit_methods().front().refit(body, pose_of(all[number]), single);
            const Obb root = batch.box(other, body.node_count() - 1);
            ASSERT_NEAR(root.area_m2(), single.obb.back().area_m2(), 0.05F * root.area_m2());
        }
    }
    EXPECT_GT(compared, 1000);
}

TEST(Refit, SeesABoneThatStopsBeingFiniteAndComesBack) {
    RandomShapes random(57);
    const ArticulatedBody body = make_chain(kLinks);
    const BodyPose good = pose_of(random_links(random));
    for (const RefitMethod& method : refit_methods()) {
        for (const bool says_what_moved : {false, true}) {
            BodyBoxes some, fresh;
            method.refit(body, good, some);
            BodyPose pose = good;
            if (says_what_moved) pose.bone_moved.assign(kLinks, 0);
            pose.leaf_boxes[7].center_m.x() = std::numeric_limits<float>::quiet_NaN();
            method.refit(body, pose, some);
            BodyPose without = good;
            without.bone_present[7] = 0;
            method.refit(body, without, fresh);
            EXPECT_EQ(some.present, fresh.present) << method.name;
            for (std::size_t i = 0; i < fresh.obb.size(); ++i)
                if (method.kind == BoxKind::oriented && fresh.present[i] != 0) {
                    EXPECT_NEAR((some.obb[i].center_m - fresh.obb[i].center_m).norm(), 0.0F, 1e-5F) << method.name << i;
                }
            // The bone is finite again; `bone_moved`, if given, says that it did not move.
            pose.leaf_boxes[7] = good.leaf_boxes[7];
            method.refit(body, pose, some);
            BodyBoxes again;
            method.refit(body, good, again);
            EXPECT_EQ(some.present, again.present) << method.name;
            for (std::size_t i = 0; i < again.aabb.size(); ++i)
                EXPECT_TRUE(same_bits(some.aabb[i], again.aabb[i])) << method.name << i;
            for (std::size_t i = 0; i < again.obb.size(); ++i)
                if (method.kind == BoxKind::oriented) {
                    EXPECT_NEAR((some.obb[i].center_m - again.obb[i].center_m).norm(), 0.0F, 1e-5F) << method.name << i;
                }
        }
    }
}

TEST(RefitPlan, TellsTheLeavesOfEveryNodeInOneRowOfBonesHoweverDeepTheHierarchy) {
    RandomShapes random(8);
    RefitPlan plan;
    for (const int bones : {1, 2, 20, 1500})
        for (const Tree tree : {Tree::left_comb, Tree::right_comb, Tree::random}) {
            const ArticulatedBody body = made_body(bones, tree, random);
            plan.follow(body);
            const auto row = plan.leaves_below(body.node_count() - 1);
            ASSERT_EQ(row.size(), static_cast<std::size_t>(bones));
            for (std::int32_t node = 0; node < body.node_count(); ++node) {
                const auto below = plan.leaves_below(node);
                ASSERT_GE(below.data(), row.data());
                ASSERT_LE(below.data() + below.size(), row.data() + row.size()) << "a row of its own for each node";
                std::vector<std::int32_t> expected = {node};
                if (node >= bones) {
                    const HierarchyNode& inner = body.nodes[static_cast<std::size_t>(node - bones)];
                    const auto a = plan.leaves_below(inner.child_a), b = plan.leaves_below(inner.child_b);
                    expected.assign(a.begin(), a.end());
                    expected.insert(expected.end(), b.begin(), b.end());
                }
                ASSERT_TRUE(std::ranges::equal(below, expected)) << node;
            }
        }
}

TEST(RefitPlan, HoldsEveryNodeOnceAfterItsChildrenAndFollowsTheBody) {
    RefitPlan plan;
    for (const int links : {1, 2, 3, 16, 20, 33}) {
        const ArticulatedBody body = make_chain(links);
        plan.follow(body);
        std::vector<int> done(static_cast<std::size_t>(body.node_count()), 0);
        std::fill(done.begin(), done.begin() + links, 1);
        for (const RefitPlan::Group& group : plan.groups()) {
            for (int lane = 0; lane < group.count; ++lane) {
                const HierarchyNode& node =
                    body.nodes[static_cast<std::size_t>(group.node[static_cast<std::size_t>(lane)] - links)];
                EXPECT_EQ(done[static_cast<std::size_t>(node.child_a)], 1);
                EXPECT_EQ(done[static_cast<std::size_t>(node.child_b)], 1);
            }
            for (int lane = 0; lane < group.count; ++lane)
                ++done[static_cast<std::size_t>(group.node[static_cast<std::size_t>(lane)])];
        }
        EXPECT_EQ(done, std::vector<int>(done.size(), 1));
        EXPECT_EQ(plan.leaves_below(body.node_count() - 1).size(), static_cast<std::size_t>(links));
    }
}

}  // namespace
}  // namespace glovebox::collision
