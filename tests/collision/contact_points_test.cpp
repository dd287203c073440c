#include "collision/contact_points.h"

#include <gtest/gtest.h>

#include <cmath>

#include "collision/mesh_tree.h"
#include "tests/collision/made_meshes.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3f;

// Every triangle in four, `times` over: the same surface.
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

Mesh box(const Vector3f& half) {
    Mesh mesh;
    for (int i = 0; i < 8; ++i)
        mesh.vertices_m.emplace_back((i & 1) != 0 ? half.x() : -half.x(), (i & 2) != 0 ? half.y() : -half.y(),
                                     (i & 4) != 0 ? half.z() : -half.z());
    mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                      {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return mesh;
}

Shape instance(Mesh mesh) {
    return MeshInstance{MeshTree::build(std::move(mesh))};
}

ContactPoints ask(const Shape& bone, const Shape& object, float reach_m = 0.0F) {
    CollideCounts counts;
    return contact_points(bone, object, reach_m, counts);
}

// The same points in any order: each has one of the other's within the tolerance, with its normal and its depth.
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

// A finger that lies on the top of a table 1 m wide, 1 mm deep, over many edges of its mesh.
const RoundCone kLying = {{-0.021F, 0.107F, 0.013F}, {0.017F, 0.107F, -0.024F}, 0.008F, 0.008F};

TEST(ContactPoints, AFingerThatLiesOnATableTouchesWithBothEndsHoweverFineTheTable) {
    ContactPoints coarse;
    for (const int times : {0, 1, 2, 3, 4, 5, 6}) {  // 1x to 64x along each edge
        const Shape table = instance(finer(box({0.5F, 0.1F, 0.5F}), times));
        const ContactPoints found = ask(kLying, table);
        ASSERT_EQ(found.count, 2U) << times;
        for (const Contact& point : found.all()) {
            EXPECT_NEAR(point.distance_m, -0.001F, 1e-6F);
            EXPECT_LT(point.normal.y(), -0.99999F) << "the table's normal alone";
        }
        if (times == 0) coarse = found;
        expect_same(found, coarse, 2e-6F, std::to_string(times));
    }
    // And the table as a solid box instead of a mesh.
    expect_same(ask(kLying, RoundedBox{{Vector3f::Zero(), Eigen::Matrix3f::Identity(), {0.5F, 0.1F, 0.5F}}}), coarse,
                2e-6F, "box");
}

TEST(ContactPoints, APalmOnATableRestsOnItsFourCorners) {
    const RoundedBox palm{{Vector3f(0.01F, 0.1145F, -0.02F),
                           Eigen::AngleAxisf(0.3F, Vector3f::UnitY()).toRotationMatrix(),
                           {0.04F, 0.005F, 0.03F}},
                          0.01F};
    ContactPoints coarse;
    for (const int times : {0, 2, 4}) {
        const ContactPoints found = ask(palm, instance(finer(box({0.5F, 0.1F, 0.5F}), times)));
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
        const ContactPoints found = ask(over, instance(finer(box({0.5F, 0.1F, 0.5F}), times)));
        ASSERT_EQ(found.count, 2U) << times;
        float furthest = 0.0F;
        for (const Contact& point : found.all()) furthest = std::max(furthest, point.on_object_m.x());
        EXPECT_NEAR(furthest, 0.5F, 1e-5F) << "up to the border";
        if (times == 0) coarse = found;
        expect_same(found, coarse, 1e-5F, std::to_string(times));
    }
}

TEST(ContactPoints, AFingertipInACornerTouchesEveryWall) {
    // The inside of a box: its triangles turned round.
    Mesh room = box({0.5F, 0.5F, 0.5F});
    for (auto& t : room.triangles) std::swap(t[1], t[2]);
    room.triangles.resize(10);  // one side open: a room without a front
    const RoundCone tip{{-0.493F, -0.494F, 0.0F}, {-0.493F, -0.494F, 0.0F}, 0.008F, 0.008F};
    for (const int times : {0, 2, 4}) {
        const ContactPoints found = ask(tip, instance(finer(room, times)));
        ASSERT_EQ(found.count, 2U) << times;
        EXPECT_NEAR(found.points[0].distance_m, -0.002F, 1e-6F);
        EXPECT_NEAR(found.points[1].distance_m, -0.001F, 1e-6F);
        EXPECT_NEAR(found.points[0].normal.dot(found.points[1].normal), 0.0F, 1e-5F);
    }
}

TEST(ContactPoints, ABallIsTouchedInOnePlaceHoweverRound) {
    // Its facets are flat, so two borders of one of them may carry the finger; nothing further away does.
    const RoundCone finger{{-0.03F, 0.1075F, 0.002F}, {0.04F, 0.1075F, -0.004F}, 0.008F, 0.008F};
    for (const int subdivisions : {2, 3, 4}) {
        const ContactPoints found = ask(finger, instance(icosphere(subdivisions, 0.1F)));
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
    const Shape table = instance(finer(box({0.5F, 0.1F, 0.5F}), 5));
    Contact last;
    for (int i = 0; i < 400; ++i) {
        const Vector3f shift(0.0007F * static_cast<float>(i), 0.0F, 0.0003F * static_cast<float>(i));
        const ContactPoints found = ask(RoundCone{kLying.a_m + shift, kLying.b_m + shift, 0.008F, 0.008F}, table);
        ASSERT_EQ(found.count, 2U) << i;
        for (const Contact& point : found.all()) {
            ASSERT_LT(point.normal.y(), -0.999999F) << i;
            ASSERT_NEAR(point.distance_m, -0.001F, 1e-6F) << i;
        }
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
        const ContactPoints found = ask(bone, torus);
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
    const Shape table = instance(box({0.5F, 0.1F, 0.5F}));
    EXPECT_EQ(ask(RoundCone{{0.0F, 0.2F, 0.0F}, {0.1F, 0.2F, 0.0F}, 0.008F, 0.008F}, table).count, 0U);
    const ContactPoints inside = ask(RoundCone{{0.0F, 0.05F, 0.0F}, {0.1F, 0.06F, 0.0F}, 0.008F, 0.008F}, table);
    ASSERT_EQ(inside.count, 1U);
    EXPECT_NEAR(inside.points[0].distance_m, -0.058F, 1e-5F);
}

}  // namespace
}  // namespace glovebox::collision
