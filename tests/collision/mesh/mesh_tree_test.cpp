#include "collision/mesh/mesh_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "collision/mesh/bone_memory.h"
#include "collision/mesh/build.h"
#include "collision/mesh/inside_grid.h"
#include "collision/query/bone.h"
#include "collision/query/box_triangle.h"
#include "collision/survey/tree/sample_meshes.h"
#include "tests/collision/made_meshes.h"
#include "tests/collision/random_shapes.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3f;

double brute_distance(const Mesh& mesh, const RoundCone& cone) {
    double best = 1e300;
    const RoundSegment segment{cone.a_m.cast<double>(), cone.b_m.cast<double>(), static_cast<double>(cone.radius_a_m),
                               static_cast<double>(cone.radius_b_m)};
    for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t)
        best = std::min(best, closest(segment, triangle_of(mesh, t)).gap);
    return best;
}

// Returns whether each triangle is inside some box of the level.
bool hold_every_triangle(const std::vector<Obb>& boxes, const Mesh& mesh) {
    return std::ranges::all_of(mesh.triangles, [&](const auto& corners) {
        return std::ranges::any_of(boxes, [&](const Obb& box) {
            return std::ranges::all_of(corners, [&](std::uint32_t corner) {
                const Vector3f at = box.axes.transpose() * (mesh.vertices_m[corner] - box.center_m);
                return (at.cwiseAbs() - box.half_m).maxCoeff() <= 1e-6F;
            });
        });
    });
}

TEST(MeshTree, TheBoxesOfEachLevelThatIsDrawnHoldEveryTriangle) {
    for (const int leaf : {1, 4, 8, 400}) {
        const auto tree = MeshTree::build(bumpy_torus(40, 20), leaf);
        std::vector<std::size_t> counts;
        const int depth = tree->tree().depth();
        for (int level = 0; level <= depth + 1; ++level) {
            const std::vector<Obb> boxes = tree->tree().boxes_at(level);
            EXPECT_TRUE(hold_every_triangle(boxes, tree->mesh())) << level;
            counts.push_back(boxes.size());
        }
        EXPECT_EQ(counts[0], 1U);
        EXPECT_EQ(tree->tree().boxes_at(0)[0].center_m, tree->root_box().center_m);
        for (std::size_t level = 1; level < static_cast<std::size_t>(depth); ++level)
            EXPECT_GT(counts[level], counts[level - 1]) << level;
        EXPECT_EQ(counts.back(), tree->tree().blocks().size()) << "below the last level nothing is left to open";
    }
}

TEST(MeshTree, TakesAtMost100BytesATriangle) {
    const auto bytes = [](const Mesh& mesh) {
        return static_cast<double>(MeshTree::build(mesh)->memory_bytes()) / static_cast<double>(mesh.triangles.size());
    };
    EXPECT_LE(bytes(torus(245, 123)), 100.0);        // 60,270 triangles
    EXPECT_LE(bytes(bumpy_torus(264, 132)), 100.0);  // 69,696
    // Halving 32,832 and 65,600 triangles fills little more than two of the four places of a block.
    EXPECT_LE(bytes(torus(171, 96)), 100.0);
    EXPECT_LE(bytes(torus(205, 160)), 100.0);
    // Every triangle has its own vertices, as in STL files.
    const Mesh welded = torus(245, 123);
    Mesh unwelded;
    for (const auto& corners : welded.triangles) {
        const auto first = static_cast<std::uint32_t>(unwelded.vertices_m.size());
        for (const std::uint32_t corner : corners) unwelded.vertices_m.push_back(welded.vertices_m[corner]);
        unwelded.triangles.push_back({first, first + 1, first + 2});
    }
    EXPECT_LE(bytes(unwelded), 100.0);
}

TEST(MeshTree, NearestEqualsBruteForceOutside) {
    RandomShapes random(21);
    const auto tree = MeshTree::build(bumpy_torus(48, 24));
    int compared = 0, touching = 0;
    for (int i = 0; i < 1'500; ++i) {
        const RoundCone cone = random.cone(0.5F, 0.08F, 1.6F);
        const double expected = brute_distance(tree->mesh(), cone);
        if (tree->signed_distance(cone.a_m) < 0.0F || tree->signed_distance(cone.b_m) < 0.0F ||
            expected < -0.9 * static_cast<double>(std::min(cone.radius_a_m, cone.radius_b_m)))
            continue;  // the core is inside; depth is tested elsewhere
        MeshTreeCounts counts;
        const MeshHit hit = tree->nearest(cone, 10.0F, counts);
        ASSERT_GE(hit.triangle, 0);
        ASSERT_NEAR(static_cast<double>(hit.distance_m), expected, 2e-6) << i;
        ASSERT_LT((hit.on_mesh_m - hit.on_shape_m - hit.distance_m * hit.normal).norm(), 1e-5F) << i;
        ASSERT_NEAR(hit.normal.norm(), 1.0F, 1e-5F);
        ++compared;
        touching += expected < 0.0 ? 1 : 0;
    }
    EXPECT_GT(compared, 800);
    EXPECT_GT(touching, 30);
}

// Makes sheets that fold through each other, with slivers: they have no inside.
Mesh folded_sheets() {
    Mesh mesh = bumpy_torus(24, 12);
    mesh.triangles.resize(mesh.triangles.size() * 2 / 3);
    const auto first = static_cast<std::uint32_t>(mesh.vertices_m.size());
    for (int i = 0; i < 6; ++i) {
        const float at = 0.25F * static_cast<float>(i) - 0.6F;
        mesh.vertices_m.insert(mesh.vertices_m.end(), {{at, -1.0F, -1.0F}, {at, 1.0F, -1.0F}, {at + 0.1F, 0.0F, 1.0F}});
        mesh.vertices_m.push_back({at, 1e-7F, -1.0F});
        const std::uint32_t v = first + 4 * static_cast<std::uint32_t>(i);
        mesh.triangles.push_back({v, v + 1, v + 2});
        mesh.triangles.push_back({v, v + 3, v + 1});
    }
    return mesh;
}

TEST(MeshTree, NearestOfARoundedBoxIsThatOfTheDeepestTriangleToTheBit) {
    const auto tree = MeshTree::build(folded_sheets());
    ASSERT_FALSE(tree->closed());
    RandomShapes random(18);
    int crossing = 0, rounded_only = 0, beyond = 0;
    for (int i = 0; i < 400; ++i) {
        const RoundedBox box{random.box(0.02F, 0.25F, 1.2F), 0.05F};
        const float reach_m = 0.05F * static_cast<float>(i % 3 - 1);
        const double limit = double{reach_m} + double{box.radius_m};
        ConvexPair least;
        least.distance = std::numeric_limits<double>::infinity();
        std::int32_t nearest = -1;
        for (std::int32_t t = 0; t < static_cast<std::int32_t>(tree->mesh().triangles.size()); ++t) {
            const Triangle corners = triangle_of(tree->mesh(), t);
            const ConvexPair pair = closest(box.core, corners, gap_along_axes(box.core, corners));
            ASSERT_NEAR(pair.distance, closest(ConvexCore(box.core), ConvexCore(corners)).distance, 1e-6);
            if (pair.distance > limit || pair.distance >= least.distance) continue;
            least = pair;
            nearest = t;
        }
        MeshTreeCounts counts;
        const MeshHit hit = tree->nearest(box, reach_m, counts);
        ASSERT_EQ(hit.triangle, nearest) << i;
        (nearest < 0 ? beyond : least.distance <= 0.0 ? crossing : rounded_only) += 1;
        if (nearest < 0) continue;
        const ConvexPair expected = rounded(least, double{box.radius_m}, 0.0);
        EXPECT_EQ(hit.distance_m, static_cast<float>(expected.distance));
        EXPECT_EQ(hit.on_mesh_m, Vector3f(expected.on_b.cast<float>()));
        EXPECT_EQ(hit.normal, Vector3f(expected.normal.cast<float>()));
    }
    EXPECT_GT(crossing, 80);
    EXPECT_GT(rounded_only, 20);
    EXPECT_GT(beyond, 40);
}

TEST(MeshTree, NothingIsReportedBeyondTheReach) {
    RandomShapes random(22);
    const auto tree = MeshTree::build(bumpy_torus(32, 16));
    int within = 0;
    for (int i = 0; i < 1'000; ++i) {
        const RoundCone cone = random.cone(0.4F, 0.05F, 2.0F);
        const double expected = brute_distance(tree->mesh(), cone);
        if (std::abs(expected - 0.2) < 1e-5 || tree->signed_distance(cone.a_m) < 0.0F) continue;
        MeshTreeCounts counts;
        const MeshHit hit = tree->nearest(cone, 0.2F, counts);
        ASSERT_EQ(hit.triangle >= 0, expected <= 0.2) << i;
        within += hit.triangle >= 0 ? 1 : 0;
    }
    EXPECT_GT(within, 50);
    EXPECT_LT(within, 900);
}

TEST(MeshTree, AFingerInsideASphereKnowsHowDeepItIs) {
    const auto tree = MeshTree::build(icosphere(5, 1.0F));
    ASSERT_TRUE(tree->closed());
    RandomShapes random(23);
    for (int i = 0; i < 300; ++i) {
        const Vector3f center = random.between(0.2F, 0.95F) * random.direction();
        MeshTreeCounts counts;
        const MeshHit hit = tree->nearest(RoundCone{center, center, 0.1F, 0.1F}, 1.0F, counts);
        ASSERT_GE(hit.triangle, 0);
        // The faceted sphere is up to 0.1 % smaller than the round one.
        ASSERT_NEAR(hit.distance_m, center.norm() - 1.1F, 2e-3F) << center.transpose();
        ASSERT_GT(-hit.normal.dot(center.normalized()), 0.98F) << "out of the object is back to the hand";
    }
}

TEST(MeshTree, SignedDistanceIsOneLipschitz) {
    RandomShapes random(24);
    const auto tree = MeshTree::build(bumpy_torus(32, 16));
    for (int i = 0; i < 5'000; ++i) {
        const Vector3f p = random.vector(1.5F), q = p + 0.1F * random.vector(1.0F);
        ASSERT_LE(std::abs(tree->signed_distance(p) - tree->signed_distance(q)), (p - q).norm() + 1e-5F);
    }
}

TEST(MeshTree, DegenerateMeshesAreBuiltAndAnswer) {
    Mesh coincident;
    coincident.vertices_m = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    coincident.triangles.assign(100'000, {0, 1, 2});
    Mesh collinear;
    collinear.vertices_m = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
    collinear.triangles = {{0, 1, 2}, {1, 2, 3}, {0, 0, 0}};
    Mesh one;
    one.vertices_m = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    one.triangles = {{0, 1, 2}};
    for (const Mesh& mesh : {coincident, collinear, one}) {
        const auto tree = MeshTree::build(mesh);
        EXPECT_FALSE(tree->closed());
        MeshTreeCounts counts;
        const Vector3f above(0.25F, 0.0F, 0.5F);
        const MeshHit hit = tree->nearest(RoundCone{above, above, 0.1F, 0.1F}, 10.0F, counts);
        EXPECT_NEAR(hit.distance_m, 0.4F, 1e-5F);
    }
}

TEST(MeshTree, StandsOverABuiltTreeAndRefusesThatOfAnotherMesh) {
    const Mesh mesh = bumpy_torus(20, 10);
    BoxTree tree = build_tree(mesh);
    const auto over = MeshTree::over(mesh, tree), built = MeshTree::build(mesh);
    EXPECT_EQ(over->tree().nodes().size(), built->tree().nodes().size());
    EXPECT_EQ(over->signed_distance({0.1F, 0.2F, 0.3F}), built->signed_distance({0.1F, 0.2F, 0.3F}));
    EXPECT_THROW(MeshTree::over(bumpy_torus(20, 11), tree), std::invalid_argument);
    tree.order.front() = tree.order.back();
    EXPECT_THROW(MeshTree::over(mesh, tree), std::invalid_argument);
}

TEST(MeshTree, BrokenMeshesAreRefused) {
    Mesh empty;
    EXPECT_THROW(MeshTree::build(empty), std::invalid_argument);
    Mesh nan;
    nan.vertices_m = {{0, 0, 0}, {std::numeric_limits<float>::quiet_NaN(), 0, 0}, {0, 1, 0}};
    nan.triangles = {{0, 1, 2}};
    EXPECT_THROW(MeshTree::build(nan), std::invalid_argument);
    Mesh index;
    index.vertices_m = {{0, 0, 0}};
    index.triangles = {{0, 0, 7}};
    EXPECT_THROW(MeshTree::build(index), std::invalid_argument);
}

TEST(MeshTree, ScalesFromMicrometresToKilometres) {
    for (const float scale : {1e-6F, 1e-3F, 1.0F, 1e3F, 1e6F}) {
        Mesh mesh = icosphere(2, scale);
        const auto tree = MeshTree::build(mesh);
        const Vector3f outside(2.0F * scale, 0.0F, 0.0F);
        EXPECT_NEAR(tree->signed_distance(outside) / scale, 1.0F, 0.06F) << scale;
        EXPECT_LT(tree->signed_distance(Vector3f::Zero()) / scale, -0.85F) << scale;
    }
}

Mesh turned_inside_out(Mesh mesh) {
    for (auto& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
    return mesh;
}

TEST(MeshTree, ARoomSeenFromWithinIsAShellAndASmallInsideOutMeshIsSolid) {
    Mesh room = sphere(24, 24, 2.0);
    const auto solid = MeshTree::build(room);
    const auto shell = MeshTree::build(turned_inside_out(room));
    const auto slip = MeshTree::build(turned_inside_out(sphere(24, 24, 0.05)));
    EXPECT_TRUE(solid->closed());
    EXPECT_FALSE(shell->closed());
    EXPECT_TRUE(slip->closed());
    MeshTreeCounts counts;
    const RoundCone finger = {{0.0F, 0.0F, 0.01F}, {0.03F, 0.0F, 0.0F}, 0.01F, 0.008F};
    EXPECT_LT(solid->nearest(finger, 0.01F, counts).distance_m, -1.9F);
    EXPECT_LT(shell->nearest(finger, 0.01F, counts).triangle, 0) << "the air of a room is not solid";
    EXPECT_LT(slip->nearest(finger, 0.01F, counts).distance_m, -0.03F);
    EXPECT_FALSE(shell->contains(Vector3f::Zero(), counts));
    EXPECT_TRUE(solid->contains(Vector3f::Zero(), counts));
}

TEST(MeshTree, ContainsAgreesWithTheSignOfTheDistance) {
    RandomShapes random(25);
    const auto tree = MeshTree::build(bumpy_torus(48, 24));
    int inside = 0;
    for (int i = 0; i < 4'000; ++i) {
        const Vector3f point = random.vector(1.8F);
        const float distance = tree->signed_distance(point);
        if (std::abs(distance) < 1e-5F) continue;
        MeshTreeCounts counts;
        ASSERT_EQ(tree->contains(point, counts), distance < 0.0F) << i << " " << distance;
        inside += distance < 0.0F ? 1 : 0;
    }
    EXPECT_GT(inside, 100);
}

// A chord inside a ball, as a triangle without area, has no side: points near it once counted as outside the ball.
TEST(MeshTree, ATriangleWithoutAreaInsideASolidDoesNotChangeWhatIsInside) {
    RandomShapes random(27);
    Mesh mesh = icosphere(2, 1.0F);
    const auto plain = MeshTree::build(mesh);
    const std::uint32_t near = mesh.triangles.front()[0], far = mesh.triangles.back()[0];
    mesh.triangles.push_back({near, near, far});
    const auto tree = MeshTree::build(mesh);
    ASSERT_TRUE(tree->closed());
    const Vector3f from = mesh.vertices_m[near], along = mesh.vertices_m[far] - from;
    for (int i = 0; i < 500; ++i) {
        const Vector3f point = from + random.between(0.05F, 0.95F) * along + random.vector(0.02F);
        if (std::abs(plain->signed_distance(point)) < 1e-3F) continue;
        ASSERT_EQ(tree->signed_distance(point) < 0.0F, plain->signed_distance(point) < 0.0F) << point.transpose();
    }
}

TEST(MeshTree, ContainsGivesTheSameWithWhatItRemembersOfAMovingPoint) {
    RandomShapes random(26);
    const auto tree = MeshTree::build(bumpy_torus(48, 24)), other = MeshTree::build(bumpy_torus(24, 12));
    BoneMemory memory;
    memory.of(tree);
    int remembered = 0, crossings = 0;
    Vector3f point = Vector3f(1.0F, 0.0F, 0.0F);
    bool was_inside = false;
    for (int i = 0; i < 20'000; ++i) {
        point += random.vector(0.02F);
        if (i % 10 == 0) point = random.vector(1.2F);
        MeshTreeCounts without, with;
        const bool inside = tree->contains(point, without);
        ASSERT_EQ(tree->contains(point, with, &memory), inside) << i;
        remembered += without.box_tests > 0 && with.box_tests == 0 ? 1 : 0;
        crossings += inside != was_inside ? 1 : 0;
        was_inside = inside;
    }
    EXPECT_GT(remembered, 1'000);
    EXPECT_GT(crossings, 500);
    // Of another mesh nothing is remembered.
    memory.known_point_m = Vector3f::Zero();
    memory.known_distance_m = -10.0F;
    MeshTreeCounts counts;
    EXPECT_FALSE(other->contains(Vector3f(0.0F, 0.0F, 0.0F), counts, &memory.of(other)));
}

// Pieces that overlap, as of a convex decomposition: near a face inside another piece, the pseudonormal is wrong.
TEST(MeshTree, ContainsAndSignsCountTheWindingsOfOverlappingPieces) {
    RandomShapes random(29);
    Mesh mesh;
    for (int piece = 0; piece < 6; ++piece) {
        Mesh ball = icosphere(1, random.between(0.2F, 0.5F));
        const Vector3f at = random.vector(0.5F);
        const auto first = static_cast<std::uint32_t>(mesh.vertices_m.size());
        for (const Vector3f& vertex_m : ball.vertices_m) mesh.vertices_m.push_back(vertex_m + at);
        for (const auto& t : ball.triangles) mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
    }
    const auto tree = MeshTree::build(mesh);
    ASSERT_TRUE(tree->closed());
    EXPECT_TRUE(tree->surface().has_pieces());
    EXPECT_FALSE(MeshTree::build(bumpy_torus(16, 8))->surface().has_pieces());
    BoneMemory memory;
    memory.of(tree);
    int inside = 0, misled = 0, remembered = 0;
    Vector3f point = Vector3f::Zero();
    for (int i = 0; i < 20'000; ++i) {
        point = i % 10 == 0 ? random.vector(1.0F) : Vector3f(point + random.vector(0.02F));
        const bool expected = winding_number(mesh, point.cast<double>()) > 0;
        MeshTreeCounts without, with, nearest;
        ASSERT_EQ(tree->contains(point, without), expected) << i;
        ASSERT_EQ(tree->contains(point, with, &memory), expected) << i;
        const MeshTree::SurfacePoint surface = tree->nearest_surface(point.cast<double>(), nearest);
        ASSERT_EQ(surface.distance_m < 0.0, expected) << i;
        inside += expected ? 1 : 0;
        misled += ((point.cast<double>() - surface.nearest_m).dot(surface.outward) < 0.0) != expected ? 1 : 0;
        remembered += without.box_tests > 0 && with.box_tests == 0 ? 1 : 0;
    }
    EXPECT_GT(inside, 2'000);
    EXPECT_GT(misled, 500);
    EXPECT_GT(remembered, 1'000);
}

TEST(MeshTree, AllWithinListsWhatBruteForceLists) {
    RandomShapes random(26);
    const auto tree = MeshTree::build(bumpy_torus(40, 20));
    std::size_t listed = 0;
    for (int i = 0; i < 300; ++i) {
        const RoundCone cone = random.cone(0.5F, 0.15F, 1.2F);
        std::set<int> expected, found;
        for (int t = 0; t < static_cast<int>(tree->mesh().triangles.size()); ++t)
            if (closest(round_segment(cone), triangle_of(tree->mesh(), t)).gap <= 0.0) expected.insert(t);
        MeshTreeCounts counts;
        tree->all_within(
            cone, 0.0F, [&](const MeshHit& hit) { found.insert(hit.triangle); }, counts);
        ASSERT_EQ(found, expected) << i;
        listed += found.size();
    }
    EXPECT_GT(listed, 1'000U);
}

TEST(MeshTree, WhatIsNotFiniteTouchesNothingInsideASolidEither) {
    const auto tree = MeshTree::build(box_mesh({0.1F, 0.1F, 0.1F}));
    const RoundCone cone{{0.01F, 0.0F, 0.0F}, {0.03F, 0.02F, 0.0F}, 0.01F, 0.008F};
    const RoundedBox box{{{0.01F, 0.0F, 0.0F}, Eigen::Matrix3f::Identity(), {0.02F, 0.01F, 0.02F}}, 0.005F};
    MeshTreeCounts counts;
    ASSERT_LT(tree->nearest(cone, 0.0F, counts).distance_m, 0.0F);
    ASSERT_LT(tree->nearest(box, 0.0F, counts).distance_m, 0.0F);
    constexpr float infinity = std::numeric_limits<float>::infinity();
    for (const float bad : {std::numeric_limits<float>::quiet_NaN(), infinity, -infinity}) {
        for (int field = 0; field < 8; ++field) {
            RoundCone broken = cone;
            (field < 3    ? broken.a_m[field]
             : field < 6  ? broken.b_m[field - 3]
             : field == 6 ? broken.radius_a_m
                          : broken.radius_b_m) = bad;
            EXPECT_LT(tree->nearest(broken, 1.0F, counts).triangle, 0) << "cone, " << bad << " at " << field;
        }
        for (int field = 0; field < 16; ++field) {
            RoundedBox broken = box;
            (field < 3    ? broken.core.center_m[field]
             : field < 6  ? broken.core.half_m[field - 3]
             : field < 15 ? broken.core.axes(field % 3, (field - 6) / 3)
                          : broken.radius_m) = bad;
            EXPECT_LT(tree->nearest(broken, 1.0F, counts).triangle, 0) << "box, " << bad << " at " << field;
        }
    }
}

TEST(MeshTree, AllWithinTellsDepthOnlyOfWhatIsInside) {
    const auto plate = MeshTree::build(box_mesh({0.1F, 0.001F, 0.1F}));
    MeshTreeCounts counts;
    std::multiset<int> tenths_mm;
    const auto keep = [&](const MeshHit& hit) {
        tenths_mm.insert(static_cast<int>(std::lround(1e4F * hit.distance_m)));
    };
    // A finger 1 mm above a sheet 2 mm thick: the far side is 3 mm away, not a penetration.
    const RoundCone finger{{-0.02F, 0.012F, 0.01F}, {0.02F, 0.012F, 0.01F}, 0.01F, 0.01F};
    plate->all_within(finger, 0.005F, keep, counts);
    EXPECT_EQ(tenths_mm, (std::multiset<int>{10, 10, 30, 30}));
    tenths_mm.clear();
    const RoundedBox palm{{{0.0F, 0.012F, 0.0F}, Eigen::Matrix3f::Identity(), {0.02F, 0.005F, 0.02F}}, 0.005F};
    plate->all_within(palm, 0.005F, keep, counts);
    EXPECT_EQ(tenths_mm, (std::multiset<int>{10, 10, 30, 30}));

    // Inside a block, each side's depth equals its distance.
    const auto block = MeshTree::build(box_mesh({0.1F, 0.1F, 0.1F}));
    tenths_mm.clear();
    block->all_within(RoundCone{{-0.02F, 0.08F, 0.0F}, {0.02F, 0.08F, 0.0F}, 0.01F, 0.01F}, 0.015F, keep, counts);
    block->all_within(RoundedBox{{{0.0F, 0.07F, 0.0F}, Eigen::Matrix3f::Identity(), {0.02F, 0.01F, 0.02F}}, 0.01F},
                      0.015F, keep, counts);
    EXPECT_EQ(tenths_mm, (std::multiset<int>{-300, -300, -300, -300}));
}

}  // namespace
}  // namespace glovebox::collision
