// Whole bodies: hierarchies enclose bones, no pair is missed, all methods agree, and contacts match dense sampling.
#include "collision/query/collide.h"

#include <gtest/gtest.h>

#include <set>

#include "collision/mesh/mesh_tree.h"
#include "tests/collision/made_bodies.h"
#include "tests/collision/made_meshes.h"
#include "tests/collision/random_shapes.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3f;

constexpr int kChainLinks = 16;

// Makes a chain of round links that bends at each joint by up to `bend_rad`.
BodyPose random_chain(RandomShapes& random, float bend_rad, const Vector3f& start, float link_m) {
    BodyPose pose;
    Vector3f at = start, along = random.direction();
    for (int i = 0; i < kChainLinks; ++i) {
        const Vector3f next = at + link_m * along;
        const RoundCone link{at, next, 0.15F * link_m, 0.12F * link_m};
        pose.shapes.emplace_back(link);
        pose.leaf_boxes.push_back(bounding_box(pose.shapes.back(), random.direction()));
        pose.bone_present.push_back(1);
        if (i + 1 < kChainLinks) pose.joints_m.push_back(next);
        at = next;
        along = Eigen::AngleAxisf(random.between(-bend_rad, bend_rad), random.direction()) * along;
    }
    return pose;
}

std::vector<int> leaves_under(const ArticulatedBody& body, int node) {
    if (node < body.bone_count()) return {node};
    const HierarchyNode& inner = body.nodes[static_cast<std::size_t>(node - body.bone_count())];
    std::vector<int> leaves = leaves_under(body, inner.child_a);
    for (const int leaf : leaves_under(body, inner.child_b)) leaves.push_back(leaf);
    return leaves;
}

TEST(Hierarchy, EveryAncestorEnclosesEveryLeaf) {
    RandomShapes random(31);
    const ArticulatedBody body = make_chain(kChainLinks);
    ASSERT_EQ(body.nodes.size(), static_cast<std::size_t>(kChainLinks - 1));
    for (const float offset : {0.0F, 1.0F, 10.0F, 1000.0F}) {
        for (const float bend : {0.0F, 0.005F, 1.5F}) {
            for (const float link_m : {0.003F, 0.05F, 3.0F}) {
                const BodyPose pose = random_chain(random, bend, Vector3f::Constant(offset), link_m);
                for (const RefitMethod& method : refit_methods()) {
                    if (method.kind == BoxKind::none || method.kind == BoxKind::flat) continue;
                    BodyBoxes boxes;
                    method.refit(body, pose, boxes);
                    for (int node = body.bone_count(); node < body.node_count(); ++node) {
                        for (const int leaf : leaves_under(body, node)) {
                            const auto n = static_cast<std::size_t>(node), l = static_cast<std::size_t>(leaf);
                            if (method.kind == BoxKind::oriented) {
                                ASSERT_LE(excess(boxes.obb[n], pose.leaf_boxes[l]), 0.0)
                                    << method.name << " offset " << offset << " bend " << bend << " link " << link_m;
                            } else {
                                const Aabb solid = aabb_of(pose.shapes[l]);
                                const float slack = 1e-6F * (offset + link_m);
                                ASSERT_TRUE((boxes.aabb[n].min_m.array() <= solid.min_m.array() + slack).all())
                                    << method.name;
                                ASSERT_TRUE((boxes.aabb[n].max_m.array() >= solid.max_m.array() - slack).all())
                                    << method.name;
                            }
                        }
                    }
                }
            }
        }
    }
}

std::vector<Collider> random_objects(RandomShapes& random, const std::shared_ptr<const MeshTree>& tree) {
    std::vector<Collider> objects;
    const auto add = [&objects](Shape shape) { objects.push_back({shape, bounding_box(shape), ~0U}); };
    const Vector3f center = random.vector(0.4F);
    add(RoundCone{center, center, 0.1F, 0.1F});
    add(RoundedBox{random.box(0.05F, 0.3F, 0.5F), 0.01F});
    add(MeshInstance{tree, random.pose(0.5F)});
    return objects;
}

TEST(FindCandidates, MissesNoPairWithinTheMarginByAnyMethod) {
    RandomShapes random(32);
    const ArticulatedBody body = make_chain(kChainLinks);
    const auto tree = MeshTree::build([] {
        Mesh mesh = bumpy_torus(24, 12);
        for (Vector3f& vertex : mesh.vertices_m) vertex *= 0.2F;
        return mesh;
    }());
    constexpr float kMargin_m = 0.02F;
    int near_pairs = 0, far_pairs = 0;
    for (int round = 0; round < 500; ++round) {
        const BodyPose pose = random_chain(random, 1.0F, random.vector(0.5F), 0.05F);
        const std::vector<Collider> objects = random_objects(random, tree);
        std::set<std::pair<int, int>> expected;
        for (int object = 0; object < static_cast<int>(objects.size()); ++object) {
            for (int bone = 0; bone < kChainLinks; ++bone) {
                Contact contact;
                CollideCounts counts;
                if (closest(pose.shapes[static_cast<std::size_t>(bone)],
                            objects[static_cast<std::size_t>(object)].shape, kMargin_m, contact, counts))
                    expected.insert({object, bone});
            }
        }
        near_pairs += static_cast<int>(expected.size());
        far_pairs += 3 * kChainLinks - static_cast<int>(expected.size());
        for (const RefitMethod& method : refit_methods()) {
            BodyBoxes boxes;
            CollideCounts counts;
            std::vector<Candidate> candidates;
            std::vector<Contact> contacts;
            method.refit(body, pose, boxes);
            find_candidates(method, body, pose, boxes, objects, kMargin_m, candidates, counts);
            ASSERT_TRUE(std::is_sorted(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) {
                return std::pair(a.object, a.bone) < std::pair(b.object, b.bone);
            })) << method.name;
            find_contacts(pose, objects, candidates, kMargin_m, 0.0F, contacts, counts);
            std::set<std::pair<int, int>> found;
            for (const Contact& contact : contacts) found.insert({contact.object, contact.bone});
            ASSERT_EQ(found, expected) << method.name << " round " << round;
            ASSERT_EQ(counts.candidates, static_cast<std::int64_t>(candidates.size()));
        }
    }
    EXPECT_GT(near_pairs, 300);
    EXPECT_GT(far_pairs, 3'000);
}

// Returns the signed distance of a point to a solid, from the solid's definition.
double point_gap(const Vector3f& p, const RoundCone& ball) {
    return static_cast<double>((p - ball.a_m).norm() - ball.radius_a_m);
}
double point_gap(const Vector3f& p, const RoundedBox& box) {
    const Vector3f at = (box.core.axes.transpose() * (p - box.core.center_m)).cwiseAbs() - box.core.half_m;
    const float outside = at.cwiseMax(0.0F).norm(), inside = std::min(0.0F, at.maxCoeff());
    return static_cast<double>(outside + inside - box.radius_m);
}

// Compares the contact with dense sampling; returns whether the two touch.
template <class Object>
bool equals_sampling(const RoundCone& bone, const Object& object) {
    double expected = 1e300;
    bool core_inside = false;
    for (int k = 0; k <= 400; ++k) {
        const float s = static_cast<float>(k) / 400.0F;
        const double gap = point_gap((1.0F - s) * bone.a_m + s * bone.b_m, object);
        core_inside = core_inside || gap < 0.0;
        expected = std::min(expected, gap - static_cast<double>((1.0F - s) * bone.radius_a_m + s * bone.radius_b_m));
    }
    Contact contact;
    CollideCounts counts;
    EXPECT_TRUE(closest(Shape(bone), Shape(object), 10.0F, contact, counts));
    EXPECT_LT((contact.on_object_m - contact.on_body_m - contact.distance_m * contact.normal).norm(), 2e-5F);
    // If the core is inside, the minimum translation may be sideways and less than the depth of the deepest point.
    if (!core_inside) {
        EXPECT_NEAR(static_cast<double>(contact.distance_m), expected, 3e-4);
    } else {
        EXPECT_LT(contact.distance_m, 0.0F);
    }
    return contact.distance_m <= 0.0F;
}

TEST(Closest, EqualsSamplingTheBonesAxis) {
    RandomShapes random(33);
    int touching = 0;
    for (int i = 0; i < 1'500; ++i) {
        const RoundCone bone = random.cone(0.2F, 0.05F, 0.3F);
        const Vector3f center = random.vector(0.15F);
        touching += equals_sampling(bone, RoundCone{center, center, 0.1F, 0.1F}) ? 1 : 0;
        touching += equals_sampling(bone, RoundedBox{random.box(0.02F, 0.2F, 0.15F), 0.01F}) ? 1 : 0;
        ASSERT_FALSE(::testing::Test::HasFailure()) << i;
    }
    EXPECT_GT(touching, 200);
    EXPECT_LT(touching, 2'700);
}

TEST(Closest, NormalPointsFromTheHandToTheObject) {
    RandomShapes random(34);
    const Shape ball = RoundCone{Vector3f::Zero(), Vector3f::Zero(), 0.1F, 0.1F};
    for (int i = 0; i < 500; ++i) {
        const Vector3f out = random.direction();
        for (const float gap_m : {0.05F, -0.01F}) {
            const Vector3f center = (0.1F + 0.02F + gap_m) * out;
            Contact contact;
            CollideCounts counts;
            ASSERT_TRUE(closest(Shape(RoundCone{center, center, 0.02F, 0.02F}), ball, 1.0F, contact, counts));
            ASSERT_NEAR(contact.distance_m, gap_m, 1e-6F);
            ASSERT_LT((contact.normal + out).norm(), 1e-4F);
        }
    }
}

TEST(Closest, LeavesTheContactAsItWasWhereItIsFurtherAway) {
    const auto tree = MeshTree::build(bumpy_torus(12, 8));
    const Shape ball = RoundCone{Vector3f::Zero(), Vector3f::Zero(), 0.1F, 0.1F};
    const auto at = [&](float x_m) {
        MeshInstance mesh{tree};
        mesh.world_from_mesh.translation().x() = x_m;
        return mesh;
    };
    CollideCounts counts;
    for (const auto& [bone, object] : {std::pair<Shape, Shape>(ball, at(5.0F)), std::pair<Shape, Shape>(at(5.0F), ball),
                                       std::pair<Shape, Shape>(at(0.0F), at(5.0F)),
                                       std::pair<Shape, Shape>(ball, RoundedBox{{Vector3f(5, 0, 0)}, 0.1F})}) {
        Contact contact;
        contact.bone = 7;
        contact.triangle = 8;
        contact.distance_m = 9.0F;
        EXPECT_FALSE(closest(bone, object, 0.1F, contact, counts));
        EXPECT_EQ(contact.bone, 7);
        EXPECT_EQ(contact.triangle, 8);
        EXPECT_EQ(contact.distance_m, 9.0F);
        EXPECT_TRUE(contact.normal.isZero());
        ASSERT_TRUE(closest(bone, object, 10.0F, contact, counts));
        // The triangle's index is set if exactly one of the two is a mesh.
        const bool of_one = std::holds_alternative<MeshInstance>(bone) != std::holds_alternative<MeshInstance>(object);
        EXPECT_EQ(contact.triangle >= 0, of_one);
    }
}

// A deep hierarchy, a shallow one, and bodies of no bone and of one.
TEST(FindCandidates, MissesNoPairOfAnyHierarchyHoweverDeep) {
    RandomShapes random(37);
    const Shape ball = RoundCone{Vector3f::Zero(), Vector3f::Zero(), 0.15F, 0.15F};
    const std::vector<Collider> objects = {{ball, bounding_box(ball), ~0U}};
    std::size_t hits = 0, bones_seen = 0;
    for (const int bones : {0, 1, 2, 20, 280, 300, 1000, 1001, 3000}) {
        BodyPose pose = strewn_bones(bones, 0.3F, random);
        // Half of them have a missing bone: boxes are then merged one by one.
        if (bones > 0 && bones % 40 == 0) pose.bone_present[5] = 0;
        std::vector<int> expected;
        CollideCounts counts;
        for (int bone = 0; bone < bones; ++bone) {
            Contact contact;
            if (pose.bone_present[static_cast<std::size_t>(bone)] != 0 &&
                closest(pose.shapes[static_cast<std::size_t>(bone)], ball, 0.0F, contact, counts))
                expected.push_back(bone);
        }
        hits += expected.size();
        bones_seen += static_cast<std::size_t>(bones);
        for (const Tree tree : {Tree::left_comb, Tree::right_comb, Tree::random}) {
            const ArticulatedBody body = made_body(bones, tree, random);
            for (const RefitMethod& method : refit_methods()) {
                BodyBoxes boxes;
                std::vector<Candidate> candidates;
                std::vector<Contact> contacts;
                method.refit(body, pose, boxes);
                find_candidates(method, body, pose, boxes, objects, 0.0F, candidates, counts);
                find_contacts(pose, objects, candidates, 0.0F, 0.0F, contacts, counts);
                std::vector<int> found;
                for (const Contact& contact : contacts) found.push_back(contact.bone);
                ASSERT_EQ(found, expected) << method.name << ", " << bones << " bones, tree " << static_cast<int>(tree);
            }
        }
    }
    EXPECT_GT(hits, bones_seen / 20);
    EXPECT_LT(hits, bones_seen / 2);
}

TEST(Masks, OnlyMatchingObjectsAreTested) {
    RandomShapes random(35);
    const ArticulatedBody body = make_chain(kChainLinks);
    const BodyPose pose = random_chain(random, 0.0F, Vector3f::Zero(), 0.05F);
    const Shape ball = RoundCone{Vector3f::Zero(), Vector3f::Zero(), 1.0F, 1.0F};
    const std::vector<Collider> objects = {{ball, bounding_box(ball), 1U}, {ball, bounding_box(ball), 2U}};
    BodyBoxes boxes;
    CollideCounts counts;
    std::vector<Candidate> candidates;
    const RefitMethod& method = refit_methods().front();
    method.refit(body, pose, boxes);
    find_candidates(method, body, pose, boxes, objects, 0.0F, candidates, counts, 2U);
    ASSERT_EQ(candidates.size(), static_cast<std::size_t>(kChainLinks));
    for (const Candidate& candidate : candidates) EXPECT_EQ(candidate.object, 1);
}

TEST(MissingBones, HaveNoContactsAndDoNotSpoilTheOthers) {
    RandomShapes random(36);
    const ArticulatedBody body = make_chain(kChainLinks);
    BodyPose pose = random_chain(random, 0.5F, Vector3f::Zero(), 0.05F);
    const Shape ball = RoundCone{Vector3f::Zero(), Vector3f::Zero(), 5.0F, 5.0F};
    const std::vector<Collider> objects = {{ball, bounding_box(ball), ~0U}};
    for (const int missing : {0, 1, 7, 15}) pose.bone_present[static_cast<std::size_t>(missing)] = 0;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    pose.leaf_boxes[7].center_m.setConstant(nan);
    pose.leaf_boxes[7].half_m.setConstant(nan);
    for (const RefitMethod& method : refit_methods()) {
        BodyBoxes boxes;
        CollideCounts counts;
        std::vector<Candidate> candidates;
        method.refit(body, pose, boxes);
        find_candidates(method, body, pose, boxes, objects, 0.0F, candidates, counts);
        EXPECT_EQ(candidates.size(), static_cast<std::size_t>(kChainLinks - 4)) << method.name;
    }
}

}  // namespace
}  // namespace glovebox::collision
