#include "collision/query/sweep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "collision/box/convex_hull.h"
#include "collision/mesh/mesh_tree.h"
#include "collision/survey/tree/sample_meshes.h"
#include "tests/collision/random_shapes.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3f;

constexpr float kPlateHalf = 0.001F;  // 2 mm thick

Shape plate_mesh() {
    return MeshInstance{MeshTree::build(box_mesh({0.1F, kPlateHalf, 0.1F}))};
}
Shape plate_box() {
    return RoundedBox{{Vector3f::Zero(), Eigen::Matrix3f::Identity(), {0.1F, kPlateHalf, 0.1F}}};
}
Shape plate_hull() {
    const Mesh mesh = box_mesh({0.1F, kPlateHalf, 0.1F});
    return HullInstance{ConvexHull::from_points(mesh.vertices_m)};
}
Shape sheet() {  // two triangles: a surface without an inside
    return MeshInstance{
        MeshTree::build({{{-0.1F, 0.0F, -0.1F}, {-0.1F, 0.0F, 0.1F}, {0.1F, 0.0F, 0.1F}, {0.1F, 0.0F, -0.1F}},
                         {{0, 1, 2}, {0, 2, 3}}})};
}

RoundCone fingertip(const Vector3f& at) {
    return {at, at + Vector3f(0.0F, 0.02F, 0.005F), 0.004F, 0.006F};
}
BoneMotion by(const Shape& start, const Vector3f& shift) {
    BoneMotion motion{start, Eigen::Isometry3f::Identity()};
    motion.end_from_start.translation() = shift;
    return motion;
}
float distance_at(const BoneMotion& motion, float fraction, const Shape& object) {
    Contact contact;
    CollideCounts counts;
    return closest(shape_at(motion, fraction), object, 10.0F, contact, counts) ? contact.distance_m : 10.0F;
}

TEST(Sweep, AFingertipAtFiveMetresASecondDoesNotPassAPlateOfTwoMillimetres) {
    // At 90 Hz it moves 55 mm a frame: it is clear of the plate in both frames, and only the sweep detects it.
    for (const Shape& plate : {plate_mesh(), plate_box(), plate_hull(), sheet()})
        for (const float rate_hz : {30.0F, 60.0F, 90.0F, 120.0F}) {
            const Vector3f shift(0.0F, -5.0F / rate_hz, 0.0F);
            const BoneMotion motion = by(fingertip(Vector3f(0.01F, 0.5F * 5.0F / rate_hz, 0.02F)), shift);
            CollideCounts counts;
            ASSERT_GT(distance_at(motion, 0.0F, plate), 0.0F);
            const SweepResult found = sweep(motion, plate, counts);
            ASSERT_EQ(found.end, SweepEnd::touches) << rate_hz;
            const float left_m = found.contact.distance_m;
            EXPECT_GE(left_m, 0.0F);
            EXPECT_LE(left_m, kClosed_m);
            EXPECT_LT(found.contact.normal.y(), -0.999F) << "against the side that it came from";
            EXPECT_LT(found.steps, 20);
        }
}

TEST(Sweep, AFingerThatTurnsOnlyHitsWhatItsTipReaches) {
    // 40 mm long, rotating about a point far from its middle: the tip swings by 60 degrees across an edge of the plate.
    const RoundCone before{{-0.12F, 0.03F, 0.0F}, {-0.08F, 0.03F, 0.0F}, 0.004F, 0.004F};
    BoneMotion motion{before, Eigen::Isometry3f::Identity()};
    const Eigen::AngleAxisf turn(-1.0F, Vector3f::UnitZ());
    motion.end_from_start.linear() = turn.toRotationMatrix();
    motion.end_from_start.translation() = before.a_m - motion.end_from_start.linear() * before.a_m;
    for (const Shape& plate : {plate_mesh(), plate_box(), plate_hull()}) {
        CollideCounts counts;
        const SweepResult found = sweep(motion, plate, counts);
        ASSERT_EQ(found.end, SweepEnd::touches);
        EXPECT_GT(found.fraction, 0.2F);
        EXPECT_LT(found.fraction, 1.0F);
        // No earlier contact was missed: up to the hit the path is free.
        for (int i = 0; i <= 200; ++i)
            ASSERT_GT(distance_at(motion, found.fraction * static_cast<float>(i) / 200.0F, plate), 0.0F);
    }
}

TEST(Sweep, StopsWhereFineSteppingFirstTouches) {
    RandomShapes random(71);
    const std::vector<Shape> objects = {plate_mesh(), plate_box(), plate_hull(),
                                        MeshInstance{MeshTree::build(torus(24, 12))}};
    int touched = 0, freed = 0;
    for (int round = 0; round < 800; ++round) {
        const Shape& object = objects[static_cast<std::size_t>(round) % objects.size()];
        const bool large = round % 4 == 3;
        const Vector3f at = large ? Vector3f(random.direction() * 1.45F) : Vector3f(random.vector(0.1F));
        BoneMotion motion{RoundCone{at, at + 0.03F * random.direction(), 0.005F, 0.008F},
                          Eigen::Isometry3f::Identity()};
        if (round % 3 == 0) motion.start = RoundedBox{{at, random.rotation(), {0.02F, 0.01F, 0.005F}}, 0.003F};
        const Eigen::AngleAxisf turn(random.between(-0.6F, 0.6F), random.direction());
        motion.end_from_start.linear() = turn.toRotationMatrix();
        motion.end_from_start.translation() = at - turn.toRotationMatrix() * at + random.vector(0.08F);
        if (distance_at(motion, 0.0F, object) <= kClosed_m) continue;
        CollideCounts counts;
        const SweepResult found = sweep(motion, object, counts);
        ASSERT_NE(found.end, SweepEnd::teleport) << round;
        const float until = found.end == SweepEnd::touches ? found.fraction : 1.0F;
        for (int i = 0; i <= 100; ++i)
            ASSERT_GT(distance_at(motion, until * static_cast<float>(i) / 100.0F, object), 0.0F)
                << round << ": passed something at " << i;
        if (found.end == SweepEnd::touches) {
            ++touched;
            ASSERT_LE(distance_at(motion, found.fraction, object), kClosed_m + 1e-6F) << round;
        } else {
            ++freed;
        }
    }
    EXPECT_GT(touched, 60);
    EXPECT_GT(freed, 60);
}

TEST(Sweep, ATeleportIsNotASweep) {
    CollideCounts counts;
    const Shape plate = plate_mesh();
    const Shape tip = fingertip(Vector3f(0.0F, 0.2F, 0.0F));
    EXPECT_EQ(sweep(by(tip, Vector3f(0.0F, -0.4F, 0.0F)), plate, counts).end, SweepEnd::teleport);
    EXPECT_EQ(sweep(by(tip, Vector3f(0.0F, -0.24F, 0.0F)), plate, counts).end, SweepEnd::touches);
    EXPECT_EQ(sweep(by(tip, Vector3f(std::nanf(""), 0.0F, 0.0F)), plate, counts).end, SweepEnd::teleport);
}

TEST(Sweep, AMotionThatEndsBeforeTheSurfaceOrBeginsOnItSaysSo) {
    CollideCounts counts;
    const Shape plate = plate_mesh();
    EXPECT_EQ(sweep(by(fingertip(Vector3f(0.0F, 0.05F, 0.0F)), Vector3f(0.0F, -0.03F, 0.0F)), plate, counts).end,
              SweepEnd::free);
    EXPECT_EQ(sweep(by(fingertip(Vector3f(0.0F, 0.05F, 0.0F)), Vector3f(0.0F, 0.1F, 0.0F)), plate, counts).end,
              SweepEnd::free);
    const SweepResult touching =
        sweep(by(fingertip(Vector3f(0.0F, 0.004F, 0.0F)), Vector3f(0.0F, 0.1F, 0.0F)), plate, counts);
    EXPECT_EQ(touching.end, SweepEnd::touches);
    EXPECT_EQ(touching.fraction, 0.0F);
    // Along the surface, 0.1 mm farther than the contact tolerance: steps are tiny, but the sweep still ends.
    const SweepResult along =
        sweep(by(fingertip(Vector3f(-0.09F, kPlateHalf + 0.0042F, 0.0F)), Vector3f(0.18F, 0.0F, 0.0F)), plate, counts);
    EXPECT_EQ(along.end, SweepEnd::free);
    EXPECT_LT(along.steps, kMaxSweepQueries);
}

TEST(Sweep, TakesNoMoreQueriesThanItSaysHoweverItCreeps) {
    // Just beyond the contact tolerance all the way: this needs nearly the maximum number of steps.
    const Shape wide = MeshInstance{MeshTree::build(box_mesh({2.0F, kPlateHalf, 2.0F}))};
    const float radius = 0.01F;
    int most = 0;
    for (const float above : {1.01F, 1.1F, 1.5F, 2.0F, 3.0F}) {
        const Vector3f at(0.0F, kPlateHalf + radius + above * kClosed_m, 0.0F);
        const RoundCone bone{at, at + Vector3f(0.03F, 0.0F, 0.0F), radius, radius};
        CollideCounts counts;
        const SweepResult found = sweep(by(bone, {0.9999F * kLongestSweep_m, 0.0F, 0.0F}), wide, counts);
        EXPECT_EQ(found.end, SweepEnd::free) << above;
        EXPECT_LE(found.steps, kMaxSweepQueries) << above;
        most = std::max(most, found.steps);
    }
    EXPECT_GT(most, kMaxSweepQueries * 9 / 10);
}

TEST(Sweep, MotionBetweenTwoConesEndsWhereTheSecondIs) {
    RandomShapes random(72);
    for (int round = 0; round < 200; ++round) {
        const RoundCone before = random.cone(0.05F, 0.01F, 0.2F);
        const Eigen::Isometry3f moved = random.pose(0.1F);
        const auto after = std::get<RoundCone>(transformed(moved, Shape(before)));
        const auto found = std::get<RoundCone>(shape_at(motion_between(before, after), 1.0F));
        ASSERT_LT((found.a_m - after.a_m).norm() + (found.b_m - after.b_m).norm(), 1e-5F) << round;
    }
}

TEST(Sweep, MotionBetweenTwoShapesOfAnyKindEndsWhereTheSecondIs) {
    RandomShapes random(73);
    const std::vector<Shape> shapes = {random.cone(0.05F, 0.01F, 0.2F),
                                       RoundedBox{random.box(0.01F, 0.05F, 0.1F), 0.01F}, plate_hull(), plate_mesh()};
    int asked = 0;
    for (int round = 0; round < 200; ++round)
        for (const Shape& shape : shapes) {
            const Shape before = transformed(random.pose(0.2F), shape), after = transformed(random.pose(0.1F), before);
            const Shape found = shape_at(motion_between(before, after), 1.0F);
            const Aabb expected = aabb_of(after), box = aabb_of(found);
            ASSERT_LT((box.min_m - expected.min_m).norm() + (box.max_m - expected.max_m).norm(), 1e-5F)
                << round << ", kind " << shape.index();
            ++asked;
        }
    EXPECT_EQ(asked, 800);
    // A mesh falling on a plate is detected.
    const Shape block = MeshInstance{MeshTree::build(box_mesh({0.01F, 0.01F, 0.01F}))};
    const auto lifted = [&](float height) {
        return transformed(Eigen::Isometry3f(Eigen::Translation3f(0.0F, height, 0.0F)), block);
    };
    CollideCounts counts;
    const SweepResult fall = sweep(motion_between(lifted(0.05F), lifted(-0.05F)), plate_mesh(), counts);
    ASSERT_EQ(fall.end, SweepEnd::touches);
    EXPECT_NEAR(fall.fraction, (0.04F - kPlateHalf) / 0.1F, 2.0F * kClosed_m / 0.1F);
    // A mesh with a floor that is nearest and a wall that comes nearer: no plane separates it from a ball.
    Mesh angle = box_mesh({0.03F, 0.001F, 0.01F});
    const Mesh wall = box_mesh({0.001F, 0.03F, 0.01F});
    for (const Vector3f& v : wall.vertices_m) angle.vertices_m.push_back(v + Vector3f(0.03F, 0.03F, 0.0F));
    for (const auto& t : wall.triangles) angle.triangles.push_back({t[0] + 8, t[1] + 8, t[2] + 8});
    const Shape pushed = MeshInstance{MeshTree::build(angle)};
    const Vector3f middle(0.0F, 0.012F, 0.0F);
    const SweepResult push = sweep(by(pushed, {-0.06F, 0.0F, 0.0F}), RoundCone{middle, middle, 0.01F, 0.01F}, counts);
    ASSERT_EQ(push.end, SweepEnd::touches);
    EXPECT_NEAR(push.fraction, 0.019F / 0.06F, 2.0F * kClosed_m / 0.06F);
}

}  // namespace
}  // namespace glovebox::collision
