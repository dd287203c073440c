// A program of its own, because it counts allocations by replacing the global operator new.
#include <gtest/gtest.h>

#include "collision/box/convex_hull.h"
#include "collision/broad_phase/broad_phase.h"
#include "collision/broad_phase/moving_bodies.h"
#include "collision/contact/contact_points.h"
#include "collision/query/collide.h"
#include "collision/query/hull_mesh.h"
#include "collision/query/hull_pair.h"
#include "collision/survey/tree/sample_meshes.h"
#include "tests/count_allocations.h"

namespace glovebox::collision {
namespace {

TEST(BroadPhases, AllocateNothingOnceWarm) {
    const std::int64_t before = allocations;
    EXPECT_NE(broad_phases().front().make_memory(), nullptr);
    EXPECT_GT(allocations, before);  // shows that the counter works

    // The same hundred steps twice: in the second round all buffers have the size that they need.
    MovingBodies world({.name = "warm", .bodies = 300, .step_m = 0.02F, .appears_or_vanishes = 0.01}, 2);
    std::vector<std::vector<Aabb>> steps;
    for (int step = 0; step < 100; ++step, world.step()) steps.push_back(world.boxes());
    for (const BroadPhase& row : broad_phases()) {
        const auto memory = row.make_memory();
        std::vector<BodyPair> pairs;
        BroadPhaseCounts counts;
        for (const auto& boxes : steps) row.find_pairs(*memory, {boxes, {}}, pairs, counts);
        // The tree's enlarged boxes depend on where bodies came from, so its second round is a warm-up too.
        for (const auto& boxes : steps) row.find_pairs(*memory, {boxes, {}}, pairs, counts);
        const std::int64_t warm = allocations;
        for (const auto& boxes : steps) row.find_pairs(*memory, {boxes, {}}, pairs, counts);
        EXPECT_EQ(allocations, warm) << row.name;
    }
}

TEST(ObjectTree, AllocatesNothingOnceWarm) {
    MovingBodies world({.name = "warm", .bodies = 300, .step_m = 0.02F, .teleports = 0.01}, 2);
    std::vector<Collider> colliders(world.boxes().size());
    ObjectTree tree;
    std::vector<std::int32_t> near;
    near.reserve(colliders.size());
    std::int64_t warm = -1;
    std::size_t found = 0;
    for (int step = 0; step < 200; ++step, world.step()) {
        for (std::size_t i = 0; i < colliders.size(); ++i) colliders[i].box = obb_of(world.boxes()[i]);
        if (step == 100) warm = allocations;
        tree.update(colliders);
        tree.find_near(world.boxes()[static_cast<std::size_t>(step)], near);
        found += near.size();
    }
    EXPECT_EQ(allocations, warm);
    EXPECT_GT(found, 200U);
}

TEST(HullPair, AllocatesNothingHoweverManyDirectionsItSearches) {
    const auto ball = ConvexHull::from_points(sphere(16, 25, 1.0).vertices_m);
    HullPairMemory memory;
    const std::int64_t before = allocations;
    for (int i = 0; i < 20; ++i) {
        Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
        pose.linear() = Eigen::AngleAxisf(0.1F * static_cast<float>(i), Eigen::Vector3f::UnitX()).toRotationMatrix();
        EXPECT_LT(closest(*ball, *ball, pose, memory).distance, -1.9);
    }
    EXPECT_EQ(allocations, before);
}

TEST(DescentMemory, IsAllThereWhenItIsMade) {
    Mesh mesh = torus(160, 80);
    for (Eigen::Vector3f& vertex_m : mesh.vertices_m) vertex_m *= 0.8F;
    const auto tree = MeshTree::build(std::move(mesh));
    const Shape shape = MeshInstance{tree};
    const std::vector<Collider> objects = {{shape, bounding_box(shape), ~0U}};
    constexpr std::size_t kBones = 10;
    const ArticulatedBody body = make_chain(kBones);
    DescentMemory memory(kBones);
    BodyPose pose;
    pose.shapes.resize(kBones);
    pose.leaf_boxes.resize(kBones);
    pose.joints_m.resize(kBones - 1);
    pose.bone_present.assign(kBones, 1);
    BodyBoxes boxes;
    std::vector<Candidate> candidates;
    std::vector<Contact> contacts;
    candidates.reserve(kBones);
    contacts.reserve(kBones);
    CollideCounts counts;
    std::int64_t warm = -1;
    for (int i = 0; i < 600; ++i) {
        // Goes once around the whole tube, so that different parts of the tree are visited again and again.
        const float angle = 0.01F * static_cast<float>(i);
        const Eigen::AngleAxisf turn(angle, Eigen::Vector3f::UnitY());
        for (std::size_t k = 0; k < kBones; ++k) {
            const auto at = [&](std::size_t joint) -> Eigen::Vector3f {
                return turn * Eigen::Vector3f(1.05F, 0.02F * static_cast<float>(joint), 0.0F);
            };
            pose.shapes[k] = RoundCone{at(k), at(k + 1), 0.01F, 0.01F};
            pose.leaf_boxes[k] = bounding_box(pose.shapes[k]);
            if (k > 0) pose.joints_m[k - 1] = at(k);
        }
        if (i == 5) warm = allocations;
        candidates.clear();
        contacts.clear();
        refit_methods().front().refit(body, pose, boxes);
        find_candidates(refit_methods().front(), body, pose, boxes, objects, 0.0F, candidates, counts, ~0U, &memory);
        find_contacts(pose, objects, candidates, 0.0F, 0.0F, contacts, counts, &memory);
    }
    EXPECT_EQ(allocations, warm);
    EXPECT_GT(counts.touching, 600);
}

TEST(DeepestPoint, AllocatesNothing) {
    Mesh mesh = torus(80, 40);
    for (Eigen::Vector3f& vertex_m : mesh.vertices_m) vertex_m *= 0.1F;
    const auto tree = MeshTree::build(std::move(mesh));
    const auto hull = ConvexHull::from_points(sphere(9, 12, 0.05F).vertices_m);
    int inside = 0;
    const std::int64_t before = allocations;
    for (int i = 0; i < 20; ++i) {
        const float angle = 0.3F * static_cast<float>(i);
        const Eigen::Vector3f at(0.1F * std::cos(angle), 0.1F * std::sin(angle), 0.0F);
        MeshTreeCounts counts;
        Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
        pose.translation() = at;
        const RoundedBox palm{{at, Eigen::Matrix3f::Identity(), {0.04F, 0.01F, 0.035F}}, 0.004F};
        inside += nearest(*tree, *hull, pose, 0.1F, counts).distance_m < -0.02F ? 1 : 0;
        inside += tree->nearest(palm, 0.1F, counts).distance_m < -0.02F ? 1 : 0;
    }
    EXPECT_EQ(allocations, before);
    EXPECT_EQ(inside, 40);
}

TEST(ContactPoints, AllocateNothing) {
    Mesh mesh = torus(80, 40);
    for (Eigen::Vector3f& vertex_m : mesh.vertices_m) vertex_m *= 0.1F;
    const std::vector<Shape> shapes = {
        RoundCone{{-0.03F, 0.0F, 0.0F}, {0.03F, 0.0F, 0.0F}, 0.01F, 0.008F},
        RoundedBox{{Eigen::Vector3f::Zero(), Eigen::Matrix3f::Identity(), {0.03F, 0.02F, 0.01F}}, 0.004F},
        HullInstance{ConvexHull::from_points(box_mesh({0.03F, 0.02F, 0.01F}).vertices_m)},
        MeshInstance{MeshTree::build(std::move(mesh))}};
    CollideCounts counts;
    int several = 0;
    std::int64_t asked = 0;
    for (const Shape& bone : shapes)
        for (const Shape& shape : shapes)
            for (int i = 0; i < 4; ++i) {
                // Both are side by side, face to face or rotated by 45 degrees.
                const Eigen::Vector3f away = i % 2 == 0 ? Eigen::Vector3f::UnitY() : Eigen::Vector3f::UnitX();
                Shape object = transformed(
                    Eigen::Translation3f(0.5F * away) *
                        Eigen::Isometry3f(Eigen::AngleAxisf(i < 2 ? 0.0F : 0.785398F, Eigen::Vector3f::UnitZ())),
                    shape);
                Contact deepest;
                ASSERT_TRUE(closest(bone, object, 1.0F, deepest, counts));
                object = transformed(
                    Eigen::Isometry3f(Eigen::Translation3f((5e-4F - deepest.distance_m) * deepest.normal)), object);
                ASSERT_TRUE(closest(bone, object, 0.001F, deepest, counts));
                const std::int64_t before = allocations;
                several += contact_points(bone, object, deepest, 0.001F, counts).count > 1 ? 1 : 0;
                asked += allocations - before;
            }
    EXPECT_EQ(asked, 0);
    EXPECT_GT(several, 10);
}

}  // namespace
}  // namespace glovebox::collision
