// What is remembered from frame to frame changes no answer: walks and jumps, open and closed meshes, coarse and fine.
#include "collision/body/body_memory.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "collision/query/bone.h"
#include "collision/query/collide.h"
#include "tests/collision/made_meshes.h"
#include "tests/collision/random_shapes.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3f;

// Ground and furniture as a scan has them: an open, rough sheet of triangles of some centimetres, with slivers.
Mesh rough_ground(int side) {
    Mesh mesh;
    RandomShapes random(91);
    const auto at = [&](int i, int j) { return static_cast<std::uint32_t>(i * (side + 1) + j); };
    for (int i = 0; i <= side; ++i)
        for (int j = 0; j <= side; ++j) {
            const float x = static_cast<float>(i) / static_cast<float>(side) - 0.5F;
            const float z = static_cast<float>(j) / static_cast<float>(side) - 0.5F;
            const float step = i % 7 == 3 ? 0.04F : 0.0F;  // walls that are nearly upright
            mesh.vertices_m.emplace_back(x + random.between(-0.004F, 0.004F), step + random.between(-0.01F, 0.01F),
                                         z + random.between(-0.004F, 0.004F));
        }
    for (int i = 0; i < side; ++i)
        for (int j = 0; j < side; ++j) {
            mesh.triangles.push_back({at(i, j), at(i, j + 1), at(i + 1, j)});
            mesh.triangles.push_back({at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)});
        }
    return mesh;
}

Mesh scaled(Mesh mesh, float by) {
    for (Vector3f& vertex_m : mesh.vertices_m) vertex_m *= by;
    return mesh;
}

std::vector<std::shared_ptr<const MeshTree>> all_kinds() {
    return {MeshTree::build(rough_ground(30)), MeshTree::build(scaled(bumpy_torus(24, 12), 0.4F)),
            MeshTree::build(icosphere(1, 0.3F)), MeshTree::build(scaled(bumpy_torus(160, 80), 0.4F))};
}

// A bone that goes on, turns, rests now and then, and jumps now and then.
class Wanderer {
  public:
    explicit Wanderer(unsigned seed) : random_(seed) {}

    Eigen::Isometry3f next(int i) {
        if (i % 50 == 0) {
            at_ = random_.pose(0.35F);
            at_.translation().y() *= 0.2F;
            way_ = 0.004F * random_.direction();
        }
        if (i % 50 < 40) {
            at_.translation() += (i % 3 == 0 ? 3.0F : 1.0F) * way_;
            at_.linear() = (Eigen::AngleAxisf(0.04F, random_.direction()) * at_.linear()).eval();
        }
        return at_;
    }

  private:
    RandomShapes random_;
    Eigen::Isometry3f at_ = Eigen::Isometry3f::Identity();
    Vector3f way_ = Vector3f::Zero();
};

void expect_same(const MeshHit& a, const MeshHit& b, int i) {
    ASSERT_EQ(a.triangle, b.triangle) << i;
    if (a.triangle < 0) return;
    ASSERT_EQ(a.distance_m, b.distance_m) << i;
    ASSERT_EQ(a.normal, b.normal) << i;
    ASSERT_EQ(a.on_shape_m, b.on_shape_m) << i;
    ASSERT_EQ(a.on_mesh_m, b.on_mesh_m) << i;
}

TEST(MeshMemory, ChangesNoAnswerToTheBit) {
    for (const auto& tree : all_kinds()) {
        SCOPED_TRACE(tree->mesh().triangles.size());
        MeshTreeCounts with, without;
        int touching = 0, free = 0, ruled_out = 0, asked = 0, looked_anew = 0;
        for (const bool is_palm : {false, true}) {
            MeshMemory memory;
            Wanderer wanderer(92);
            const RoundedBox palm{{Vector3f::Zero(), Eigen::Matrix3f::Identity(), {0.04F, 0.01F, 0.05F}}, 0.01F};
            const RoundCone cone{{-0.02F, 0.0F, 0.0F}, {0.02F, 0.0F, 0.0F}, 0.01F, 0.008F};
            const Shape shape = is_palm ? Shape(palm) : Shape(cone);
            for (int i = 0; i < 3'000; ++i) {
                const Shape now = transformed(wanderer.next(i), shape);
                const float reach_m = i % 4 == 0 ? 0.02F : 0.0F;
                const Vector3f around = memory.blocks.around_m.min_m;
                MeshHit expected, found;
                bool may_reach = true;  // as a frame asks first, and not
                if (const auto* bone = std::get_if<RoundCone>(&now)) {
                    expected = tree->nearest(*bone, reach_m, without);
                    if (i % 3 != 0) may_reach = tree->may_reach(*bone, reach_m, with, memory);
                    found = tree->nearest(*bone, reach_m, with, memory);
                } else {
                    expected = tree->nearest(std::get<RoundedBox>(now), reach_m, without);
                    if (i % 3 != 0) may_reach = tree->may_reach(std::get<RoundedBox>(now), reach_m, with, memory);
                    found = tree->nearest(std::get<RoundedBox>(now), reach_m, with, memory);
                }
                expect_same(expected, found, i);
                if (HasFatalFailure()) return;
                ASSERT_TRUE(may_reach || found.triangle < 0) << i;
                (found.triangle >= 0 ? touching : free) += 1;
                ruled_out += may_reach ? 0 : 1;
                ++asked;
                looked_anew += memory.blocks.around_m.min_m != around ? 1 : 0;
            }
        }
        EXPECT_GT(touching, 200);
        EXPECT_GT(free, 200);
        EXPECT_GT(ruled_out, free / 4);
        EXPECT_LT(looked_anew, asked * 2 / 3) << "it remembers";
        EXPECT_GT(looked_anew, asked / 10) << "and forgets";
    }
}

TEST(MeshMemory, WhatWasShownAndIsFurtherAwayIsNotShownAgain) {
    // A finger slides over the ground, half a millimetre a frame: as far as its nearest triangle says, which is kept
    // with the direction in which it was found, few others can be as near.
    const auto tree = MeshTree::build(rough_ground(30));
    MeshMemory memory;
    MeshTreeCounts with, without;
    int touching = 0;
    for (int i = 0; i < 1'000; ++i) {
        const float x_m = 0.0005F * static_cast<float>(i) - 0.25F, z_m = 0.2F * std::sin(0.01F * static_cast<float>(i));
        const RoundCone finger{{x_m, 0.012F, z_m}, {x_m + 0.01F, 0.03F, z_m + 0.02F}, 0.009F, 0.01F};
        expect_same(tree->nearest(finger, 0.0F, without), tree->nearest(finger, 0.0F, with, memory), i);
        if (HasFatalFailure()) return;
        touching += tree->nearest(finger, 0.0F, without).triangle >= 0 ? 1 : 0;
    }
    EXPECT_GT(touching, 300);
    // Two each where directions stay those of when the triangles were kept.
    EXPECT_LT(static_cast<double>(with.triangle_tests), 1.75 * touching);
    EXPECT_LT(with.triangle_tests, without.triangle_tests);
}

TEST(MeshMemory, OfAnotherBoneOrSizeIsOfNoUseAndDoesNoHarm) {
    const auto tree = MeshTree::build(rough_ground(30));
    MeshMemory memory;
    RandomShapes random(93);
    int touching = 0;
    for (int i = 0; i < 3'000; ++i) {
        // Bones take turns in one memory, some of them thicker at the same place, and some of them nowhere.
        RoundCone cone = random.cone(0.05F, 0.02F, 0.3F);
        cone.a_m.y() *= 0.2F;
        cone.b_m.y() = cone.a_m.y();
        if (i % 5 == 1) cone.b_m = cone.a_m;
        for (const float grow : {1.0F, 1.5F}) {
            cone.radius_a_m *= grow;
            MeshTreeCounts counts;
            expect_same(tree->nearest(cone, 0.0F, counts), tree->nearest(cone, 0.0F, counts, memory), i);
            touching += tree->nearest(cone, 0.0F, counts, memory).triangle >= 0 ? 1 : 0;
            if (HasFatalFailure()) return;
            // A palm that stands still beside the cones, as far as it knows.
            const RoundedBox palm{{Vector3f::Zero(), Eigen::Matrix3f::Identity(), {0.04F, 0.01F, 0.05F}}, 0.01F};
            expect_same(tree->nearest(palm, 0.0F, counts), tree->nearest(palm, 0.0F, counts, memory), i);
            if (HasFatalFailure()) return;
        }
        cone.a_m.x() = i % 2 == 0 ? std::numeric_limits<float>::quiet_NaN() : std::numeric_limits<float>::infinity();
        MeshTreeCounts counts;
        ASSERT_LT(tree->nearest(cone, 0.0F, counts, memory).triangle, 0);
        const RoundedBox nowhere{{cone.a_m, Eigen::Matrix3f::Identity(), Vector3f::Constant(0.1F)}, 0.01F};
        ASSERT_LT(tree->nearest(nowhere, 0.0F, counts, memory).triangle, 0);
    }
    EXPECT_GT(touching, 1'000);
}

TEST(NearBlocks, HoldEveryTriangleThatReachesIntoTheirBox) {
    const auto tree = MeshTree::build(rough_ground(40));
    RandomShapes random(94);
    int held = 0, too_many = 0;
    for (int i = 0; i < 500; ++i) {
        Aabb around;
        const Vector3f at = random.vector(0.4F).cwiseProduct(Vector3f(1.0F, 0.1F, 1.0F));
        around.include(at);
        around.include(at + Vector3f::Constant(random.between(0.01F, 0.3F)));
        const NearPlace place = [&] {
            Aabb wide = around;
            wide.min_m.array() -= 0.05F;
            wide.max_m.array() += 0.05F;
            MeshTreeCounts counts;
            return NearPlace{wide, tree->region(wide, counts)};
        }();
        for (const NearPlace* start : {static_cast<const NearPlace*>(nullptr), &place}) {
            MeshTreeCounts counts;
            NearBlocks kept;
            find_blocks(tree->near_tree(), start, around, counts, kept);
            if (kept.count < 0) {
                ++too_many;
                continue;
            }
            std::set<std::int32_t> triangles;
            for (std::int32_t k = 0; k < kept.count; ++k) {
                const auto block = static_cast<std::size_t>(kept.block[static_cast<std::size_t>(k)]);
                for (const std::int32_t number : tree->near_tree().blocks()[block].triangle) triangles.insert(number);
            }
            for (std::int32_t t = 0; t < static_cast<std::int32_t>(tree->mesh().triangles.size()); ++t) {
                Aabb of_triangle;
                for (const Eigen::Vector3d& corner : triangle_of(tree->mesh(), t))
                    of_triangle.include(corner.cast<float>());
                if (!overlap(of_triangle, around)) continue;
                ASSERT_TRUE(triangles.contains(t)) << i;
                ++held;
            }
        }
    }
    EXPECT_GT(held, 5'000);
    EXPECT_GT(too_many, 50);
    EXPECT_LT(too_many, 700);
}

TEST(NearTriangles, ThatAreNoneTellOfNothingThatItIsFar) {
    const auto tree = MeshTree::build(rough_ground(4));
    const RoundCone cone{{0.0F, 0.5F, 0.0F}, {0.1F, 0.5F, 0.0F}, 0.01F, 0.01F};
    EXPECT_FALSE(all_far(tree->near_tree(), NearTriangles{}, 0.0F, cone, -0.02));
}

// Three links that go about over the ground as a body, whose objects move, change and come and go.
TEST(BodyMemory, ChangesNoContact) {
    const auto ground = MeshTree::build(rough_ground(120)), torus = MeshTree::build(scaled(bumpy_torus(24, 12), 0.4F));
    ASSERT_GT(ground->mesh().triangles.size(), 20'000U);  // large enough for a region
    constexpr int kBones = 12;
    const ArticulatedBody body = make_chain(kBones);
    BodyMemory memory(kBones);
    RandomShapes random(95);
    Wanderer wanderer(96);
    std::int64_t found = 0;
    CollideCounts with, without;
    for (int i = 0; i < 1'500; ++i) {
        BodyPose pose;
        const Eigen::Isometry3f at = wanderer.next(i);
        for (int k = 0; k < kBones; ++k) {
            const float x = 0.02F * static_cast<float>(k),
                        bend = 0.01F * std::sin(0.05F * static_cast<float>(i + 9 * k));
            pose.shapes.push_back(
                transformed(at, Shape(RoundCone{{x, bend, 0.0F}, {x + 0.02F, bend, 0.0F}, 0.009F, 0.008F})));
            pose.leaf_boxes.push_back(bounding_box(pose.shapes.back()));
            pose.bone_present.push_back(i % 100 < 3 && k == 4 ? 0 : 1);
            if (k > 0) pose.joints_m.push_back(at * Vector3f(x, bend, 0.0F));
        }
        std::vector<Collider> objects;
        Eigen::Isometry3f moving = Eigen::Isometry3f::Identity();
        moving.translation().y() = 0.02F * std::sin(0.1F * static_cast<float>(i));
        const auto& second = i % 200 < 100 ? torus : ground;
        for (const Shape& shape : {Shape(MeshInstance{ground, moving}), Shape(MeshInstance{second}),
                                   Shape(RoundCone{Vector3f::Zero(), Vector3f::Zero(), 0.05F, 0.05F})})
            objects.push_back({shape, bounding_box(shape), ~0U});
        const RefitMethod& method = refit_methods()[static_cast<std::size_t>(i) % refit_methods().size()];
        const float margin_m = i % 2 == 0 ? 0.0F : 0.01F;
        BodyBoxes boxes;
        method.refit(body, pose, boxes);
        std::vector<Candidate> candidates[2];
        std::vector<Contact> contacts[2];
        find_candidates(method, body, pose, boxes, objects, margin_m, candidates[0], without);
        find_candidates(method, body, pose, boxes, objects, margin_m, candidates[1], with, ~0U, &memory);
        find_contacts(pose, objects, candidates[0], margin_m, 0.0F, contacts[0], without);
        find_contacts(pose, objects, candidates[1], margin_m, 0.0F, contacts[1], with, &memory);
        ASSERT_EQ(contacts[0].size(), contacts[1].size()) << i;
        for (std::size_t k = 0; k < contacts[0].size(); ++k) {
            ASSERT_EQ(contacts[0][k].bone, contacts[1][k].bone);
            ASSERT_EQ(contacts[0][k].triangle, contacts[1][k].triangle);
            ASSERT_EQ(contacts[0][k].distance_m, contacts[1][k].distance_m);
            ASSERT_EQ(contacts[0][k].normal, contacts[1][k].normal);
            ASSERT_EQ(contacts[0][k].on_body_m, contacts[1][k].on_body_m);
        }
        found += static_cast<std::int64_t>(contacts[0].size());
    }
    EXPECT_GT(found, 3'000);
    EXPECT_EQ(with.touching, without.touching);
    EXPECT_LT(with.n_v, without.n_v);
    // What is remembered rules out about as many bones as their boxes do.
    EXPECT_LT(10 * with.candidates, 11 * without.candidates);
    EXPECT_LT(2 * with.touching, with.candidates);
}

}  // namespace
}  // namespace glovebox::collision
