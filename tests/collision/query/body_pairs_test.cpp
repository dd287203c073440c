#include "collision/query/body_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/collision/made_bodies.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3f;

constexpr int kLinks = 12;

// Makes a chain of capsules on a random path, which intersects itself.
BodyPose random_chain(std::mt19937& random, const Vector3f& start_m) {
    std::uniform_real_distribution<float> unit(-1.0F, 1.0F);
    BodyPose pose;
    Vector3f at = start_m, along = Vector3f::UnitX();
    for (int i = 0; i < kLinks; ++i) {
        along = (along + Vector3f(unit(random), unit(random), unit(random))).normalized();
        pose.shapes.push_back(RoundCone{at, at + 0.1F * along, 0.02F, 0.015F});
        pose.leaf_boxes.push_back(bounding_box(pose.shapes.back()));
        at += 0.14F * along;
        pose.joints_m.push_back(at - 0.02F * along);
        pose.bone_present.push_back(1);
    }
    return pose;
}

std::vector<BonePair> touching_of(const std::vector<BonePair>& pairs, const BodyPose& a, const BodyPose& b,
                                  float within_m) {
    std::vector<BonePair> touching;
    CollideCounts counts;
    for (const BonePair& pair : pairs) {
        Contact contact;
        if (closest(a.shapes[static_cast<std::size_t>(pair.bone_a)], b.shapes[static_cast<std::size_t>(pair.bone_b)],
                    within_m, contact, counts))
            touching.push_back(pair);
    }
    return touching;
}

ArticulatedBody all_pairs_chain() {
    ArticulatedBody body = make_chain(kLinks);
    for (std::int32_t a = 0; a < kLinks; ++a)
        for (std::int32_t b = a + 1; b < kLinks; ++b) body.may_collide.emplace_back(a, b);
    return body;
}

TEST(BodyPairs, EveryMethodFindsTheSelfContactsOfBruteForce) {
    const ArticulatedBody body = all_pairs_chain();
    const PairMask mask(body);
    std::mt19937 random(1);
    std::size_t hits = 0, candidates = 0;
    for (int trial = 0; trial < 400; ++trial) {
        const BodyPose pose = random_chain(random, Vector3f::Zero());
        const float margin_m = trial % 2 == 0 ? 0.0F : 0.03F;
        std::vector<BonePair> expected;
        CollideCounts counts;
        BodyBoxes boxes;
        const RefitMethod& brute = *find_refit_method("brute");
        brute.refit(body, pose, boxes);
        find_self_candidates(brute, body, mask, boxes, margin_m, expected, counts);
        ASSERT_EQ(expected.size(), kLinks * (kLinks - 1) / 2);
        expected = touching_of(expected, pose, pose, margin_m);
        hits += expected.size();
        for (const RefitMethod& method : refit_methods()) {
            std::vector<BonePair> found;
            method.refit(body, pose, boxes);
            find_self_candidates(method, body, mask, boxes, margin_m, found, counts);
            EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
            EXPECT_EQ(std::adjacent_find(found.begin(), found.end()), found.end());
            if (method.kind != BoxKind::none) candidates += found.size();
            EXPECT_EQ(touching_of(found, pose, pose, margin_m), expected) << method.name << ", trial " << trial;
        }
        std::vector<BonePair> found;
        find_self_candidates(body, pose, margin_m, found, counts);
        EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
        EXPECT_EQ(touching_of(found, pose, pose, margin_m), expected) << "without a hierarchy, trial " << trial;
        EXPECT_LT(found.size(), kLinks * (kLinks - 1) / 2U);
    }
    EXPECT_GT(hits, 200U);
    EXPECT_LT(candidates, 400U * (refit_methods().size() - 1) * kLinks * (kLinks - 1) / 2 / 2) << "nothing was culled";
}

TEST(BodyPairs, OnlyWantedPairsAreListed) {
    ArticulatedBody body = make_chain(kLinks);
    body.may_collide = {{0, 5}, {2, 11}};
    const PairMask mask(body);
    std::mt19937 random(2);
    BodyPose pose = random_chain(random, Vector3f::Zero());
    for (std::size_t i = 0; i < pose.shapes.size(); ++i) {
        pose.shapes[i] = RoundCone{Vector3f::Zero(), Vector3f::UnitX(), 1.0F, 1.0F};  // all in the same place
        pose.leaf_boxes[i] = bounding_box(pose.shapes[i]);
    }
    for (const RefitMethod& method : refit_methods()) {
        BodyBoxes boxes;
        CollideCounts counts;
        std::vector<BonePair> found;
        method.refit(body, pose, boxes);
        find_self_candidates(method, body, mask, boxes, 0.0F, found, counts);
        EXPECT_EQ(found, (std::vector<BonePair>{{0, 5}, {2, 11}})) << method.name;
        EXPECT_EQ(counts.candidates, 2) << method.name;
    }
}

TEST(BodyPairs, EveryMethodFindsTheContactsOfTwoBodies) {
    const ArticulatedBody body = make_chain(kLinks);
    std::mt19937 random(3);
    std::size_t hits = 0;
    for (int trial = 0; trial < 200; ++trial) {
        const BodyPose a = random_chain(random, Vector3f::Zero()), b = random_chain(random, {0.05F, 0.05F, 0.0F});
        std::vector<BonePair> expected;
        CollideCounts counts;
        BodyBoxes boxes_a, boxes_b;
        const RefitMethod& brute = *find_refit_method("brute");
        brute.refit(body, a, boxes_a);
        brute.refit(body, b, boxes_b);
        find_body_candidates(brute, body, boxes_a, body, boxes_b, 0.0F, expected, counts);
        expected = touching_of(expected, a, b, 0.0F);
        hits += expected.size();
        for (const RefitMethod& method : refit_methods()) {
            std::vector<BonePair> found;
            method.refit(body, a, boxes_a);
            method.refit(body, b, boxes_b);
            find_body_candidates(method, body, boxes_a, body, boxes_b, 0.0F, found, counts);
            EXPECT_EQ(touching_of(found, a, b, 0.0F), expected) << method.name << ", trial " << trial;
        }
        std::vector<BonePair> found;
        find_body_candidates(a, b, 0.0F, found, counts);
        EXPECT_EQ(touching_of(found, a, b, 0.0F), expected) << "without a hierarchy, trial " << trial;
    }
    EXPECT_GT(hits, 100U);
}

TEST(BodyPairs, AbsentBonesHaveNoPairs) {
    const ArticulatedBody body = all_pairs_chain();
    const PairMask mask(body);
    std::mt19937 random(4);
    BodyPose pose = random_chain(random, Vector3f::Zero());
    for (std::size_t i = 0; i < pose.bone_present.size(); ++i) pose.bone_present[i] = i % 3 == 0 ? 1 : 0;
    for (const RefitMethod& method : refit_methods()) {
        BodyBoxes boxes;
        CollideCounts counts;
        std::vector<BonePair> found;
        method.refit(body, pose, boxes);
        find_self_candidates(method, body, mask, boxes, 1.0F, found, counts);
        EXPECT_EQ(found.size(), 6U) << method.name;  // all pairs of 0, 3, 6, 9
        for (const BonePair& pair : found) EXPECT_TRUE(pair.bone_a % 3 == 0 && pair.bone_b % 3 == 0);
    }
    std::vector<BonePair> found, of_two;
    CollideCounts counts;
    find_self_candidates(body, pose, 1.0F, found, counts);
    find_body_candidates(pose, pose, 1.0F, of_two, counts);
    EXPECT_EQ(found.size(), 6U);
    EXPECT_EQ(of_two.size(), 16U);
    for (const BonePair& pair : of_two) EXPECT_TRUE(pair.bone_a % 3 == 0 && pair.bone_b % 3 == 0);
}

TEST(BodyPairs, OfAnyHierarchyHoweverDeepAreThoseOfBruteForce) {
    RandomShapes random(5);
    std::size_t hits = 0;
    for (const int bones : {0, 1, 2, 20, 600, 1500}) {
        const BodyPose pose = strewn_bones(bones, 0.2F, random);
        for (const Tree tree : {Tree::left_comb, Tree::right_comb, Tree::random}) {
            ArticulatedBody body = made_body(bones, tree, random);
            for (std::int32_t a = 0; a < bones; ++a)
                for (std::int32_t b = a + 1; b < bones; b += 1 + bones / 100) body.may_collide.emplace_back(a, b);
            const PairMask mask(body);
            std::vector<BonePair> expected, expected_of_two;
            CollideCounts counts;
            BodyBoxes boxes;
            const RefitMethod& brute = *find_refit_method("brute");
            brute.refit(body, pose, boxes);
            find_self_candidates(brute, body, mask, boxes, 0.0F, expected, counts);
            expected = touching_of(expected, pose, pose, 0.0F);
            hits += expected.size();
            // Against a few bones of another body, in both orders.
            const BodyPose few = strewn_bones(20, 0.5F, random);
            const ArticulatedBody body_of_few = made_body(20, tree, random);
            BodyBoxes boxes_of_few;
            brute.refit(body_of_few, few, boxes_of_few);
            find_body_candidates(brute, body, boxes, body_of_few, boxes_of_few, 0.0F, expected_of_two, counts);
            expected_of_two = touching_of(expected_of_two, pose, few, 0.0F);
            for (const RefitMethod& method : refit_methods()) {
                std::vector<BonePair> found, found_of_two, found_of_other;
                method.refit(body, pose, boxes);
                method.refit(body_of_few, few, boxes_of_few);
                find_self_candidates(method, body, mask, boxes, 0.0F, found, counts);
                ASSERT_EQ(touching_of(found, pose, pose, 0.0F), expected)
                    << method.name << ", " << bones << " bones, tree " << static_cast<int>(tree);
                find_body_candidates(method, body, boxes, body_of_few, boxes_of_few, 0.0F, found_of_two, counts);
                ASSERT_EQ(touching_of(found_of_two, pose, few, 0.0F), expected_of_two) << method.name << ", " << bones;
                find_body_candidates(method, body_of_few, boxes_of_few, body, boxes, 0.0F, found_of_other, counts);
                ASSERT_EQ(touching_of(found_of_other, few, pose, 0.0F).size(), expected_of_two.size()) << method.name;
            }
        }
    }
    EXPECT_GT(hits, 500U);
}

TEST(BodyPairs, BonesThatAreNotFiniteHaveNoneAndLeaveTheOthersAsTheyAre) {
    const ArticulatedBody body = all_pairs_chain();
    const PairMask mask(body);
    std::mt19937 random(6);
    std::size_t hits = 0;
    for (int trial = 0; trial < 300; ++trial) {
        const float bad = std::array{std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                                     -std::numeric_limits<float>::infinity()}[static_cast<std::size_t>(trial % 3)];
        const BodyPose other = random_chain(random, {0.05F, 0.05F, 0.0F});
        BodyPose pose = random_chain(random, Vector3f::Zero()), without = pose;
        const auto bone = static_cast<std::size_t>(trial % kLinks);
        without.bone_present[bone] = 0;
        auto& cone = std::get<RoundCone>(pose.shapes[bone]);
        (trial % 2 == 0 ? cone.a_m.x() : cone.radius_b_m) = bad;
        if (trial % 5 != 0) pose.leaf_boxes[bone] = bounding_box(cone);
        for (const RefitMethod& method : refit_methods()) {
            std::vector<BonePair> expected, expected_of_two, found, found_of_two;
            CollideCounts counts;
            BodyBoxes boxes, boxes_of_other;
            method.refit(body, other, boxes_of_other);
            method.refit(body, without, boxes);
            find_self_candidates(method, body, mask, boxes, 0.0F, expected, counts);
            find_body_candidates(method, body, boxes, body, boxes_of_other, 0.0F, expected_of_two, counts);
            method.refit(body, pose, boxes);
            find_self_candidates(method, body, mask, boxes, 0.0F, found, counts);
            find_body_candidates(method, body, boxes, body, boxes_of_other, 0.0F, found_of_two, counts);
            expected = touching_of(expected, without, without, 0.0F);
            expected_of_two = touching_of(expected_of_two, without, other, 0.0F);
            hits += expected.size() + expected_of_two.size();
            ASSERT_EQ(touching_of(found, pose, pose, 0.0F), expected) << method.name << ", trial " << trial;
            ASSERT_EQ(touching_of(found_of_two, pose, other, 0.0F), expected_of_two) << method.name << ", " << trial;
        }
    }
    EXPECT_GT(hits, 1000U);
}

}  // namespace
}  // namespace glovebox::collision
