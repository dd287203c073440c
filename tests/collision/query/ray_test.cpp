// Rays against brute force over triangles, closed forms, and dense samples of the distance.
#include "collision/query/ray.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "collision/box/convex_hull.h"
#include "collision/mesh/mesh_tree.h"
#include "tests/collision/made_meshes.h"
#include "tests/collision/random_shapes.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

constexpr float kEndless_m = std::numeric_limits<float>::infinity();

std::optional<RayHit> cast(const Ray& ray, const Shape& shape) {
    CollideCounts counts;
    return cast_ray(ray, shape, counts);
}

// The first crossing of any triangle, by barycentric coordinates in double; infinite if there is none.
double brute_force_m(const Mesh& mesh, const Eigen::Isometry3f& world_from_mesh, const Ray& ray) {
    const Eigen::Isometry3d pose = world_from_mesh.cast<double>();
    const Vector3d from = ray.from_m.cast<double>(), along = ray.direction.cast<double>().normalized();
    double first_m = std::numeric_limits<double>::infinity();
    for (const auto& corners : mesh.triangles) {
        const Vector3d a = pose * mesh.vertices_m[corners[0]].cast<double>();
        const Vector3d ab = pose * mesh.vertices_m[corners[1]].cast<double>() - a;
        const Vector3d ac = pose * mesh.vertices_m[corners[2]].cast<double>() - a;
        const Vector3d across = along.cross(ac);
        const double volume = ab.dot(across);
        if (volume == 0.0) continue;
        const double u = (from - a).dot(across) / volume;
        const Vector3d other = (from - a).cross(ab);
        const double v = along.dot(other) / volume, at_m = ac.dot(other) / volume;
        if (u < 0.0 || v < 0.0 || u + v > 1.0 || at_m < 0.0 || at_m > double{ray.length_m}) continue;
        first_m = std::min(first_m, at_m);
    }
    return first_m;
}

TEST(Ray, HitsTheFirstTriangleOfAMesh) {
    RandomShapes random(811);
    const Mesh torus = bumpy_torus(40, 16);
    const auto tree = MeshTree::build(torus);
    int hits = 0, inside = 0;
    constexpr int kRays = 3000;
    for (int i = 0; i < kRays; ++i) {
        const MeshInstance mesh{tree, random.pose(3.0F)};
        // Half of the rays begin far outside and aim at the torus, the others begin anywhere near it.
        const Vector3f near_m = mesh.world_from_mesh.translation() + random.vector(1.4F);
        Ray ray{near_m, random.size(0.1F, 10.0F) * random.direction(), i % 3 == 0 ? 1.0F : kEndless_m};
        if (i % 2 == 0) {
            ray.from_m = near_m + 5.0F * random.direction();
            ray.direction = near_m - ray.from_m;
        }
        const auto hit = cast(ray, mesh);
        MeshTreeCounts counts;
        if (tree->contains(mesh.world_from_mesh.inverse() * ray.from_m, counts)) {
            ASSERT_TRUE(hit);
            EXPECT_EQ(hit->distance_m, 0.0F);
            EXPECT_EQ(hit->triangle, -1);
            EXPECT_EQ(hit->point_m, ray.from_m);
            EXPECT_LT(hit->normal.dot(ray.direction), 0.0F);
            ++inside;
            continue;
        }
        const double expected_m = brute_force_m(torus, mesh.world_from_mesh, ray);
        ASSERT_EQ(hit.has_value(), std::isfinite(expected_m)) << i << ": " << expected_m;
        if (!hit) continue;
        ++hits;
        ASSERT_NEAR(hit->distance_m, expected_m, 2e-6 * (1.0 + expected_m)) << i;
        EXPECT_LT((hit->point_m - ray.from_m - hit->distance_m * ray.direction.normalized()).norm(), 1e-5F);
        EXPECT_NEAR(hit->normal.norm(), 1.0F, 1e-5F);
        EXPECT_LE(hit->normal.dot(ray.direction), 0.0F);
        ASSERT_GE(hit->triangle, 0);
        Mesh one = torus;
        one.triangles = {torus.triangles[static_cast<std::size_t>(hit->triangle)]};
        EXPECT_NEAR(brute_force_m(one, mesh.world_from_mesh, ray), expected_m, 1e-5) << "another triangle";
    }
    EXPECT_GT(hits, kRays / 5);
    EXPECT_LT(hits, kRays * 4 / 5);
    EXPECT_GT(inside, kRays / 20);
}

// A program that points at a vertex or an edge of its mesh must not look through it.
TEST(Ray, NoRayPassesBetweenTriangles) {
    const Mesh sphere = icosphere(3, 0.5F);
    const MeshInstance mesh{MeshTree::build(sphere)};
    for (std::size_t i = 0; i < sphere.triangles.size(); ++i) {
        const auto& corners = sphere.triangles[i];
        const Vector3f a = sphere.vertices_m[corners[0]], b = sphere.vertices_m[corners[1]];
        for (const Vector3f& target_m : {a, Vector3f(0.5F * (a + b))}) {
            const Vector3f from_m = 3.0F * target_m;
            const auto hit = cast({from_m, target_m - from_m}, mesh);
            ASSERT_TRUE(hit) << i;
            EXPECT_NEAR(hit->distance_m, (target_m - from_m).norm(), 1e-5F);
        }
    }
    // An axis of a box mesh meets only edges and corners of its faces' diagonals.
    const MeshInstance box{MeshTree::build(floor_and_wall())};
    for (const float x : {0.0F, 0.1F, 0.2F}) EXPECT_TRUE(cast({{x, 5.0F, 0.0F}, {0.0F, -1.0F, 0.0F}}, box)) << x;
}

TEST(Ray, HitsBothSidesOfAnOpenMesh) {
    const MeshInstance sheet{
        MeshTree::build({{{-1.0F, 0.0F, -1.0F}, {-1.0F, 0.0F, 1.0F}, {1.0F, 0.0F, 1.0F}, {1.0F, 0.0F, -1.0F}},
                         {{0, 1, 2}, {0, 2, 3}}})};
    for (const float side : {-1.0F, 1.0F}) {
        const auto hit = cast({{0.3F, side, 0.2F}, {0.0F, -side, 0.0F}}, sheet);
        ASSERT_TRUE(hit);
        EXPECT_FLOAT_EQ(hit->distance_m, 1.0F);
        EXPECT_LT((hit->normal - Vector3f(0.0F, side, 0.0F)).norm(), 1e-6F);
    }
    EXPECT_FALSE(cast({{-3.0F, 0.0F, 0.0F}, {1.0F, 0.0F, 0.0F}}, sheet)) << "along the sheet";
}

TEST(Ray, HitsABallWhereTheClosedFormSays) {
    RandomShapes random(812);
    int hits = 0;
    constexpr int kRays = 4000;
    for (int i = 0; i < kRays; ++i) {
        const float radius_m = random.size(0.005F, 0.5F);
        const Vector3f middle_m = random.vector(2.0F), from_m = random.vector(2.0F);
        // The direction passes the middle at 0 to 1.6 radii.
        const Vector3f to = middle_m - from_m;
        const Vector3f aside = to.cross(random.direction()).normalized() * radius_m * random.between(0.0F, 1.6F);
        const Ray ray{from_m, to + aside};
        const auto hit = cast(ray, RoundCone{middle_m, middle_m, radius_m, radius_m});
        const Vector3d along = ray.direction.cast<double>().normalized(), middle = to.cast<double>();
        const double half = along.dot(middle), under = half * half - middle.squaredNorm() + radius_m * radius_m;
        if (std::abs(under) < 1e-5) continue;  // grazes
        if (middle.norm() < radius_m) {
            ASSERT_TRUE(hit);
            EXPECT_EQ(hit->distance_m, 0.0F);
            continue;
        }
        ASSERT_EQ(hit.has_value(), under > 0.0 && half > 0.0) << i;
        if (!hit) continue;
        ++hits;
        // Where the ray meets the surface at a flat angle, a small distance from it is a longer way along the ray.
        const double flat = std::sqrt(under) / radius_m;
        ASSERT_NEAR(hit->distance_m, half - std::sqrt(under), 5e-6 / flat) << i;
        EXPECT_LT((hit->normal - (hit->point_m - middle_m).normalized()).norm(), 1e-2F);
    }
    EXPECT_GT(hits, kRays / 3);
    EXPECT_LT(hits, kRays * 9 / 10);
}

TEST(Ray, HitsConvexShapesWhereTheirDistanceIsFirstZero) {
    RandomShapes random(813);
    int hits = 0;
    constexpr int kRays = 900;
    for (int i = 0; i < kRays; ++i) {
        std::vector<Vector3f> points(12);
        for (Vector3f& point : points) point = random.vector(0.3F);
        Shape shape = HullInstance{ConvexHull::from_points(points), random.pose(1.0F)};
        if (i % 3 == 1) shape = random.cone(0.8F, 0.2F, 1.0F);
        if (i % 3 == 2) shape = RoundedBox{random.box(0.02F, 0.4F, 1.0F), random.between(0.0F, 0.1F)};
        const Vector3f from_m = random.vector(2.0F), target_m = bounding_box(shape).center_m + random.vector(0.25F);
        const Ray ray{from_m, target_m - from_m, 5.0F};
        const auto distance_at = [&](float at_m) {
            const Vector3f point_m = ray.from_m + at_m * ray.direction.normalized();
            Contact contact;
            CollideCounts counts;
            return closest(RoundCone{point_m, point_m, 0.0F, 0.0F}, shape, 1e6F, contact, counts) ? contact.distance_m
                                                                                                  : 1e6F;
        };
        const auto hit = cast(ray, shape);
        const float end_m = hit ? hit->distance_m : 5.0F;
        if (hit && end_m > 0.0F) {
            ++hits;
            ASSERT_NEAR(distance_at(end_m), 0.0F, 1e-5F) << i;
            EXPECT_LE(hit->normal.dot(ray.direction), 0.0F);
        }
        for (int k = 0; k < 200; ++k) ASSERT_GT(distance_at(0.005F * static_cast<float>(k) * end_m), -1e-5F) << i;
    }
    EXPECT_GT(hits, kRays / 4);
    EXPECT_LT(hits, kRays * 4 / 5);
}

TEST(Ray, EndsWhereItsLengthSays) {
    const Shape ball = RoundCone{Vector3f::Zero(), Vector3f::Zero(), 0.5F, 0.5F};
    const Shape mesh = MeshInstance{MeshTree::build(icosphere(4, 0.5F))};
    for (const Shape& shape : {ball, mesh}) {
        const Vector3f from_m(0.01F, 0.02F, 3.0F), direction(0.0F, 0.0F, -7.0F);
        const auto whole = cast({from_m, direction}, shape);
        ASSERT_TRUE(whole);
        EXPECT_NEAR(whole->distance_m, 2.5F, 3e-3F);
        EXPECT_TRUE(cast({from_m, direction, whole->distance_m + 1e-4F}, shape));
        EXPECT_FALSE(cast({from_m, direction, whole->distance_m - 1e-4F}, shape));
        EXPECT_FALSE(cast({from_m, -direction}, shape)) << "behind";
    }
}

TEST(Ray, HitsNothingIfItIsNoRay) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const Shape ball = RoundCone{Vector3f::Zero(), Vector3f::Zero(), 0.5F, 0.5F};
    const Shape mesh = MeshInstance{MeshTree::build(icosphere(2, 0.5F))};
    const Vector3f from_m(0.0F, 0.0F, 3.0F), down(0.0F, 0.0F, -1.0F);
    for (const Shape& shape : {ball, mesh}) {
        EXPECT_TRUE(cast({from_m, down}, shape));
        EXPECT_FALSE(cast({from_m, Vector3f::Zero()}, shape));
        EXPECT_FALSE(cast({from_m, {0.0F, nan, -1.0F}}, shape));
        EXPECT_FALSE(cast({from_m, {0.0F, 0.0F, -kEndless_m}}, shape));
        EXPECT_FALSE(cast({{0.0F, nan, 3.0F}, down}, shape));
        EXPECT_FALSE(cast({{0.0F, kEndless_m, 3.0F}, down}, shape));
        EXPECT_FALSE(cast({from_m, down, nan}, shape));
        EXPECT_FALSE(cast({from_m, down, -1.0F}, shape));
    }
}

}  // namespace
}  // namespace glovebox::collision
