#include "collision/contact/contact_points.h"

#include <gtest/gtest.h>

#include <cmath>

#include "collision/box/convex_hull.h"
#include "collision/mesh/mesh_tree.h"
#include "collision/survey/tree/sample_meshes.h"
#include "tests/collision/made_meshes.h"
#include "tests/collision/random_shapes.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3f;

// Divides every triangle into four, `times` times; the surface stays the same.
Mesh finer(Mesh mesh, int times) {
    for (int round = 0; round < times; ++round) {
        Mesh next;
        for (const auto& t : mesh.triangles) {
            const auto first = static_cast<std::uint32_t>(next.vertices_m.size());
            const Vector3f &a = mesh.vertices_m[t[0]], &b = mesh.vertices_m[t[1]], &c = mesh.vertices_m[t[2]];
            for (const Vector3f& v :
                 {a, b, c, Vector3f(0.5F * (a + b)), Vector3f(0.5F * (b + c)), Vector3f(0.5F * (c + a))})
                next.vertices_m.push_back(v);
            for (const auto& [i, j, k] : {std::array{0U, 3U, 5U}, {3U, 1U, 4U}, {5U, 4U, 2U}, {3U, 4U, 5U}})
                next.triangles.push_back({first + i, first + j, first + k});
        }
        mesh = std::move(next);
    }
    return mesh;
}

Shape instance(Mesh mesh) {
    return MeshInstance{MeshTree::build(std::move(mesh))};
}

ContactPoints contact_points_of(const Shape& bone, const Shape& object, float reach_m = 0.0F) {
    CollideCounts counts;
    return contact_points(bone, object, reach_m, counts);
}

// Expects the same points in any order: each matches one of the other's in position, normal and depth.
void expect_same(const ContactPoints& found, const ContactPoints& expected, float tolerance_m,
                 const std::string& what) {
    ASSERT_EQ(found.count, expected.count) << what;
    for (const Contact& point : found.all()) {
        bool known = false;
        for (const Contact& other : expected.all())
            known = known || ((point.on_object_m - other.on_object_m).norm() <= tolerance_m &&
                              std::abs(point.distance_m - other.distance_m) <= tolerance_m &&
                              point.normal.dot(other.normal) > 0.9999F);
        EXPECT_TRUE(known) << what << ": " << point.on_object_m.transpose() << ", gap " << point.distance_m;
    }
}

// A finger lying 1 mm deep on a table 1 m wide, across many edges of the table's mesh.
const RoundCone kLying = {{-0.021F, 0.107F, 0.013F}, {0.017F, 0.107F, -0.024F}, 0.008F, 0.008F};

TEST(ContactPoints, AFingerThatLiesOnATableTouchesWithBothEndsHoweverFineTheTable) {
    ContactPoints coarse;
    for (const int times : {0, 1, 2, 3, 4, 5, 6}) {  // 1x to 64x finer along each edge
        const Shape table = instance(finer(box_mesh({0.5F, 0.1F, 0.5F}), times));
        const ContactPoints found = contact_points_of(kLying, table);
        ASSERT_EQ(found.count, 2U) << times;
        for (const Contact& point : found.all()) {
            EXPECT_NEAR(point.distance_m, -0.001F, 1e-6F);
            EXPECT_LT(point.normal.y(), -0.99999F) << "the table's normal alone";
        }
        if (times == 0) coarse = found;
        expect_same(found, coarse, 2e-6F, std::to_string(times));
    }
    // The same table as a solid box instead of a mesh.
    expect_same(
        contact_points_of(kLying, RoundedBox{{Vector3f::Zero(), Eigen::Matrix3f::Identity(), {0.5F, 0.1F, 0.5F}}}),
        coarse, 2e-6F, "box");
}

TEST(ContactPoints, APalmOnATableRestsOnItsFourCorners) {
    const RoundedBox palm{{Vector3f(0.01F, 0.1145F, -0.02F),
                           Eigen::AngleAxisf(0.3F, Vector3f::UnitY()).toRotationMatrix(),
                           {0.04F, 0.005F, 0.03F}},
                          0.01F};
    ContactPoints coarse;
    for (const int times : {0, 2, 4}) {
        const ContactPoints found = contact_points_of(palm, instance(finer(box_mesh({0.5F, 0.1F, 0.5F}), times)));
        ASSERT_EQ(found.count, 4U) << times;
        for (const Contact& point : found.all()) EXPECT_NEAR(point.distance_m, -0.0005F, 1e-6F);
        if (times == 0) coarse = found;
        expect_same(found, coarse, 2e-6F, std::to_string(times));
    }
}

TEST(ContactPoints, AFingerOverTheEdgeOfATableTouchesItAlongTheRest) {
    const RoundCone over{{0.47F, 0.107F, 0.01F}, {0.53F, 0.107F, 0.02F}, 0.008F, 0.008F};
    ContactPoints coarse;
    for (const int times : {0, 1, 3, 5}) {
        const ContactPoints found = contact_points_of(over, instance(finer(box_mesh({0.5F, 0.1F, 0.5F}), times)));
        ASSERT_EQ(found.count, 2U) << times;
        float furthest = 0.0F;
        for (const Contact& point : found.all()) furthest = std::max(furthest, point.on_object_m.x());
        EXPECT_NEAR(furthest, 0.5F, 1e-5F) << "up to the border";
        if (times == 0) coarse = found;
        expect_same(found, coarse, 1e-5F, std::to_string(times));
    }
}

TEST(ContactPoints, AFingertipInACornerTouchesEveryWall) {
    // The inside of a box: its triangles are reversed.
    Mesh room = box_mesh({0.5F, 0.5F, 0.5F});
    for (auto& t : room.triangles) std::swap(t[1], t[2]);
    room.triangles.resize(10);  // one side is open: a room without a front wall
    const RoundCone tip{{-0.493F, -0.494F, 0.0F}, {-0.493F, -0.494F, 0.0F}, 0.008F, 0.008F};
    for (const int times : {0, 2, 4}) {
        const ContactPoints found = contact_points_of(tip, instance(finer(room, times)));
        ASSERT_EQ(found.count, 2U) << times;
        EXPECT_NEAR(found.points[0].distance_m, -0.002F, 1e-6F);
        EXPECT_NEAR(found.points[1].distance_m, -0.001F, 1e-6F);
        EXPECT_NEAR(found.points[0].normal.dot(found.points[1].normal), 0.0F, 1e-5F);
    }
}

TEST(ContactPoints, ABallIsTouchedInOnePlaceHoweverRound) {
    // The ball's facets are flat, so two edges of a facet may give contact points; nothing further away does.
    const RoundCone finger{{-0.03F, 0.1075F, 0.002F}, {0.04F, 0.1075F, -0.004F}, 0.008F, 0.008F};
    for (const int subdivisions : {2, 3, 4}) {
        const ContactPoints found = contact_points_of(finger, instance(icosphere(subdivisions, 0.1F)));
        ASSERT_GE(found.count, 1U) << subdivisions;
        ASSERT_LE(found.count, 2U) << subdivisions;
        for (const Contact& point : found.all()) {
            EXPECT_NEAR(point.on_object_m.x(), 0.0F, subdivisions < 3 ? 0.03F : 8e-3F) << subdivisions;
            EXPECT_LT(point.normal.y(), -0.98F);
        }
        if (subdivisions == 4) {
            EXPECT_NEAR(found.points[0].distance_m, -0.0005F, 2e-4F);
        }
    }
}

TEST(ContactPoints, SlidingOverATessellatedTableMeetsNoEdge) {
    const Shape table = instance(finer(box_mesh({0.5F, 0.1F, 0.5F}), 5));
    Contact last;
    for (int i = 0; i < 400; ++i) {
        const Vector3f shift(0.0007F * static_cast<float>(i), 0.0F, 0.0003F * static_cast<float>(i));
        const ContactPoints found =
            contact_points_of(RoundCone{kLying.a_m + shift, kLying.b_m + shift, 0.008F, 0.008F}, table);
        ASSERT_EQ(found.count, 2U) << i;
        for (const Contact& point : found.all()) {
            ASSERT_LT(point.normal.y(), -0.999999F) << i;
            ASSERT_NEAR(point.distance_m, -0.001F, 1e-6F) << i;
        }
    }
}

// Makes a flat table of n x n cells at height 0, closed below.
Mesh table_of(int n, float side_m) {
    Mesh mesh;
    const auto at = [&](int i, int j) { return static_cast<std::uint32_t>(i * (n + 1) + j); };
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j)
            mesh.vertices_m.emplace_back(side_m * (static_cast<float>(i) / static_cast<float>(n) - 0.5F), 0.0F,
                                         side_m * (static_cast<float>(j) / static_cast<float>(n) - 0.5F));
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            mesh.triangles.push_back({at(i, j), at(i, j + 1), at(i + 1, j + 1)});
            mesh.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i + 1, j)});
        }
    const auto below = static_cast<std::uint32_t>(mesh.vertices_m.size());
    mesh.vertices_m.emplace_back(0.0F, -0.1F, 0.0F);
    for (int k = 0; k < n; ++k) {
        mesh.triangles.push_back({at(0, k + 1), at(0, k), below});
        mesh.triangles.push_back({at(n, k), at(n, k + 1), below});
        mesh.triangles.push_back({at(k, 0), at(k + 1, 0), below});
        mesh.triangles.push_back({at(k + 1, n), at(k, n), below});
    }
    return mesh;
}

const RoundCone kCapsule = {{-0.031F, 0.0075F, 0.017F}, {0.041F, 0.0075F, -0.011F}, 0.008F, 0.008F};
// The lower side is level: the axis descends as the radius shrinks.
const RoundCone kTapered = {{-0.031F, 0.0095F, 0.017F}, {0.041F, 0.0064F, -0.011F}, 0.01F, 0.007F};

RoundedBox palm_at(const Vector3f& middle_m, float turn_rad = 0.3F) {
    return {{middle_m, Eigen::AngleAxisf(turn_rad, Vector3f::UnitY()).toRotationMatrix(), {0.04F, 0.005F, 0.03F}},
            0.01F};
}

TEST(ContactPoints, TwoMillimetresOrHalfOfOneATableIsTheSame) {
    std::vector<ContactPoints> coarse;
    // The finest corresponds to half a metre in 1024 x 1024 cells.
    for (const auto& [n, side_m] :
         {std::pair{1, 0.5F}, {16, 0.5F}, {128, 0.5F}, {256, 0.5F}, {256, 0.25F}, {256, 0.125F}}) {
        const Shape table = instance(table_of(n, side_m));
        ASSERT_TRUE(std::get<MeshInstance>(table).tree->closed());
        std::vector<ContactPoints> found;
        for (const Shape& bone : {Shape(kCapsule), Shape(kTapered), Shape(palm_at({0.01F, 0.0145F, -0.02F}))})
            found.push_back(contact_points_of(bone, table, 0.002F));
        for (std::size_t i = 0; i < 3; ++i) {
            const std::size_t expected = i < 2 ? 2 : 4;
            EXPECT_EQ(found[i].count, expected) << n << ' ' << side_m << ' ' << i;
            for (const Contact& point : found[i].all()) EXPECT_LT(point.normal.y(), -0.99999F) << n << ' ' << i;
            if (n > 1) expect_same(found[i], coarse[i], 2e-6F, std::to_string(n) + " " + std::to_string(i));
        }
        if (n == 1) coarse = found;
    }
}

TEST(ContactPoints, AFinelyCutBallIsTouchedInOnePlace) {
    for (const int subdivisions : {4, 5, 6, 7}) {
        const Shape ball = instance(icosphere(subdivisions, 0.1F));
        for (const Shape& bone :
             {Shape(RoundCone{{-0.03F, 0.1075F, 0.002F}, {0.04F, 0.1075F, -0.004F}, 0.008F, 0.008F}),
              Shape(palm_at({0.003F, 0.1145F, -0.002F}))}) {
            const ContactPoints found = contact_points_of(bone, ball, 0.0015F);
            ASSERT_EQ(found.count, 1U) << subdivisions;
            EXPECT_NEAR(found.points[0].distance_m, -0.0005F, subdivisions < 6 ? 3e-4F : 2e-5F) << subdivisions;
            EXPECT_LT(found.points[0].normal.y(), -0.999F);
        }
    }
}

Shape hull_of(const Vector3f& half) {
    return HullInstance{ConvexHull::from_points(box_mesh(half).vertices_m)};
}

// Makes the same cube as a mesh, a finer mesh, a box and a hull, rotated and shifted.
std::vector<Shape> cubes(float half_m, const Eigen::Isometry3f& pose) {
    const Vector3f half = Vector3f::Constant(half_m);
    std::vector<Shape> all = {instance(box_mesh(half)), instance(finer(box_mesh(half), 3)), hull_of(half),
                              RoundedBox{{Vector3f::Zero(), Eigen::Matrix3f::Identity(), half}}};
    for (Shape& shape : all) shape = transformed(pose, shape);
    return all;
}

// An arbitrary world frame: results must not depend on it.
const Eigen::Isometry3f kSomewhere =
    Eigen::Translation3f(0.3F, -0.2F, 0.5F) * Eigen::AngleAxisf(0.8F, Vector3f(0.6F, 0.64F, 0.48F));

TEST(ContactPoints, AFingerAcrossACubeTouchesItsTwoEdgesWhateverTheCubeIsMadeOf) {
    const RoundCone across = {{-0.05F, 0.0275F, 0.004F}, {0.045F, 0.0275F, -0.006F}, 0.008F, 0.008F};
    for (const Eigen::Isometry3f& pose : {Eigen::Isometry3f::Identity(), kSomewhere}) {
        ContactPoints first;
        const std::vector<Shape> all = cubes(0.02F, pose);
        for (std::size_t i = 0; i < all.size(); ++i) {
            const ContactPoints found = contact_points_of(transformed(pose, Shape(across)), all[i], 0.001F);
            ASSERT_EQ(found.count, 2U) << i;
            for (const Contact& point : found.all()) {
                const Vector3f at = pose.inverse() * point.on_object_m;
                EXPECT_NEAR(std::abs(at.x()), 0.02F, 1e-6F) << i;
                EXPECT_NEAR(at.y(), 0.02F, 1e-6F) << i;
                EXPECT_NEAR(point.distance_m, -0.0005F, 1e-6F) << i;
            }
            if (i == 0) first = found;
            expect_same(found, first, 2e-6F, std::to_string(i));
            // With the roles swapped: the cube lies on the finger.
            if (i >= 2) {
                const ContactPoints back = contact_points_of(all[i], transformed(pose, Shape(across)), 0.001F);
                ASSERT_EQ(back.count, 2U) << i;
                for (const Contact& point : back.all())
                    EXPECT_GT((pose.linear().transpose() * point.normal).y(), 0.99999F) << i;
            }
        }
    }
}

TEST(ContactPoints, APalmOnACubeRestsOnTheCubesFourCorners) {
    for (const Eigen::Isometry3f& pose : {Eigen::Isometry3f::Identity(), kSomewhere})
        for (const float tilt_rad : {0.0F, 0.01F}) {
            RoundedBox palm = palm_at({0.004F, 0.0345F, -0.003F});
            palm.core.axes = Eigen::AngleAxisf(tilt_rad, Vector3f::UnitX()).toRotationMatrix() * palm.core.axes;
            HullInstance palm_hull = std::get<HullInstance>(hull_of({0.04F, 0.015F, 0.03F}));
            palm_hull.world_from_hull.linear() = palm.core.axes;
            palm_hull.world_from_hull.translation() = palm.core.center_m;
            const std::vector<Shape> all = cubes(0.02F, pose);
            for (const Shape& bone : {Shape(palm), Shape(palm_hull)})
                for (std::size_t i = 0; i < all.size(); ++i) {
                    const ContactPoints found = contact_points_of(transformed(pose, bone), all[i], 0.001F);
                    ASSERT_EQ(found.count, 4U) << i << ' ' << bone.index() << ' ' << tilt_rad;
                    for (const Contact& point : found.all()) {
                        const Vector3f at = pose.inverse() * point.on_object_m;
                        EXPECT_NEAR(std::abs(at.x()), 0.02F, 3e-5F) << i;
                        EXPECT_NEAR(std::abs(at.z()), 0.02F, 3e-5F) << i;
                        EXPECT_NEAR(at.y(), 0.02F, 3e-5F) << i;
                        EXPECT_NEAR(point.distance_m, -0.0005F - tilt_rad * (at.z() + 0.003F), 1e-5F) << i;
                        EXPECT_LT((point.on_object_m - point.on_body_m - point.distance_m * point.normal).norm(),
                                  1e-6F);
                        EXPECT_LT((pose.linear().transpose() * point.normal).y(), -0.9999F);
                    }
                }
        }
}

TEST(ContactPoints, AHullOnATableRestsOnItsCornersAndOverABorderOnBoth) {
    for (const float height_m : {0.1145F, 0.1155F}) {  // half a millimetre deep, or half a millimetre above
        for (const auto& [x_m, on_border] : {std::pair{0.01F, 0}, {0.48F, 2}}) {
            HullInstance palm = std::get<HullInstance>(hull_of({0.04F, 0.015F, 0.03F}));
            palm.world_from_hull.translation() = Vector3f(x_m, height_m, -0.02F);
            const std::vector<Shape> tables = {
                instance(box_mesh({0.5F, 0.1F, 0.5F})), instance(finer(box_mesh({0.5F, 0.1F, 0.5F}), 5)),
                hull_of({0.5F, 0.1F, 0.5F}),
                RoundedBox{{Vector3f::Zero(), Eigen::Matrix3f::Identity(), Vector3f(0.5F, 0.1F, 0.5F)}}};
            for (std::size_t i = 0; i < tables.size(); ++i) {
                const ContactPoints found = contact_points_of(palm, tables[i], 0.001F);
                ASSERT_EQ(found.count, 4U) << i << ' ' << height_m << ' ' << x_m;
                int at_border = 0;
                for (const Contact& point : found.all()) {
                    EXPECT_NEAR(point.distance_m, height_m - 0.115F, 2e-6F) << i;
                    EXPECT_LT(point.normal.y(), -0.99999F) << i;
                    EXPECT_NEAR(std::abs(point.on_object_m.z() + 0.02F), 0.03F, 1e-5F) << i;
                    at_border += std::abs(point.on_object_m.x() - 0.5F) < 1e-5F ? 1 : 0;
                }
                EXPECT_EQ(at_border, on_border) << i;
            }
        }
    }
}

TEST(ContactPoints, AnEdgeThatStandsUpCarriesAPalmWithBothItsEnds) {
    const Eigen::Isometry3f on_edge(Eigen::AngleAxisf(0.25F * 3.14159265F, Vector3f::UnitX()));
    const float top_m = 0.02F * std::sqrt(2.0F);
    const std::vector<Shape> all = cubes(0.02F, on_edge);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const ContactPoints found = contact_points_of(palm_at({0.0F, top_m + 0.0145F, 0.002F}), all[i], 0.0F);
        ASSERT_EQ(found.count, 2U) << i;
        for (const Contact& point : found.all()) {
            EXPECT_NEAR(std::abs(point.on_object_m.x()), 0.02F, 1e-5F) << i;
            EXPECT_NEAR(point.distance_m, -0.0005F, 1e-5F) << i;
        }
    }
}

struct Expected {
    Vector3f on_object_m, normal;
    float distance_m;
};

// Expects exactly these points, in any order.
void expect_points(const ContactPoints& found, const std::vector<Expected>& expected, const Eigen::Isometry3f& pose,
                   float tolerance_m, const std::string& what) {
    ASSERT_EQ(found.count, expected.size()) << what;
    for (const auto& [at_m, normal, distance_m] : expected) {
        bool known = false;
        for (const Contact& point : found.all())
            known = known || ((point.on_object_m - pose * at_m).norm() <= tolerance_m &&
                              std::abs(point.distance_m - distance_m) <= tolerance_m &&
                              point.normal.dot(pose.linear() * normal) > 0.9999F &&
                              (point.on_object_m - point.on_body_m - point.distance_m * point.normal).norm() < 2e-6F);
        EXPECT_TRUE(known) << what << ": " << at_m.transpose() << ", gap " << distance_m;
    }
}

// Makes the same table in several representations, its top at height 0.1.
std::vector<Shape> tables() {
    const Vector3f half(0.5F, 0.1F, 0.5F);
    return {instance(box_mesh(half)), instance(finer(box_mesh(half), 4)), hull_of(half),
            RoundedBox{{Vector3f::Zero(), Eigen::Matrix3f::Identity(), half}},
            RoundedBox{{Vector3f::Zero(), Eigen::Matrix3f::Identity(), {0.49F, 0.09F, 0.49F}}, 0.01F}};
}

TEST(ContactPoints, WhatStandsOnAnEdgeRestsOnBothEndsOfIt) {
    for (const Eigen::Isometry3f& pose : {Eigen::Isometry3f::Identity(), kSomewhere})
        for (const float height_m : {-0.0005F, 0.0005F})
            for (const float tilt_rad : {0.0F, 0.01F}) {
                // The edge is along x, 1 cm beside the middle of the table; tilted, it rises by 0.4 mm.
                const float low_m = height_m - 0.02F * std::sin(tilt_rad),
                            high_m = height_m + 0.02F * std::sin(tilt_rad);
                const Eigen::Isometry3f on_edge = Eigen::Translation3f(0.013F, 0.1F + height_m, 0.007F) *
                                                  Eigen::AngleAxisf(tilt_rad, Vector3f::UnitZ()) *
                                                  Eigen::Translation3f(0.0F, 0.02F * std::sqrt(2.0F), 0.0F) *
                                                  Eigen::AngleAxisf(0.25F * 3.14159265F, Vector3f::UnitX());
                const float reach_x = 0.02F * std::cos(tilt_rad);
                const std::vector<Expected> ends = {{{0.013F - reach_x, 0.1F, 0.007F}, -Vector3f::UnitY(), low_m},
                                                    {{0.013F + reach_x, 0.1F, 0.007F}, -Vector3f::UnitY(), high_m}};
                const std::vector<Shape> bones = cubes(0.02F, pose * on_edge), on = tables();
                for (std::size_t b = 0; b < bones.size(); ++b)
                    for (std::size_t t = 0; t < on.size(); ++t) {
                        if (b < 2 && t < 2 && tilt_rad > 0.0F) continue;  // pairs of meshes are slow
                        // A sharp edge in a hull is as deep as the hull is thick there (hull_mesh.h).
                        if (b < 2 && (t == 2 || t == 3) && height_m < 0.0F) continue;
                        const std::string what = std::to_string(b) + " on " + std::to_string(t) + " at " +
                                                 std::to_string(height_m) + ", " + std::to_string(tilt_rad);
                        const Shape table = transformed(pose, on[t]);
                        expect_points(contact_points_of(bones[b], table, 0.001F), ends, pose, 3e-6F, what);
                        if (b < 2 && t < 2) continue;
                        ContactPoints back = contact_points_of(table, bones[b], 0.001F);
                        for (std::size_t i = 0; i < back.count; ++i) {
                            Contact& point = back.points[i];
                            std::swap(point.on_body_m, point.on_object_m);
                            point.normal = -point.normal;
                        }
                        expect_points(back, ends, pose, 3e-6F, "turned, " + what);
                    }
            }
}

TEST(ContactPoints, AHullInACornerRestsOnFloorAndWall) {
    for (const int times : {0, 2, 4}) {
        const Shape corner = instance(finer(floor_and_wall(), times));
        ASSERT_TRUE(std::get<MeshInstance>(corner).tree->closed());
        for (const Eigen::Isometry3f& pose : {Eigen::Isometry3f::Identity(), kSomewhere})
            for (const float floor_m : {-0.0005F, 0.0005F})
                for (const float wall_m : {-0.0003F, 0.0003F}) {
                    Shape hull = hull_of({0.04F, 0.015F, 0.03F});
                    hull = transformed(pose * Eigen::Translation3f(0.04F + wall_m, 0.015F + floor_m, 0.02F), hull);
                    // Floor and wall end where they meet.
                    const float foot_x = std::max(0.0F, wall_m), foot_y = std::max(0.0F, floor_m);
                    std::vector<Expected> expected;
                    for (const float z : {-0.01F, 0.05F}) {
                        expected.push_back({{foot_x, 0.0F, z}, -Vector3f::UnitY(), floor_m});
                        expected.push_back({{0.08F + wall_m, 0.0F, z}, -Vector3f::UnitY(), floor_m});
                        expected.push_back({{0.0F, foot_y, z}, -Vector3f::UnitX(), wall_m});
                        expected.push_back({{0.0F, 0.03F + floor_m, z}, -Vector3f::UnitX(), wall_m});
                    }
                    ContactPoints found = contact_points_of(hull, transformed(pose, corner), 0.001F);
                    const std::string what =
                        std::to_string(times) + ", " + std::to_string(floor_m) + ", " + std::to_string(wall_m);
                    if (floor_m > 0.0F || wall_m > 0.0F) {
                        expect_points(found, expected, pose, 3e-6F, what);
                        continue;
                    }
                    // If both are penetrated, the edge is deepest, diagonally; if found, it replaces another point.
                    ASSERT_EQ(found.count, 8U) << what;
                    EXPECT_LE(found.points[0].distance_m, floor_m + 1e-6F) << what;
                    EXPECT_GE(found.points[0].distance_m, -std::hypot(floor_m, wall_m) - 1e-6F) << what;
                    int on_floor = 0, on_wall = 0;
                    for (const Contact& point : found.all()) {
                        const Vector3f normal = pose.linear().transpose() * point.normal;
                        on_floor += normal.y() < -0.9999F ? 1 : 0;
                        on_wall += normal.x() < -0.9999F ? 1 : 0;
                    }
                    EXPECT_GE(on_floor, 3) << what;
                    EXPECT_GE(on_wall, 3) << what;
                    EXPECT_GE(on_floor + on_wall, 7) << what;
                }
    }
}

// Makes nails that point up, one with its tip at each of the positions.
Mesh nails(const std::vector<Vector3f>& tips_m) {
    Mesh mesh;
    for (const Vector3f& tip_m : tips_m) {
        const auto first = static_cast<std::uint32_t>(mesh.vertices_m.size());
        for (int i = 0; i < 6; ++i) {
            const float turn = 3.14159265F * static_cast<float>(i) / 3.0F;
            mesh.vertices_m.push_back(tip_m + Vector3f(0.002F * std::cos(turn), -0.02F, 0.002F * std::sin(turn)));
        }
        mesh.vertices_m.push_back(tip_m);
        mesh.vertices_m.push_back(tip_m - Vector3f(0.0F, 0.021F, 0.0F));
        for (std::uint32_t i = 0; i < 6; ++i) {
            const std::uint32_t next = (i + 1) % 6;
            mesh.triangles.push_back({first + next, first + i, first + 6});
            mesh.triangles.push_back({first + i, first + next, first + 7});
        }
    }
    return mesh;
}

TEST(ContactPoints, EveryNailUnderASideCarriesUpToEight) {
    const RoundedBox palm = palm_at({0.0F, 0.0148F, 0.0F}, 0.0F);  // 0.2 mm below height 0
    const Shape hull =
        transformed(Eigen::Isometry3f(Eigen::Translation3f(0.0F, 0.0152F, 0.0F)), hull_of({0.05F, 0.015F, 0.04F}));
    const std::vector<Vector3f> five = {{-0.03F, 0.0F, -0.02F},
                                        {0.03F, 1e-4F, -0.02F},
                                        {0.0F, 5e-5F, 0.0F},
                                        {-0.03F, -1e-4F, 0.02F},
                                        {0.03F, 0.0F, 0.02F}};
    std::vector<Vector3f> many;
    for (int i = 0; i < 49; ++i)
        many.emplace_back(0.01F * static_cast<float>(i % 7 - 3), i == 17 ? 1e-4F : 0.0F,
                          0.006F * static_cast<float>(i / 7 - 3));
    for (const Eigen::Isometry3f& pose : {Eigen::Isometry3f::Identity(), kSomewhere})
        for (const auto& [shape, gap_m] : {std::pair{Shape(palm), -2e-4F}, {hull, 2e-4F}}) {
            const Shape bone = transformed(pose, shape);
            ContactPoints coarse;
            for (const int times : {0, 2}) {
                const std::string what = std::to_string(shape.index()) + ", " + std::to_string(times);
                std::vector<Expected> expected;
                for (const Vector3f& tip_m : five) expected.push_back({tip_m, -Vector3f::UnitY(), gap_m - tip_m.y()});
                expect_points(contact_points_of(bone, transformed(pose, instance(finer(nails(five), times))), 0.0005F),
                              expected, pose, 2e-6F, what);
                const ContactPoints found =
                    contact_points_of(bone, transformed(pose, instance(finer(nails(many), times))), 0.0005F);
                ASSERT_EQ(found.count, 8U) << what;
                EXPECT_NEAR(found.points[0].distance_m, gap_m - 1e-4F, 1e-6F) << what;
                Eigen::AlignedBox3f over;
                for (const Contact& point : found.all()) {
                    const Vector3f at = pose.inverse() * point.on_object_m;
                    over.extend(at);
                    float nearest_m = 1.0F;
                    for (const Vector3f& tip_m : many) nearest_m = std::min(nearest_m, (at - tip_m).norm());
                    EXPECT_LT(nearest_m, 1e-6F) << what;
                }
                EXPECT_NEAR(over.sizes().x(), 0.06F, 1e-5F) << "all over the bed, " << what;
                EXPECT_NEAR(over.sizes().z(), 0.036F, 1e-5F) << "all over the bed, " << what;
                if (times == 0) coarse = found;
                expect_same(found, coarse, 2e-6F, what);
            }
        }
}

TEST(ContactPoints, AMeshRestsOnItsCornersWhateverItLiesOn) {
    for (const Eigen::Isometry3f& pose : {Eigen::Isometry3f::Identity(), kSomewhere})
        for (const int times : {0, 2, 3})
            for (const float gap_m : {-0.0005F, 0.0005F})
                for (const float x_m : {0.01F, 0.48F}) {
                    const Shape block = transformed(pose * Eigen::Translation3f(x_m, 0.115F + gap_m, -0.02F),
                                                    instance(finer(box_mesh({0.04F, 0.015F, 0.03F}), times)));
                    std::vector<Expected> expected;
                    for (const float x : {x_m - 0.04F, std::min(x_m + 0.04F, 0.5F)})
                        for (const float z : {-0.05F, 0.01F})
                            expected.push_back({{x, 0.1F, z}, -Vector3f::UnitY(), gap_m});
                    const std::vector<Shape> on = tables();
                    for (std::size_t t = 0; t + 1 < on.size(); ++t) {
                        if (t < 2 && (times == 3 || gap_m > 0.0F)) continue;  // pairs of meshes are slow
                        expect_points(contact_points_of(block, transformed(pose, on[t]), 0.001F), expected, pose, 1e-5F,
                                      std::to_string(times) + " on " + std::to_string(t) + " at " +
                                          std::to_string(gap_m) + ", " + std::to_string(x_m));
                    }
                }
}

TEST(ContactPoints, AMeshIsCarriedByAFingerAsAHullIs) {
    const RoundCone across = {{-0.05F, 0.0275F, 0.004F}, {0.045F, 0.0275F, -0.006F}, 0.008F, 0.008F};
    for (const Eigen::Isometry3f& pose : {Eigen::Isometry3f::Identity(), kSomewhere}) {
        const std::vector<Shape> all = cubes(0.02F, pose);
        const ContactPoints by_hull = contact_points_of(all[2], transformed(pose, Shape(across)), 0.001F);
        ASSERT_EQ(by_hull.count, 2U);
        for (const std::size_t mesh : {0U, 1U})
            expect_same(contact_points_of(all[mesh], transformed(pose, Shape(across)), 0.001F), by_hull, 2e-6F,
                        std::to_string(mesh));
    }
}

// Makes a capsule along x, cut finely enough to be smooth.
Mesh capsule(int around, float radius_m, float half_m) {
    Mesh mesh;
    const int cap = around / 4;
    const auto ring = [&](float x, float radius) {
        for (int k = 0; k < around; ++k) {
            const float turn = 2.0F * 3.14159265F * static_cast<float>(k) / static_cast<float>(around);
            mesh.vertices_m.emplace_back(x, radius * std::cos(turn), radius * std::sin(turn));
        }
    };
    const auto cap_turn = [&](int i) { return 0.5F * 3.14159265F * static_cast<float>(i) / static_cast<float>(cap); };
    for (int i = 1; i <= cap; ++i) ring(-half_m - radius_m * std::cos(cap_turn(i)), radius_m * std::sin(cap_turn(i)));
    for (int i = cap; i > 0; --i) ring(half_m + radius_m * std::cos(cap_turn(i)), radius_m * std::sin(cap_turn(i)));
    const auto at = [&](int i, int k) { return static_cast<std::uint32_t>(i * around + k % around); };
    const auto ends = static_cast<std::uint32_t>(mesh.vertices_m.size());
    mesh.vertices_m.emplace_back(-half_m - radius_m, 0.0F, 0.0F);
    mesh.vertices_m.emplace_back(half_m + radius_m, 0.0F, 0.0F);
    for (int k = 0; k < around; ++k) {
        for (int i = 0; i + 1 < 2 * cap; ++i) {
            mesh.triangles.push_back({at(i, k), at(i, k + 1), at(i + 1, k)});
            mesh.triangles.push_back({at(i, k + 1), at(i + 1, k + 1), at(i + 1, k)});
        }
        mesh.triangles.push_back({ends, at(0, k + 1), at(0, k)});
        mesh.triangles.push_back({ends + 1, at(2 * cap - 1, k), at(2 * cap - 1, k + 1)});
    }
    return mesh;
}

TEST(ContactPoints, ASmoothMeshThatLiesOnATableRestsOnItsEnds) {
    for (const Eigen::Isometry3f& pose : {Eigen::Isometry3f::Identity(), kSomewhere})
        for (const int around : {64, 128, 256}) {
            const Shape finger = transformed(pose * Eigen::Translation3f(0.013F, 0.1075F, 0.007F),
                                             instance(capsule(around, 0.008F, 0.03F)));
            const std::vector<Shape> on = tables();
            for (std::size_t t = 0; t < on.size(); ++t) {
                if (t < 2 && around > 64) continue;  // pairs of meshes are slow
                expect_points(contact_points_of(finger, transformed(pose, on[t]), 0.001F),
                              {{{-0.017F, 0.1F, 0.007F}, -Vector3f::UnitY(), -0.0005F},
                               {{0.043F, 0.1F, 0.007F}, -Vector3f::UnitY(), -0.0005F}},
                              pose, 6e-4F, std::to_string(around) + " on " + std::to_string(t));
            }
        }
}

TEST(ContactPoints, TrianglesThatGoRoundTheOtherWayAreTheSameSolid) {
    for (const float half_m : {0.02F, 0.5F}) {
        Mesh turned_over = box_mesh(Vector3f::Constant(half_m));
        for (auto& t : turned_over.triangles) std::swap(t[1], t[2]);
        ASSERT_EQ(MeshTree::build(turned_over)->surface().faces_inwards(), true);
        for (const Shape& bone :
             {Shape(palm_at({0.004F, half_m + 0.0145F, -0.003F})),
              transformed(Eigen::Isometry3f(Eigen::Translation3f(0.004F, half_m + 0.0145F, -0.003F)),
                          hull_of({0.04F, 0.015F, 0.03F}))}) {
            const ContactPoints expected = contact_points_of(bone, instance(box_mesh(Vector3f::Constant(half_m))));
            ASSERT_EQ(expected.count, 4U) << half_m;
            expect_same(contact_points_of(bone, instance(turned_over)), expected, 2e-6F, std::to_string(half_m));
        }
    }
}

// Round shapes have no contact point but the deepest.
TEST(ContactPoints, HullsOfManySidesTouchABallOrEachOtherInOnePlace) {
    const Shape hull = HullInstance{ConvexHull::from_points(icosphere(3, 0.05F).vertices_m)},
                ball = instance(icosphere(5, 0.05F));
    RandomShapes random(211);
    int touching = 0;
    for (int i = 0; i < 60; ++i) {
        const Vector3f at = 0.0995F * random.vector(1.0F).normalized();
        for (const Shape& other : {hull, ball}) {
            const ContactPoints found =
                contact_points_of(hull, transformed(Eigen::Isometry3f(Eigen::Translation3f(at)), other));
            if (found.count == 0) continue;
            ++touching;
            // Two facets in contact have several contact points, all close together.
            for (const Contact& point : found.all())
                EXPECT_LT((point.on_object_m - found.points[0].on_object_m).norm(), 0.012F) << i;
        }
    }
    EXPECT_GT(touching, 20);
}

// Returns the distance of a point, as a ball of radius 0.
float distance_of(const Vector3f& at_m, const Shape& shape) {
    CollideCounts counts;
    Contact contact;
    return closest(RoundCone{at_m, at_m, 0.0F, 0.0F}, shape, 1.0F, contact, counts) ? contact.distance_m : 1.0F;
}

TEST(ContactPoints, EveryPointIsOnBothSurfacesAndWithinReach) {
    RandomShapes random(212);
    const auto made = [&](int kind) -> Shape {
        const Obb core = random.box(0.01F, 0.05F, 0.03F);
        if (kind == 0) return random.cone(0.08F, 0.015F, 0.03F);
        if (kind == 1) return RoundedBox{core, random.between(0.002F, 0.01F)};
        Shape cuboid = kind == 2 ? hull_of(core.half_m) : instance(finer(box_mesh(core.half_m), 2));
        Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
        pose.linear() = core.axes;
        pose.translation() = core.center_m;
        return transformed(pose, cuboid);
    };
    constexpr float kReach_m = 0.002F;
    std::array<std::array<int, 4>, 4> pairs{}, several{};
    for (int i = 0; i < 8000; ++i) {
        const int bone_kind = i % 4, object_kind = i / 4 % 4;
        const bool meshes = bone_kind == 3 && object_kind == 3;
        if (meshes && i % 256 != 255) continue;  // pairs of meshes are slow
        const Shape bone = made(bone_kind);
        Shape object = made(object_kind);
        // Moves the object until it touches, at most a millimetre deep.
        CollideCounts counts;
        Contact contact;
        if (!closest(bone, object, 1.0F, contact, counts)) continue;
        const float by_m = contact.distance_m - random.between(-0.001F, 0.001F);
        object = transformed(Eigen::Isometry3f(Eigen::Translation3f(-by_m * contact.normal)), object);
        if (!closest(bone, object, kReach_m, contact, counts) || contact.distance_m < -0.0015F) continue;
        const ContactPoints found = contact_points(bone, object, contact, kReach_m, counts);
        const auto b = static_cast<std::size_t>(bone_kind), o = static_cast<std::size_t>(object_kind);
        ++pairs[b][o];
        several[b][o] += found.count > 1 ? 1 : 0;
        ASSERT_GE(found.count, 1U) << i;
        // The depth of a mesh is found by a search with a tolerance.
        EXPECT_LE(found.points[0].distance_m,
                  contact.distance_m + (bone_kind == 3 && contact.distance_m < 0.0F ? 1e-4F : 1e-5F))
            << i;
        EXPECT_GE(found.points[0].distance_m,
                  contact.distance_m - (meshes || bone_kind + object_kind == 5 ? 4e-4F : 3e-5F))
            << i << ' ' << bone_kind << ' ' << object_kind;
        for (const Contact& point : found.all()) {
            if (point.on_object_m == contact.on_object_m) continue;  // the point of closest() is tested elsewhere
            EXPECT_LE(point.distance_m, kReach_m + 1e-6F) << i;
            EXPECT_NEAR(point.normal.norm(), 1.0F, 1e-5F) << i;
            EXPECT_LT((point.on_object_m - point.on_body_m - point.distance_m * point.normal).norm(), 2e-6F) << i;
            // Ends of round shapes count as balls, also if the bone is inclined by a few degrees.
            for (const float off_m : {distance_of(point.on_object_m, object), distance_of(point.on_body_m, bone)}) {
                EXPECT_LE(off_m, 5e-6F) << i << ' ' << bone_kind << ' ' << object_kind;
                EXPECT_GE(off_m, -3e-4F) << i << ' ' << bone_kind << ' ' << object_kind;
            }
        }
    }
    for (std::size_t b = 0; b < 4; ++b)
        for (std::size_t o = 0; o < 4; ++o) {
            EXPECT_GT(pairs[b][o], b + o == 6 ? 10 : 100) << b << ' ' << o;
            EXPECT_GT(several[b][o], b + o == 0 || b + o == 6 ? 2 : 10) << b << ' ' << o;
        }
}

TEST(ContactPoints, TheFirstIsTheDeepestOfThePair) {
    const Shape torus = instance(bumpy_torus(40, 24));
    int touching = 0;
    for (int i = 0; i < 200; ++i) {
        const float angle = 0.0314159F * static_cast<float>(i);
        const Vector3f at(1.02F * std::cos(angle), 0.36F, 1.02F * std::sin(angle));
        const RoundCone bone{at, at + Vector3f(0.05F, 0.01F, 0.08F), 0.03F, 0.02F};
        CollideCounts counts;
        Contact deepest;
        const bool touches = closest(Shape(bone), torus, 0.0F, deepest, counts);
        const ContactPoints found = contact_points_of(bone, torus);
        ASSERT_EQ(found.count > 0, touches) << i;
        if (!touches) continue;
        ++touching;
        ASSERT_NEAR(found.points[0].distance_m, deepest.distance_m, 1e-5F) << i;
        for (const Contact& point : found.all()) {
            ASSERT_LE(point.distance_m, 0.0F);
            ASSERT_LT((point.on_object_m - point.on_body_m - point.distance_m * point.normal).norm(), 1e-6F);
        }
    }
    EXPECT_GT(touching, 30);
}

TEST(ContactPoints, NothingIsFoundOutOfReachAndOnlyTheDeepestInside) {
    const Shape table = instance(box_mesh({0.5F, 0.1F, 0.5F}));
    EXPECT_EQ(contact_points_of(RoundCone{{0.0F, 0.2F, 0.0F}, {0.1F, 0.2F, 0.0F}, 0.008F, 0.008F}, table).count, 0U);
    const ContactPoints inside =
        contact_points_of(RoundCone{{0.0F, 0.05F, 0.0F}, {0.1F, 0.06F, 0.0F}, 0.008F, 0.008F}, table);
    ASSERT_EQ(inside.count, 1U);
    EXPECT_NEAR(inside.points[0].distance_m, -0.058F, 1e-5F);
}

}  // namespace
}  // namespace glovebox::collision
