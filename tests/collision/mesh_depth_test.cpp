// Depth on meshes that are not convex: sign and distance beside answers without trees, pseudonormals or searches.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "collision/exact/convex.h"
#include "collision/exact/hull_mesh.h"
#include "collision/inside_grid.h"
#include "collision/mesh_tree.h"
#include "collision/tree/sample_meshes.h"
#include "tests/collision/made_meshes.h"
#include "tests/collision/random_shapes.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

Mesh turned_round(Mesh mesh) {
    for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
    return mesh;
}
Mesh joined(Mesh a, const Mesh& b) {
    const auto first = static_cast<std::uint32_t>(a.vertices_m.size());
    a.vertices_m.insert(a.vertices_m.end(), b.vertices_m.begin(), b.vertices_m.end());
    for (const auto& t : b.triangles) a.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    return a;
}

Mesh moved(Mesh mesh, const Vector3f& by_m) {
    for (Vector3f& vertex_m : mesh.vertices_m) vertex_m += by_m;
    return mesh;
}

// Solid angle of the surface seen from a point, in full turns: 1 inside, 0 outside.
double turns_seen(const Mesh& mesh, const Vector3d& point) {
    double angle = 0.0;
    for (int i = 0; i < static_cast<int>(mesh.triangles.size()); ++i) {
        const Triangle t = triangle_of(mesh, i);
        const Vector3d a = t[0] - point, b = t[1] - point, c = t[2] - point;
        angle += 2.0 * std::atan2(a.dot(b.cross(c)), a.norm() * b.norm() * c.norm() + a.dot(b) * c.norm() +
                                                         b.dot(c) * a.norm() + c.dot(a) * b.norm());
    }
    return angle / (4.0 * 3.14159265358979);
}
double unsigned_distance(const Mesh& mesh, const Vector3d& point) {
    double nearest = 1e300;
    for (int i = 0; i < static_cast<int>(mesh.triangles.size()); ++i)
        nearest = std::min(nearest, (closest_on_triangle(point, triangle_of(mesh, i)).point - point).norm());
    return nearest;
}
double slow_signed_distance(const Mesh& mesh, const Vector3d& point) {
    const double distance = unsigned_distance(mesh, point);
    return std::abs(turns_seen(mesh, point)) > 0.5 ? -distance : distance;
}

struct Solid {
    const char* name;
    Mesh mesh;
};
std::vector<Solid> solids() {
    return {{"bumpy torus", bumpy_torus(24, 14)},
            {"spiky torus", torus(24, 12, {.spikes = 0.5, .dimples = 0.15, .wrinkles = 0.03, .twist = 2.0})},
            {"thin plate", box_mesh({0.8F, 0.01F, 0.8F})},
            {"shell in a shell", joined(icosphere(2, 1.0F), turned_round(icosphere(2, 0.6F)))}};
}

TEST(MeshDepth, SignedDistanceEqualsWindingNumbersAndEveryTriangle) {
    for (const Solid& solid : solids()) {
        const auto tree = MeshTree::build(solid.mesh);
        ASSERT_TRUE(tree->closed()) << solid.name;
        RandomShapes random(91);
        int inside = 0;
        for (int i = 0; i < 400; ++i) {
            Vector3f point = random.vector(1.3F);
            if (i % 2 == 0) {  // near the surface
                const auto& t = solid.mesh.triangles[static_cast<std::size_t>(i * 7) % solid.mesh.triangles.size()];
                point = solid.mesh.vertices_m[t[0]] + random.vector(0.02F);
            }
            const double expected = slow_signed_distance(solid.mesh, point.cast<double>());
            ASSERT_NEAR(tree->signed_distance(point), expected, 1e-6) << solid.name << ", " << point.transpose();
            inside += expected < 0.0 ? 1 : 0;
        }
        EXPECT_GT(inside, 20) << solid.name;
        EXPECT_LT(inside, 380) << solid.name;
    }
}

TEST(MeshDepth, CrossingsOfARayCountTheTurnsOfTheSurface) {
    std::vector<Solid> all = solids();
    all.push_back({"two that overlap", joined(icosphere(2, 1.0F), moved(icosphere(2, 1.0F), {0.7F, 0.1F, 0.0F}))});
    all.push_back({"faces inwards", turned_round(bumpy_torus(24, 14))});
    std::map<long, int> seen;
    for (const Solid& solid : all) {
        RandomShapes random(95);
        for (int i = 0; i < 500; ++i) {
            Vector3d point = random.vector(1.3F).cast<double>();
            // Through a corner, or along an edge: the ray goes along x.
            const auto& t = solid.mesh.triangles[static_cast<std::size_t>(i * 7) % solid.mesh.triangles.size()];
            if (i % 3 == 0) point.tail<2>() = solid.mesh.vertices_m[t[0]].cast<double>().tail<2>();
            if (i % 3 == 1) point.z() = solid.mesh.vertices_m[t[0]].cast<double>().z();
            if (unsigned_distance(solid.mesh, point) < 1e-6) continue;
            const double turns = turns_seen(solid.mesh, point);
            ASSERT_EQ(winding_number(solid.mesh, point), std::lround(turns)) << solid.name << ", " << point.transpose();
            ++seen[std::lround(turns)];
        }
    }
    for (const long turns : {-1L, 0L, 1L, 2L}) EXPECT_GT(seen[turns], 50) << turns;
}

// Scans fold over themselves here and there: the face before the fold looks the wrong way, and so may the pseudonormal.
// What is a cell of the grid or more from the surface has its side all the same.
TEST(MeshDepth, WhereAScanFoldsOverItselfTheSideIsRight) {
    Mesh mesh = icosphere(4, 1.0F);
    RandomShapes random(96);
    for (std::size_t i = 0; i < mesh.vertices_m.size(); i += 25) mesh.vertices_m[i] += random.vector(0.15F);
    const auto tree = MeshTree::build(mesh);
    ASSERT_TRUE(tree->closed());
    int inside = 0, misled = 0;
    for (int i = 0; i < 4000; ++i) {
        const Vector3d point = random.vector(1.6F).cast<double>();
        MeshTreeCounts counts;
        const MeshTree::SurfacePoint found = tree->nearest_surface(point, counts);
        if (std::abs(found.distance_m) < 0.15) continue;
        const bool is_inside = turns_seen(mesh, point) > 0.5;
        ASSERT_EQ(found.distance_m < 0.0, is_inside) << point.transpose();
        inside += is_inside ? 1 : 0;
        misled += ((point - found.nearest_m).dot(found.outward) < 0.0) != is_inside ? 1 : 0;
    }
    EXPECT_GT(inside, 200);
    EXPECT_GT(misled, 5) << "no fold misled a pseudonormal: nothing was tested";
}

TEST(MeshDepth, WhatTwoPartsShareIsInside) {
    const auto tree = MeshTree::build(joined(icosphere(3, 1.0F), moved(icosphere(3, 1.0F), {0.9F, 0.0F, 0.0F})));
    // Inside the first, just outside the second, whose hidden surface is nearest.
    EXPECT_LT(tree->signed_distance({-0.35F, 0.0F, 0.0F}), 0.0F);
    EXPECT_LT(tree->signed_distance({0.45F, 0.0F, 0.0F}), 0.0F);
    EXPECT_GT(tree->signed_distance({-1.3F, 0.0F, 0.0F}), 0.0F);
}

TEST(MeshDepth, ASmoothTorusHasItsFormula) {
    const auto tree = MeshTree::build(torus(160, 80));
    RandomShapes random(92);
    for (int i = 0; i < 500; ++i) {
        const Vector3f p = random.vector(1.5F);
        // Whatever the axis of the made torus is, it is one of the coordinate axes: the formula of its own points is 0.
        const auto formula = [](const Vector3f& q, int axis) {
            Vector3f flat = q;
            flat[axis] = 0.0F;
            return std::hypot(flat.norm() - 1.0F, q[axis]) - 0.4F;
        };
        int axis = 0;
        while (std::abs(formula(tree->mesh().vertices_m[0], axis)) > 1e-4F ||
               std::abs(formula(tree->mesh().vertices_m[777], axis)) > 1e-4F)
            ASSERT_LT(++axis, 3);
        ASSERT_NEAR(tree->signed_distance(p), formula(p, axis), 2e-3F);
    }
}

TEST(MeshDepth, ABonesDepthIsTheLeastOverItsCore) {
    for (const Solid& solid : solids()) {
        const auto tree = MeshTree::build(solid.mesh);
        RandomShapes random(93);
        int deep = 0;
        for (int round = 0; round < 60; ++round) {
            const auto& t = solid.mesh.triangles[static_cast<std::size_t>(round * 13) % solid.mesh.triangles.size()];
            const Vector3f at = solid.mesh.vertices_m[t[1]] + random.vector(0.05F);
            const RoundCone bone{at, at + 0.1F * random.direction(), 0.03F, 0.02F};
            double expected = 1e300;
            for (int k = 0; k <= 100; ++k) {
                const float s = static_cast<float>(k) / 100.0F;
                const Vector3f core = bone.a_m + s * (bone.b_m - bone.a_m);
                expected = std::min(expected, static_cast<double>(tree->signed_distance(core)) - 0.03 + 0.01 * s);
            }
            MeshTreeCounts counts;
            const MeshHit hit = tree->nearest(bone, 1.0F, counts);
            ASSERT_GE(hit.triangle, 0);
            // Sampling misses the minimum by half a step at most, and we may find no less than the samples say.
            ASSERT_LE(hit.distance_m, expected + 1e-4) << solid.name << ", bone " << round;
            ASSERT_GE(hit.distance_m, expected - 1e-3) << solid.name << ", bone " << round;
            ASSERT_LT((hit.on_mesh_m - hit.on_shape_m - hit.distance_m * hit.normal).norm(), 1e-5F);
            deep += hit.distance_m < -0.03F ? 1 : 0;
        }
        if (std::string(solid.name) != "thin plate") {
            EXPECT_GT(deep, 5) << solid.name;
        }
    }
}

TEST(MeshDepth, APalmsDepthIsTheLeastOverItsCore) {
    for (const Solid& solid : solids()) {
        if (std::string(solid.name) == "thin plate") continue;
        const auto tree = MeshTree::build(solid.mesh);
        RandomShapes random(97);
        int deep = 0;
        std::int64_t box_tests = 0;
        for (int round = 0; round < 40; ++round) {
            const auto& t = solid.mesh.triangles[static_cast<std::size_t>(round * 13) % solid.mesh.triangles.size()];
            const RoundedBox palm{{0.8F * solid.mesh.vertices_m[t[1]] + random.vector(0.1F), random.rotation(),
                                   Vector3f(0.08F, 0.02F, 0.1F)},
                                  0.02F};
            double expected = 1e300;
            for (int k = 0; k < 11 * 5 * 11; ++k) {
                const Vector3f q(0.2F * static_cast<float>(k % 11) - 1.0F, 0.5F * static_cast<float>(k / 11 % 5) - 1.0F,
                                 0.2F * static_cast<float>(k / 55) - 1.0F);
                const Vector3f core = palm.core.center_m + palm.core.axes * q.cwiseProduct(palm.core.half_m);
                expected = std::min(expected, static_cast<double>(tree->signed_distance(core)) - 0.02);
            }
            MeshTreeCounts counts;
            const MeshHit hit = tree->nearest(palm, 1.0F, counts);
            ASSERT_GE(hit.triangle, 0);
            ASSERT_LE(hit.distance_m, expected + 5e-3) << solid.name << ", palm " << round;
            ASSERT_GE(hit.distance_m, expected - 1e-2) << solid.name << ", palm " << round;
            if (hit.distance_m > -0.06F) continue;
            ++deep;
            box_tests += counts.box_tests;
        }
        EXPECT_GT(deep, 5) << solid.name;
        // Most points that the search looks at are told from the triangles found before, without a way down the tree.
        EXPECT_LT(box_tests / std::max(1, deep), 8000) << solid.name;
    }
}

TEST(MeshDepth, AHullHasTheDistanceOfEveryTriangleAndTheDepthOfItsDeepestPoint) {
    const Solid solid = solids()[0];
    const auto tree = MeshTree::build(solid.mesh);
    RandomShapes random(94);
    int apart = 0, inside = 0;
    for (int round = 0; round < 60; ++round) {
        std::vector<Vector3f> corners;
        for (int k = 0; k < 12; ++k) corners.push_back(0.12F * random.direction());
        const auto hull = ConvexHull::from_points(corners);
        Eigen::Isometry3f pose = random.pose(1.2F);
        MeshTreeCounts counts;
        const MeshHit hit = nearest(*tree, *hull, pose, 5.0F, counts);
        ASSERT_GE(hit.triangle, 0);
        const ConvexCore core(*hull, pose.cast<double>());
        double expected = 1e300, deepest_corner = 1e300;
        for (int i = 0; i < static_cast<int>(solid.mesh.triangles.size()); ++i)
            expected = std::min(expected, closest(core, ConvexCore(triangle_of(solid.mesh, i))).distance);
        for (const Vector3f& corner : hull->corners_m())
            deepest_corner = std::min(deepest_corner, static_cast<double>(tree->signed_distance(pose * corner)));
        if (expected > 0.0 && deepest_corner > 0.0) {
            ASSERT_NEAR(hit.distance_m, expected, 1e-5) << round;
            ++apart;
        } else {
            ASSERT_LE(hit.distance_m, deepest_corner + 1e-6) << round;
            ASSERT_GE(hit.distance_m, deepest_corner - 0.25) << round;
            ++inside;
        }
        ASSERT_NEAR(hit.normal.norm(), 1.0F, 1e-5F);
        ASSERT_LT((hit.on_mesh_m - hit.on_shape_m - hit.distance_m * hit.normal).norm(), 1e-5F) << round;
        const MeshHit touching = nearest(*tree, *hull, pose, 0.0F, counts);
        ASSERT_EQ(touching.triangle >= 0, expected <= 0.0 || hit.distance_m <= 0.0F) << "no reach is needed to touch";
    }
    EXPECT_GT(apart, 10);
    EXPECT_GT(inside, 10);
}

TEST(MeshDepth, AHullThatCrossesAnOpenSheetTouchesIt) {
    Mesh sheet;
    sheet.vertices_m = {{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}};
    sheet.triangles = {{0, 2, 1}, {0, 3, 2}};
    const auto tree = MeshTree::build(sheet);
    const auto hull =
        ConvexHull::from_points(std::vector<Vector3f>{{0, -0.1F, 0}, {0, 0.1F, 0}, {0.1F, 0, 0.05F}, {0, 0, 0.1F}});
    MeshTreeCounts counts;
    Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
    for (const float reach_m : {0.0F, 0.3F}) EXPECT_EQ(nearest(*tree, *hull, pose, reach_m, counts).distance_m, 0.0F);
    EXPECT_GE(nearest(*tree, *hull, pose, 0.0F, counts).triangle, 0);
    pose.translation().y() = 0.2F;
    EXPECT_LT(nearest(*tree, *hull, pose, 0.05F, counts).triangle, 0);
    EXPECT_NEAR(nearest(*tree, *hull, pose, 0.3F, counts).distance_m, 0.1F, 1e-6F);
}

TEST(MeshDepth, DistanceIsOneLipschitzAndRigid) {
    const auto tree = MeshTree::build(bumpy_torus(24, 14));
    Mesh moved_mesh = tree->mesh();
    RandomShapes random(95);
    const Eigen::Isometry3f moved = random.pose(0.5F);
    for (Vector3f& v : moved_mesh.vertices_m) v = moved * v;
    const auto moved_tree = MeshTree::build(moved_mesh);
    for (int i = 0; i < 2000; ++i) {
        const Vector3f p = random.vector(1.5F), q = p + random.vector(0.1F);
        const float at_p = tree->signed_distance(p);
        ASSERT_LE(std::abs(at_p - tree->signed_distance(q)), (p - q).norm() + 1e-6F);
        ASSERT_NEAR(moved_tree->signed_distance(moved * p), at_p, 3e-6F);
    }
}

}  // namespace
}  // namespace glovebox::collision
