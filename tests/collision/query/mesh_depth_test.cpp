// Penetration depth of two meshes against closed forms, or against sampled points and winding numbers.
#include "collision/query/mesh_depth.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "collision/query/collide.h"
#include "collision/survey/tree/sample_meshes.h"
#include "tests/collision/made_meshes.h"
#include "tests/collision/random_shapes.h"
#include "tests/collision/slow_signed_distance.h"

namespace glovebox::collision {
namespace {

using Eigen::Isometry3f;
using Eigen::Vector3d;
using Eigen::Vector3f;

Isometry3f shifted(const Vector3f& by) {
    return Isometry3f(Eigen::Translation3f(by));
}

void expect_consistent(const MeshSeparation& found) {
    EXPECT_NEAR(found.normal.norm(), 1.0F, 1e-5F);
    EXPECT_LT((found.on_b - found.on_a - found.distance_m * found.normal).norm(), 2e-5F);
    if (found.distance_m < 0.0F) {
        EXPECT_GE(found.max_depth_m, -found.distance_m - 1e-6F);
    }
}

TEST(MeshPairDepth, TwoBallsHaveTheirFormulaUntilAMiddleIsInside) {
    const auto big = MeshTree::build(icosphere(4, 1.0F)), small = MeshTree::build(icosphere(4, 0.5F));
    for (const float apart_m : {1.9F, 1.51F, 1.49F, 1.2F, 0.9F, 0.6F, 0.4F, 0.2F}) {
        const Vector3f way = apart_m * Vector3f(0.48F, 0.6F, 0.64F);
        const MeshSeparation found = separation(*big, *small, shifted(way));
        expect_consistent(found);
        // The small ball's centre has depth 1 - apart, its far side 0.5 m more, but at most the big radius.
        const float expected_m = apart_m > 0.5F ? apart_m - 1.5F : -1.0F;
        EXPECT_NEAR(found.distance_m, expected_m, 4e-3F) << apart_m;
        if (apart_m > 0.6F) {
            EXPECT_GT(found.normal.dot(way.normalized()), 0.99F) << apart_m;
        }
    }
}

TEST(MeshPairDepth, ABallInATorusIsMeasuredByTheTorussFormula) {
    const auto ring = MeshTree::build(torus(160, 80)), ball = MeshTree::build(icosphere(4, 0.2F));
    int axis = 0;
    const auto phi = [&](const Vector3f& p) {
        Vector3f flat = p;
        flat[axis] = 0.0F;
        return std::hypot(flat.norm() - 1.0F, p[axis]) - 0.4F;
    };
    while (std::abs(phi(ring->mesh().vertices_m[0])) > 1e-4F || std::abs(phi(ring->mesh().vertices_m[777])) > 1e-4F)
        ASSERT_LT(++axis, 3);
    RandomShapes random(101);
    int in = 0, out = 0;
    for (int i = 0; i < 24; ++i) {
        const Vector3f at = random.vector(1.3F);
        const float middle_m = phi(at);
        const MeshSeparation found = separation(*ring, *ball, shifted(at));
        expect_consistent(found);
        // The ball's deepest point, limited by the tube's centre line; or the ring's deepest point in the ball.
        const float of_ball_m = -std::max(middle_m - 0.2F, -0.4F);
        const float expected_m = middle_m - 0.2F >= 0.0F ? middle_m - 0.2F : -of_ball_m;
        EXPECT_NEAR(found.distance_m, expected_m, 4e-3F) << at.transpose();
        ++(expected_m < 0.0F ? in : out);
    }
    EXPECT_GE(in, 5);
    EXPECT_GE(out, 5);
}

TEST(MeshPairDepth, BoxesFaceToFaceHaveTheirOverlap) {
    const auto a = MeshTree::build(box_mesh({0.5F, 0.5F, 0.5F})), b = MeshTree::build(box_mesh({0.4F, 0.3F, 0.2F}));
    for (const float overlap_m : {-0.2F, -0.01F, 0.01F, 0.1F, 0.25F}) {
        const MeshSeparation found = separation(*a, *b, shifted({0.05F, 0.02F, 0.7F - overlap_m}));
        expect_consistent(found);
        EXPECT_NEAR(found.distance_m, -overlap_m, 1e-3F);
        if (overlap_m < 0.2F) {
            EXPECT_GT(found.normal.z(), 0.999F);
        }
    }
}

// Each point found by dense sampling of both solids is a lower bound of the depth. The reported point is verified
// without trees.
TEST(MeshPairDepth, NoSampledPointIsDeeperAndTheGivenOneIsAsDeepAsSaid) {
    const std::vector<Mesh> meshes = {bumpy_torus(24, 14),
                                      torus(24, 12, {.spikes = 0.5, .dimples = 0.15, .wrinkles = 0.03, .twist = 2.0}),
                                      box_mesh({0.7F, 0.05F, 0.4F}), icosphere(2, 0.5F)};
    RandomShapes random(102);
    int overlapping = 0, apart = 0, cut_searches = 0;
    for (int round = 0; round < 24; ++round) {
        const Mesh &mesh_a = meshes[static_cast<std::size_t>(round) % 4],
                   &mesh_b = meshes[static_cast<std::size_t>(round / 4 + 1) % 4];
        const auto a = MeshTree::build(mesh_a), b = MeshTree::build(mesh_b);
        const Isometry3f a_from_b = random.pose(0.9F), b_from_a = a_from_b.inverse(Eigen::Isometry);
        const MeshSeparation found = separation(*a, *b, a_from_b);
        expect_consistent(found);
        float sampled_m = 0.0F;
        for (int i = 0; i < 6'000; ++i) {
            const Vector3f in_a = random.vector(1.5F);
            const float phi_a = a->signed_distance(in_a);
            if (phi_a > 0.0F) continue;
            const float phi_b = b->signed_distance(b_from_a * in_a);
            if (phi_b <= 0.0F) sampled_m = std::max({sampled_m, -phi_a, -phi_b});
        }
        const float tolerance_m = 1e-3F * 2.0F * std::min(a->root_box().half_m.norm(), b->root_box().half_m.norm());
        EXPECT_GE(found.max_depth_m + 1e-6F, sampled_m) << round;
        if (found.distance_m >= 0.0F) {
            EXPECT_EQ(sampled_m, 0.0F) << round;
            ++apart;
            continue;
        }
        ++overlapping;
        // In a plate a sheet of points is equally deep: only there may the search stop early, and report its bound.
        const bool cut = found.max_depth_m > -found.distance_m + 1.01F * tolerance_m;
        if (cut) {
            EXPECT_GE(found.queries, MeshDepthSettings().max_queries / 2) << round;
            EXPECT_LE(found.max_depth_m, -found.distance_m + 3.0F * tolerance_m) << round;
        }
        cut_searches += cut ? 1 : 0;
        // One of the two points is inside both solids, and in one of them as deep as reported.
        const double a_of_a = slow_signed_distance(mesh_a, found.on_a.cast<double>());
        const double b_of_b = slow_signed_distance(mesh_b, (b_from_a * found.on_b).cast<double>());
        const double b_of_a = slow_signed_distance(mesh_b, (b_from_a * found.on_a).cast<double>());
        const double a_of_b = slow_signed_distance(mesh_a, found.on_b.cast<double>());
        const bool point_of_a = a_of_a <= 1e-5 && std::abs(b_of_a - double{found.distance_m}) < 1e-5;
        const bool point_of_b = b_of_b <= 1e-5 && std::abs(a_of_b - double{found.distance_m}) < 1e-5;
        EXPECT_TRUE(point_of_a || point_of_b) << round;
    }
    EXPECT_GT(overlapping, 6);
    EXPECT_LE(cut_searches, 2);
    EXPECT_GT(apart, 2);
}

TEST(MeshPairDepth, IsTheSameSwappedAndMovedAndChangesNoFasterThanTheMeshes) {
    const auto a = MeshTree::build(bumpy_torus(24, 14)), b = MeshTree::build(box_mesh({0.5F, 0.1F, 0.2F}));
    RandomShapes random(103);
    int overlapping = 0;
    for (int round = 0; round < 12; ++round) {
        const Isometry3f pose = random.pose(0.8F);
        const float tolerance_m = 2e-3F * b->root_box().half_m.norm();
        const MeshSeparation found = separation(*a, *b, pose);
        const MeshSeparation swapped = separation(*b, *a, pose.inverse(Eigen::Isometry));
        EXPECT_NEAR(swapped.distance_m, found.distance_m, 1.01F * tolerance_m);
        const Vector3f by = random.vector(0.03F);
        const MeshSeparation moved = separation(*a, *b, shifted(by) * pose);
        EXPECT_LE(std::abs(moved.distance_m - found.distance_m), by.norm() + 1.01F * tolerance_m);
        overlapping += found.distance_m < 0.0F ? 1 : 0;
    }
    EXPECT_GT(overlapping, 3);
}

TEST(MeshPairDepth, InteriorPointsCount) {
    // One inside the other without touching, and a cube inside its copy: no corner gives the depth.
    const auto cube = MeshTree::build(box_mesh({0.5F, 0.5F, 0.5F})),
               inner = MeshTree::build(box_mesh({0.1F, 0.1F, 0.1F}));
    const MeshSeparation nested = separation(*cube, *inner, shifted({0.2F, 0.0F, 0.0F}));
    EXPECT_NEAR(nested.distance_m, -0.4F, 2e-3F);  // the far face of the inner one is at x = 0.1
    EXPECT_NEAR(separation(*cube, *cube, Isometry3f::Identity()).distance_m, -0.5F, 2e-3F);
}

TEST(MeshPairDepth, WhatIsSmallAndWellInsideIsDeepHoweverSmall) {
    const auto room = MeshTree::build(box_mesh({1.0F, 1.0F, 1.0F})), ball = MeshTree::build(icosphere(4, 1.0F));
    for (const float size_m : {0.3F, 0.1F, 0.05F, 0.01F}) {
        const auto cube = MeshTree::build(box_mesh(Vector3f::Constant(size_m))),
                   bead = MeshTree::build(icosphere(3, size_m));
        for (const float off_m : {0.0F, 0.02F, 0.5F}) {
            // The inner mesh's point that is nearest to the outer one's centre.
            const float expected_m = -std::min(1.0F, 1.0F - off_m + size_m);
            const Vector3f by(0.0F, off_m, 0.0F);
            for (const auto& [outer, inner] : {std::pair{room, cube}, {ball, bead}, {room, bead}, {ball, cube}}) {
                const MeshSeparation found = separation(*outer, *inner, shifted(by));
                EXPECT_NEAR(found.distance_m, expected_m, 5e-3F) << size_m << ' ' << off_m;
                expect_consistent(found);
                const MeshSeparation swapped = separation(*inner, *outer, shifted(-by));
                EXPECT_NEAR(swapped.distance_m, expected_m, 5e-3F) << size_m << ' ' << off_m;
                expect_consistent(swapped);
                EXPECT_LT(std::max(found.queries, swapped.queries), MeshDepthSettings().max_queries)
                    << "ended by itself";
            }
        }
    }
}

TEST(MeshPairDepth, OnAWayFromOutsideToTheMiddleNothingJumps) {
    const auto ball = MeshTree::build(icosphere(4, 1.0F)), bead = MeshTree::build(icosphere(3, 0.02F));
    const float tolerance_m = 2e-3F * bead->root_box().half_m.norm(), step_m = 0.01F;
    float last_m = std::numeric_limits<float>::infinity();
    int apart = 0, crossing = 0, inside = 0;
    for (int i = 0; i <= 120; ++i) {
        const float away_m = 1.2F - step_m * static_cast<float>(i);
        const MeshSeparation found = separation(*ball, *bead, shifted(away_m * Vector3f(0.48F, 0.6F, 0.64F)));
        const float expected_m = away_m > 0.02F ? away_m - 1.02F : -1.0F;
        EXPECT_NEAR(found.distance_m, expected_m, 4e-3F) << away_m;
        if (i > 0) {
            EXPECT_LE(std::abs(found.distance_m - last_m), step_m + 2.0F * tolerance_m) << away_m;
        }
        last_m = found.distance_m;
        ++(away_m > 1.02F ? apart : away_m > 0.98F ? crossing : inside);
    }
    EXPECT_GT(apart, 10);
    EXPECT_GT(crossing, 2);
    EXPECT_GT(inside, 80);
}

// Parts that do not touch the other mesh's surface are inside or outside independently of each other.
TEST(MeshPairDepth, OnePartOfManyThatIsInsideCounts) {
    const auto ball = MeshTree::build(icosphere(3, 1.0F));
    Mesh beads;
    for (const float x : {2.0F, 3.0F, 0.3F, 4.0F}) {
        const auto first = static_cast<std::uint32_t>(beads.vertices_m.size());
        for (Mesh bead = icosphere(1, 0.02F); const auto& t : bead.triangles)
            beads.triangles.push_back({first + t[0], first + t[1], first + t[2]});
        for (const Vector3f& v : icosphere(1, 0.02F).vertices_m)
            beads.vertices_m.push_back(v + Vector3f(x, 0.0F, 0.0F));
    }
    const auto some = MeshTree::build(beads);
    ASSERT_TRUE(some->closed());
    EXPECT_NEAR(separation(*ball, *some, Isometry3f::Identity()).distance_m, -0.72F, 2e-2F);
    EXPECT_NEAR(separation(*some, *ball, Isometry3f::Identity()).distance_m, -0.72F, 2e-2F);
    EXPECT_GT(separation(*ball, *some, shifted({0.0F, 1.2F, 0.0F})).distance_m, 0.1F);
}

TEST(MeshPairDepth, TheSearchEndsWithBothBoundsWhereASheetIsAllEquallyDeep) {
    const auto plate = MeshTree::build(box_mesh({0.5F, 0.01F, 0.5F}));
    MeshDepthSettings settings;
    settings.max_queries = 5000;
    const MeshSeparation found = separation(*plate, *plate, Isometry3f::Identity(), settings);
    EXPECT_LE(found.queries, 5100);
    EXPECT_NEAR(found.distance_m, -0.01F, 3e-3F);
    EXPECT_GE(found.max_depth_m, 0.01F - 1e-6F);
}

TEST(MeshPairDepth, WhatHasNoInsideHasNoDepth) {
    Mesh open = box_mesh({0.5F, 0.5F, 0.5F});
    open.triangles.pop_back();
    const auto sheet = MeshTree::build(open), other = MeshTree::build(soup(60, 0.5, 3)),
               ball = MeshTree::build(icosphere(2, 0.3F));
    ASSERT_FALSE(sheet->closed());
    EXPECT_EQ(separation(*sheet, *other, shifted({0.0F, 0.1F, 0.0F})).distance_m, 0.0F);
    // The ball is closed and has an inside: the open box's wall penetrates it by 0.1 m.
    const MeshSeparation found = separation(*sheet, *ball, shifted({0.7F, 0.0F, 0.0F}));
    EXPECT_NEAR(found.distance_m, -0.1F, 8e-3F);
    expect_consistent(found);
}

TEST(MeshPairDepth, BadInputHasADefinedAnswer) {
    const auto ball = MeshTree::build(icosphere(2, 0.3F));
    Isometry3f bad = Isometry3f::Identity();
    bad.translation().x() = std::nanf("");
    EXPECT_TRUE(std::isinf(separation(*ball, *ball, bad).distance_m));
    Mesh one;
    one.vertices_m = {{0.0F, 0.0F, 0.0F}, {1.0F, 0.0F, 0.0F}, {0.0F, 1.0F, 0.0F}};
    one.triangles = {{0, 1, 2}};
    Mesh many = one;
    many.triangles.assign(2000, {0, 1, 2});
    const auto flat = MeshTree::build(one), doubled = MeshTree::build(many);
    EXPECT_EQ(separation(*flat, *doubled, Isometry3f::Identity()).distance_m, 0.0F);
    EXPECT_NEAR(separation(*flat, *doubled, shifted({0.0F, 0.0F, 2.0F})).distance_m, 2.0F, 1e-6F);
    for (const float scale : {1e-6F, 1e6F}) {
        Mesh scaled = icosphere(3, 1.0F);
        for (Vector3f& v : scaled.vertices_m) v *= scale;
        const auto tree = MeshTree::build(scaled);
        const MeshSeparation found = separation(*tree, *tree, shifted({1.5F * scale, 0.0F, 0.0F}));
        EXPECT_NEAR(found.distance_m / scale, -0.5F, 0.02F) << scale;
    }
}

TEST(MeshPairDepth, ClosestTakesMeshesOnEitherSide) {
    const Shape cube = MeshInstance{MeshTree::build(box_mesh({0.5F, 0.5F, 0.5F})), shifted({1.0F, 0.0F, 0.0F})};
    const Shape ring = MeshInstance{MeshTree::build(torus(48, 24)), shifted({-0.2F, 0.3F, 0.1F})};
    const Shape bone = RoundCone{{0.45F, 0.0F, 0.0F}, {0.3F, 0.0F, 0.0F}, 0.1F, 0.05F};
    CollideCounts counts;
    for (const Shape& other : {ring, bone}) {
        Contact there, back;
        ASSERT_TRUE(closest(cube, other, 1.0F, there, counts));
        ASSERT_TRUE(closest(other, cube, 1.0F, back, counts));
        EXPECT_LT(there.distance_m, 0.0F);
        EXPECT_NEAR(there.distance_m, back.distance_m, 4e-3F);
        EXPECT_LT((there.on_object_m - there.on_body_m - there.distance_m * there.normal).norm(), 1e-5F);
    }
    Contact none;
    Shape far = ring;
    std::get<MeshInstance>(far).world_from_mesh = shifted({9.0F, 0.0F, 0.0F});
    EXPECT_FALSE(closest(cube, far, 1.0F, none, counts));
}

}  // namespace
}  // namespace glovebox::collision
