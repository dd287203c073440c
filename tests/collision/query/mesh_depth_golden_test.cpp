// Depth in non-convex meshes: sign and distance against oracles without trees, pseudonormals or searches.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

#include "collision/mesh/inside_grid.h"
#include "collision/mesh/mesh_tree.h"
#include "collision/query/convex.h"
#include "collision/query/hull_mesh.h"
#include "collision/survey/tree/sample_meshes.h"
#include "tests/collision/made_meshes.h"
#include "tests/collision/random_shapes.h"
#include "tests/collision/slow_signed_distance.h"

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

Mesh shifted_mesh(Mesh mesh, const Vector3f& by_m) {
    for (Vector3f& vertex_m : mesh.vertices_m) vertex_m += by_m;
    return mesh;
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
            if (i % 2 == 0) {  // half of the points are near the surface
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
    all.push_back(
        {"two that overlap", joined(icosphere(2, 1.0F), shifted_mesh(icosphere(2, 1.0F), {0.7F, 0.1F, 0.0F}))});
    all.push_back({"faces inwards", turned_round(bumpy_torus(24, 14))});
    std::map<long, int> seen;
    for (const Solid& solid : all) {
        RandomShapes random(95);
        for (int i = 0; i < 500; ++i) {
            Vector3d point = random.vector(1.3F).cast<double>();
            // The ray is along x, through a corner or along an edge.
            const auto& t = solid.mesh.triangles[static_cast<std::size_t>(i * 7) % solid.mesh.triangles.size()];
            if (i % 3 == 0) point.tail<2>() = solid.mesh.vertices_m[t[0]].cast<double>().tail<2>();
            if (i % 3 == 1) point.z() = solid.mesh.vertices_m[t[0]].cast<double>().z();
            if (distance_to_triangles(solid.mesh, point) < 1e-6) continue;
            const double turns = slow_winding_number(solid.mesh, point);
            ASSERT_EQ(winding_number(solid.mesh, point), std::lround(turns)) << solid.name << ", " << point.transpose();
            ++seen[std::lround(turns)];
        }
    }
    for (const long turns : {-1L, 0L, 1L, 2L}) EXPECT_GT(seen[turns], 50) << turns;
}

// Scans sometimes fold over themselves: the face in front of the fold has the wrong side, and its pseudonormal may too.
// The side must still be right for points at least a grid cell from the surface.
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
        const bool is_inside = slow_winding_number(mesh, point) > 0.5;
        ASSERT_EQ(found.distance_m < 0.0, is_inside) << point.transpose();
        inside += is_inside ? 1 : 0;
        misled += ((point - found.nearest_m).dot(found.outward) < 0.0) != is_inside ? 1 : 0;
    }
    EXPECT_GT(inside, 200);
    EXPECT_GT(misled, 5) << "no fold misled a pseudonormal: nothing was tested";
}

TEST(MeshDepth, WhatTwoPartsShareIsInside) {
    const auto tree = MeshTree::build(joined(icosphere(3, 1.0F), shifted_mesh(icosphere(3, 1.0F), {0.9F, 0.0F, 0.0F})));
    // Inside the first, just outside the second, whose hidden surface is nearest.
    EXPECT_LT(tree->signed_distance({-0.35F, 0.0F, 0.0F}), 0.0F);
    EXPECT_LT(tree->signed_distance({0.45F, 0.0F, 0.0F}), 0.0F);
    EXPECT_GT(tree->signed_distance({-1.3F, 0.0F, 0.0F}), 0.0F);
}

TEST(MeshDepth, TrianglesWithoutAreaHaveNoSay) {
    Mesh cube = box_mesh({0.5F, 0.5F, 0.5F});
    Mesh mesh = cube;
    mesh.triangles.clear();
    for (const auto& t : cube.triangles) {
        mesh.triangles.push_back({t[0], t[0], t[1]});
        mesh.triangles.push_back({t[1], t[2], t[2]});
    }
    mesh.triangles.insert(mesh.triangles.end(), cube.triangles.begin(), cube.triangles.end());
    const auto tree = MeshTree::build(mesh);
    ASSERT_TRUE(tree->closed());
    RandomShapes random(98);
    int inside = 0;
    for (int i = 0; i < 2000; ++i) {
        // Near the diagonals and edges, on which the collapsed triangles lie.
        const auto& t = cube.triangles[static_cast<std::size_t>(i) % cube.triangles.size()];
        const float s = random.between(0.0F, 1.0F);
        const Vector3f point =
            random.between(0.5F, 1.1F) * ((1.0F - s) * cube.vertices_m[t[0]] + s * cube.vertices_m[t[1]]);
        const float deepest = point.cwiseAbs().maxCoeff() - 0.5F;
        const float expected = deepest < 0.0F ? deepest : (point.cwiseAbs().array() - 0.5F).max(0.0F).matrix().norm();
        ASSERT_NEAR(tree->signed_distance(point), expected, 1e-6F) << point.transpose();
        MeshTreeCounts counts;
        const MeshHit ball = tree->nearest(RoundCone{point, point, 0.01F, 0.01F}, 2.0F, counts);
        ASSERT_NEAR(ball.distance_m, expected - 0.01F, 1e-5F) << point.transpose();
        inside += expected < -1e-3F ? 1 : 0;
    }
    EXPECT_GT(inside, 500);
}

TEST(MeshDepth, ASmoothTorusHasItsFormula) {
    const auto tree = MeshTree::build(torus(160, 80));
    RandomShapes random(92);
    for (int i = 0; i < 500; ++i) {
        const Vector3f p = random.vector(1.5F);
        // The torus's axis is one of the coordinate axes: the one for which its own vertices satisfy the formula.
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
            // Sampling misses the minimum by at most half a step, and our depth is at least the sampled one.
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

// Pegs and ribs, thinner and thicker than half a finger: each must be searched to find the deepest.
TEST(MeshDepth, AFingerThatPegsOrRibsCrossIsAsDeepAsTheDeepestOfThem) {
    RandomShapes random(103);
    int crossed = 0, several = 0;
    for (int round = 0; round < 300; ++round) {
        Mesh crossing;
        for (int i = 0; i < 7; ++i) {
            const float r = random.between(0.0005F, 0.003F);
            const Vector3f half_m(r, random.between(0.01F, 0.02F), round % 2 == 0 ? r : 0.05F);
            crossing =
                joined(crossing, shifted_mesh(box_mesh(half_m), {0.01F * static_cast<float>(i - 3), 0.0F, 0.0F}));
        }
        const auto tree = MeshTree::build(crossing);
        const Vector3f at(random.between(-0.03F, 0.0F), random.between(-0.008F, 0.008F), random.between(-0.01F, 0.01F));
        const Vector3f along = (Vector3f::UnitX() + random.vector(0.5F)).normalized() * random.between(0.02F, 0.05F);
        const RoundCone bone{at, at + along, random.between(0.005F, 0.01F), random.between(0.005F, 0.01F)};
        double expected = 1e300;
        for (int k = 0; k <= 2000; ++k) {
            const auto s = static_cast<float>(k) / 2000.0F;
            const float distance_m = tree->signed_distance(bone.a_m + s * along);
            const float radius_m = bone.radius_a_m + s * (bone.radius_b_m - bone.radius_a_m);
            expected = std::min(expected, double{distance_m} - double{radius_m});
        }
        int pegs = 0;
        for (int i = 0; i < 7; ++i) {
            const float x = 0.01F * static_cast<float>(i - 3);
            pegs += at.x() < x && x < at.x() + along.x() ? 1 : 0;
        }
        if (!(expected < -double{std::min(bone.radius_a_m, bone.radius_b_m)})) continue;
        ++crossed;
        several += pegs > 2 ? 1 : 0;
        MeshTreeCounts counts;
        ASSERT_NEAR(tree->nearest(bone, 0.1F, counts).distance_m, expected, 5e-4 * double{along.norm()}) << round;
    }
    EXPECT_GT(crossed, 150);
    EXPECT_GT(several, 100);
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
        // Most points of the search must be bounded by triangles found before, without descending the tree.
        EXPECT_LT(box_tests / std::max(1, deep), 8000) << solid.name;
    }
}

// Palms and hulls partly inside a ring as thick as they, or across pegs: the depth has many local maxima. The oracle
// climbs in small steps from the deepest point of a dense grid, which gives a lower bound.
void expect_the_deepest(const char* solid, int rounds, int needed, int most_unfinished,
                        const std::function<Mesh(RandomShapes&)>& make,
                        const std::function<Vector3f(RandomShapes&, const Mesh&)>& place) {
    RandomShapes random(104);
    int deep = 0;
    std::int64_t unfinished = 0;
    for (int round = 0; round < rounds; ++round) {
        const Mesh mesh = make(random);
        const auto tree = MeshTree::build(mesh);
        const RoundedBox palm{{place(random, mesh), random.rotation(), {0.04F, 0.01F, 0.035F}}, 0.004F};
        std::vector<Vector3f> corners;
        for (int k = 0; k < 10; ++k) corners.push_back(Vector3f(0.04F, 0.02F, 0.035F).cwiseProduct(random.direction()));
        const auto hull = ConvexHull::from_points(corners);
        Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
        pose.linear() = palm.core.axes;
        pose.translation() = palm.core.center_m;
        const Eigen::Isometry3d hull_from_mesh = pose.inverse().cast<double>();
        const auto uphill = [&](Vector3f at, float step_m, const auto& into_core) {
            double least = static_cast<double>(tree->signed_distance(at));
            for (int i = 0; i < 400 && step_m > 2e-6F; ++i) {
                const Vector3f next = into_core(Vector3f(at + step_m * random.direction()));
                const auto there = static_cast<double>(tree->signed_distance(next));
                step_m *= there < least ? 1.5F : 0.93F;
                if (there < least) {
                    least = there;
                    at = next;
                }
            }
            return least;
        };
        const auto into_palm = [&](const Vector3f& at) -> Vector3f {
            const Vector3f q = palm.core.axes.transpose() * (at - palm.core.center_m);
            return palm.core.center_m + palm.core.axes * q.cwiseMin(palm.core.half_m).cwiseMax(-palm.core.half_m);
        };
        const ConvexCore hull_core(*hull, Eigen::Isometry3d::Identity());
        const auto into_hull = [&](const Vector3f& at) -> Vector3f {
            const Vector3d q = hull_from_mesh * at.cast<double>();
            const ConvexPair pair = closest(hull_core, ConvexCore(Triangle{q, q, q}));
            return pair.distance > 0.0 ? Vector3f(pose * pair.on_a.cast<float>()) : at;
        };
        const auto deepest_of = [&](const auto& into_core) {
            Vector3f deepest_at = palm.core.center_m;
            double least = 0.0;
            for (int k = 0; k < 25 * 9 * 25; ++k) {
                const Vector3f q(static_cast<float>(k % 25) / 12.0F - 1.0F,
                                 static_cast<float>(k / 25 % 9) / 4.0F - 1.0F,
                                 static_cast<float>(k / 225) / 12.0F - 1.0F);
                const Vector3f at =
                    into_core(Vector3f(palm.core.center_m + palm.core.axes * q.cwiseProduct(palm.core.half_m)));
                const auto there = static_cast<double>(tree->signed_distance(at));
                if (there < least) deepest_at = at;
                least = std::min(least, there);
            }
            return uphill(deepest_at, 0.003F, into_core);
        };
        const double of_palm = deepest_of(into_palm), of_hull = deepest_of(into_hull);
        if (of_palm < -0.001) {
            ++deep;
            MeshTreeCounts counts;
            const double found = static_cast<double>(tree->nearest(palm, 1.0F, counts).distance_m) + 0.004;
            ASSERT_LE(found, of_palm + (counts.unfinished == 0 ? 1e-4 : 1e-2) * 0.108) << solid << ", palm " << round;
            unfinished += counts.unfinished;
        }
        if (of_hull < -0.001) {
            ++deep;
            MeshTreeCounts counts;
            const MeshHit hit = nearest(*tree, *hull, pose, 1.0F, counts);
            unfinished += counts.unfinished;
            const double size_m = 2.0 * static_cast<double>(hull->box().half_m.norm());
            ASSERT_LE(hit.distance_m, of_hull + (counts.unfinished == 0 ? 1e-4 : 1e-2) * size_m + 3e-6)
                << solid << ", hull " << round;
            ASSERT_LT((into_hull(hit.on_shape_m) - hit.on_shape_m).norm(), 2e-5F) << "a point of the hull";
            ASSERT_NEAR(tree->signed_distance(hit.on_shape_m), hit.distance_m, 1e-5F) << "that is as deep as said";
        }
    }
    EXPECT_GT(deep, needed) << solid;
    EXPECT_LE(unfinished, most_unfinished) << solid;
}
TEST(MeshDepth, APalmOrAHullThatARingCrossesIsAsDeepAsItsDeepestPoint) {
    const auto ring = [](RandomShapes&) {
        Mesh mesh = bumpy_torus(48, 24);
        for (Vector3f& vertex_m : mesh.vertices_m) vertex_m *= 0.06F;
        return mesh;
    };
    expect_the_deepest("ring", 40, 60, 0, ring, [](RandomShapes& random, const Mesh& mesh) -> Vector3f {
        const float which = random.between(0.0F, static_cast<float>(mesh.vertices_m.size()) - 1.0F);
        return random.between(0.03F, 0.08F) * mesh.vertices_m[static_cast<std::size_t>(which)].normalized();
    });
}
TEST(MeshDepth, APalmOrAHullAcrossPegsIsAsDeepAsTheDeepestOfThem) {
    const auto pegs = [](RandomShapes& random) {
        Mesh mesh;
        for (int i = 0; i < 5; ++i) {
            const float r = random.between(0.001F, 0.005F), x = 0.016F * static_cast<float>(i - 2);
            mesh = joined(mesh, shifted_mesh(box_mesh({r, random.between(0.02F, 0.05F), r}),
                                             {x, random.between(-0.01F, 0.01F), random.between(-0.01F, 0.01F)}));
        }
        return mesh;
    };
    expect_the_deepest("pegs", 30, 30, 5, pegs,
                       [](RandomShapes& random, const Mesh&) -> Vector3f { return random.vector(0.008F); });
}

// Boxes and hulls that barely penetrate nails or a corner: proving that the parts above them are outside is hard.
TEST(MeshDepth, ABoxThatIsHardlyInNailsIsAsDeepAsTheyReachIntoIt) {
    Mesh nails;
    for (int i = 0; i < 25; ++i)
        nails =
            joined(nails, shifted_mesh(box_mesh({0.002F, 0.03F, 0.002F}), {0.015F * static_cast<float>(i % 5 - 2), 0.0F,
                                                                           0.015F * static_cast<float>(i / 5 - 2)}));
    const auto bed = MeshTree::build(nails);
    RandomShapes random(105);
    std::int64_t unfinished = 0;
    for (int round = 0; round < 40; ++round) {
        const float deep_m = random.between(0.0002F, 0.0019F);
        const Eigen::AngleAxisf turn(random.between(-3.0F, 3.0F), Vector3f::UnitY());
        const Vector3f at(random.between(-0.01F, 0.01F), 0.04F - deep_m, random.between(-0.01F, 0.01F));
        const RoundedBox box{{at, turn.toRotationMatrix(), {0.04F, 0.01F, 0.035F}}, 0.0F};
        MeshTreeCounts counts;
        // Half a nail's thickness exceeds its penetration, so the surface nearest to its centre line is the top.
        ASSERT_NEAR(bed->nearest(box, 0.1F, counts).distance_m, -deep_m, 1.2e-5F) << round;
        unfinished += counts.unfinished;
    }
    EXPECT_LT(unfinished, 20);
}
TEST(MeshDepth, ABoxInACornerIsAsDeepAsItsEdge) {
    const auto corner = MeshTree::build(floor_and_wall());
    ASSERT_TRUE(corner->closed());
    for (const float floor_m : {0.02F, 0.005F, 0.0005F, 0.0001F})
        for (const float wall_m : {0.01F, 0.003F, 0.0003F}) {
            const RoundedBox box{
                {{0.04F - wall_m, 0.015F - floor_m, 0.02F}, Eigen::Matrix3f::Identity(), {0.04F, 0.015F, 0.03F}}, 0.0F};
            MeshTreeCounts counts;
            ASSERT_NEAR(corner->nearest(box, 0.1F, counts).distance_m, -std::hypot(floor_m, wall_m), 1.1e-5F)
                << floor_m << ", " << wall_m;
            EXPECT_EQ(counts.unfinished, 0);
        }
}

// In a convex solid, a point's depth is its distance to the nearest facet plane. Climbing in small steps must find no
// deeper point, and the reported point must be that deep.
TEST(MeshDepth, InAConvexSolidTheDeepestPointIsFound) {
    RandomShapes random(99);
    int boxes = 0, cones = 0, hulls = 0;
    for (int round = 0; round < 60; ++round) {
        std::vector<Vector3f> points;
        for (int k = 0; k < 14; ++k) points.push_back(random.between(0.6F, 1.0F) * random.direction());
        const auto solid = ConvexHull::from_points(points);
        Mesh mesh;
        mesh.vertices_m.assign(solid->corners_m().begin(), solid->corners_m().end());
        std::vector<std::pair<Vector3d, double>> planes;
        for (const auto& facet : solid->facets()) {
            mesh.triangles.push_back({static_cast<std::uint32_t>(facet[0]), static_cast<std::uint32_t>(facet[1]),
                                      static_cast<std::uint32_t>(facet[2])});
            const Triangle t = triangle_of(mesh, static_cast<int>(mesh.triangles.size()) - 1);
            const Vector3d normal = (t[1] - t[0]).cross(t[2] - t[0]).normalized();
            planes.emplace_back(normal, normal.dot(t[0]));
        }
        const auto tree = MeshTree::build(mesh);
        const auto depth_at = [&](const Vector3d& x) {
            double depth = 1e300;
            for (const auto& [normal, height] : planes) depth = std::min(depth, height - normal.dot(x));
            return depth;
        };
        // Maximizes over q in a cube, which is mapped to the core.
        const auto most = [&](const auto& depth_of) {
            Vector3d best = Vector3d::Zero();
            for (double step = 0.7; step > 1e-5; step *= 0.9)
                for (int i = 0; i < 120; ++i) {
                    const Vector3d q = (best + step * random.vector(1.0F).cast<double>()).cwiseMin(1.0).cwiseMax(-1.0);
                    if (depth_of(q) > depth_of(best)) best = q;
                }
            return depth_of(best);
        };
        const auto expect_deepest = [&](const MeshHit& hit, float radius_m, double size_m, double depth) {
            EXPECT_LE(hit.distance_m, -depth - double{radius_m} + 1e-4 * size_m + 1e-6) << "solid " << round;
            const Vector3f core_point = hit.on_shape_m - radius_m * hit.normal;
            EXPECT_NEAR(hit.distance_m, -depth_at(core_point.cast<double>()) - double{radius_m}, 1e-5)
                << "solid " << round;
            return core_point;
        };
        for (int i = 0; i < 4; ++i) {
            MeshTreeCounts counts;
            const RoundedBox palm{random.box(0.1F, 0.5F, 0.4F), 0.05F};
            const double size_m = 2.0 * static_cast<double>(palm.core.half_m.norm());
            const auto in_palm = [&](const Vector3d& q) -> Vector3d {
                return palm.core.center_m.cast<double>() +
                       palm.core.axes.cast<double>() * q.cwiseProduct(palm.core.half_m.cast<double>());
            };
            if (const double depth = most([&](const Vector3d& q) { return depth_at(in_palm(q)); }); depth > 0.02) {
                const Vector3f at = expect_deepest(tree->nearest(palm, 1.0F, counts), 0.05F, size_m, depth);
                const Vector3f in_core = palm.core.axes.transpose() * (at - palm.core.center_m);
                EXPECT_LE((in_core.cwiseAbs() - palm.core.half_m).maxCoeff(), 1e-5F) << "solid " << round;
                ++boxes;
            }
            const RoundCone bone{random.vector(0.6F), random.vector(0.6F), 0.05F, 0.02F};
            const auto along = [&](const Vector3d& q) {
                const double s = 0.5 + 0.5 * q.x();
                return depth_at(((1.0 - s) * bone.a_m.cast<double>() + s * bone.b_m.cast<double>())) + 0.05 - 0.03 * s;
            };
            if (const double depth = most(along); depth > 0.07) {
                EXPECT_LE(tree->nearest(bone, 1.0F, counts).distance_m,
                          -depth + 1e-4 * static_cast<double>((bone.b_m - bone.a_m).norm()) + 1e-6)
                    << "bone " << round;
                ++cones;
            }
            std::vector<Vector3f> corners = box_mesh(palm.core.half_m).vertices_m;
            for (Vector3f& corner : corners) corner = palm.core.center_m + palm.core.axes * corner;
            const auto hull = ConvexHull::from_points(corners);
            if (const double depth = most([&](const Vector3d& q) { return depth_at(in_palm(q)); }); depth > 0.02) {
                expect_deepest(nearest(*tree, *hull, Eigen::Isometry3f::Identity(), 1.0F, counts), 0.0F, size_m, depth);
                ++hulls;
            }
        }
    }
    EXPECT_GT(boxes, 60);
    EXPECT_GT(cones, 60);
    EXPECT_GT(hulls, 60);
}

// A shape that contains the ball's centre is as deep as that point. The search for the centre of equally deep points
// must not lose depth.
TEST(MeshDepth, WhatHoldsTheMiddleOfABallIsAsDeepAsThat) {
    RandomShapes random(106);
    for (int subdivisions = 2; subdivisions < 5; ++subdivisions) {
        const auto ball = MeshTree::build(icosphere(subdivisions, 0.06F));
        const float middle_m = ball->signed_distance(Vector3f::Zero());
        for (int i = 0; i < 60; ++i) {
            const Vector3f half_m(random.between(0.01F, 0.1F), random.between(0.01F, 0.1F),
                                  random.between(0.01F, 0.1F));
            const Eigen::Matrix3f axes = random.rotation();
            const Vector3f at = axes * random.vector(0.9F).cwiseProduct(half_m);
            const float max_m = middle_m + 1e-4F * 2.0F * half_m.norm() + 1e-7F;
            MeshTreeCounts counts;
            EXPECT_LE(ball->nearest(RoundedBox{{at, axes, half_m}, 0.0F}, 1.0F, counts).distance_m, max_m) << i;
            const Vector3f end = random.between(0.0F, 1.0F) * at;
            const RoundCone bone{end, -0.7F * end, 0.01F, 0.01F};
            EXPECT_LE(ball->nearest(bone, 1.0F, counts).distance_m,
                      middle_m - 0.01F + 1e-4F * 1.7F * end.norm() + 1e-7F)
                << i;
            Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
            pose.linear() = axes;
            pose.translation() = at;
            EXPECT_LE(
                nearest(*ball, *ConvexHull::from_points(box_mesh(half_m).vertices_m), pose, 1.0F, counts).distance_m,
                max_m)
                << i;
            EXPECT_EQ(counts.unfinished, 0);
        }
    }
}

// Through a plate: the space on either side is empty, so only the slab between two planes remains.
TEST(MeshDepth, WhatGoesThroughAPlateIsAsDeepAsItIsThick) {
    RandomShapes random(107);
    const auto plate = MeshTree::build(box_mesh({0.1F, 0.001F, 0.1F}));
    std::int64_t unfinished = 0;
    for (int i = 0; i < 100; ++i) {
        const RoundedBox palm{{random.vector(0.02F), random.rotation(), {0.04F, 0.01F, 0.035F}}, 0.0F};
        MeshTreeCounts counts;
        if (!(std::abs(palm.core.center_m.y()) < (palm.core.axes * palm.core.half_m.asDiagonal()).row(1).norm()))
            continue;
        ASSERT_NEAR(plate->nearest(palm, 1.0F, counts).distance_m, -0.001F, 1.1e-5F) << i;
        unfinished += counts.unfinished;
    }
    EXPECT_LT(unfinished, 5);
}

// A ball is a cone of zero length with the larger end's radius, inside and outside.
TEST(MeshDepth, AConeWithoutLengthIsItsLargerEnd) {
    const auto block = MeshTree::build(box_mesh({0.1F, 0.1F, 0.1F}));
    for (const float height_m : {0.15F, 0.11F, 0.1F, 0.09F, 0.05F})
        for (const auto& [a_m, b_m] : {std::pair{0.01F, 0.03F}, {0.03F, 0.01F}}) {
            const Vector3f at(0.01F, height_m, 0.0F);
            MeshTreeCounts counts;
            const MeshHit hit = block->nearest(RoundCone{at, at, a_m, b_m}, 1.0F, counts);
            EXPECT_NEAR(hit.distance_m, height_m - 0.1F - 0.03F, 1e-6F) << height_m;
            EXPECT_NEAR(hit.on_shape_m.y(), height_m - 0.03F, 1e-6F) << height_m;
        }
}

// All points of a flat side are equally deep: the normal must be the table top's, not that of the table's edge.
TEST(MeshDepth, WhatLiesFlatOnABlockIsPushedOutOfItsTop) {
    const auto block = MeshTree::build(box_mesh({0.02F, 0.02F, 0.02F}));
    RandomShapes random(102);
    for (int i = 0; i < 200; ++i) {
        const float depth_m = random.between(0.0002F, 0.002F);
        const Vector3f at(random.between(-0.01F, 0.01F), 0.02F, random.between(-0.01F, 0.01F));
        const Eigen::AngleAxisf turn(random.between(-3.0F, 3.0F), Vector3f::UnitY());
        MeshTreeCounts counts;
        const RoundedBox palm{
            {at + Vector3f(0.0F, 0.015F - depth_m, 0.0F), turn.toRotationMatrix(), {0.03F, 0.01F, 0.04F}}, 0.005F};
        RoundedBox deep = palm;
        deep.core.center_m.y() -= 0.005F;
        for (const RoundedBox& box : {palm, deep}) {
            const MeshHit hit = block->nearest(box, 0.0F, counts);
            ASSERT_NEAR(hit.distance_m, box.core.center_m.y() - 0.015F - 0.02F, 2e-5F) << i;
            EXPECT_LT(hit.normal.y(), -0.999F) << i;
        }
        Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
        pose.linear() = palm.core.axes;
        pose.translation() = palm.core.center_m;
        const auto hull = ConvexHull::from_points(box_mesh({0.03F, 0.015F, 0.04F}).vertices_m);
        const MeshHit hit = nearest(*block, *hull, pose, 0.0F, counts);
        ASSERT_NEAR(hit.distance_m, -depth_m, 2e-5F) << i;
        EXPECT_LT(hit.normal.y(), -0.999F) << i;
    }
}

// Any object that crosses a core is touching, however small it is.
TEST(MeshDepth, APalmThatAPegCrossesIsNeverApart) {
    RandomShapes random(101);
    int crossed = 0;
    for (int round = 0; round < 300; ++round) {
        Mesh pegs;
        for (int i = 0; i < 3; ++i) {
            const float r = random.between(0.002F, 0.005F);
            pegs = joined(pegs, shifted_mesh(box_mesh({r, 0.06F, r}),
                                             {-0.04F + 0.04F * static_cast<float>(i), random.between(-0.06F, -0.03F),
                                              random.between(-0.03F, 0.03F)}));
        }
        const auto tree = MeshTree::build(pegs);
        const Eigen::AngleAxisf turn(random.between(-0.3F, 0.3F), random.direction());
        const RoundedBox palm{{{0.0F, 0.02F, 0.0F}, turn.toRotationMatrix(), {0.045F, 0.01F, 0.04F}}, 0.0F};
        bool crosses = false;
        for (int i = 0; i < static_cast<int>(pegs.triangles.size()); ++i)
            crosses = crosses || closest(ConvexCore(palm.core), ConvexCore(triangle_of(pegs, i))).distance < -1e-4;
        if (!crosses) continue;
        ++crossed;
        MeshTreeCounts counts;
        ASSERT_LE(tree->nearest(palm, 0.1F, counts).distance_m, 1e-6F) << round;
    }
    EXPECT_GT(crossed, 100);
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
            ASSERT_LE(hit.distance_m, deepest_corner + 3e-5) << round;
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
