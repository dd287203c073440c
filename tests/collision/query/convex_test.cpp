#include "collision/query/convex.h"

#include <gtest/gtest.h>

#include "collision/box/convex_hull.h"
#include "collision/query/bone.h"
#include "collision/query/collide.h"
#include "tests/collision/random_shapes.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

std::shared_ptr<const ConvexHull> small_ellipsoid(RandomShapes& random, int points) {
    std::vector<Vector3f> corners;
    for (int i = 0; i < points; ++i)
        corners.push_back(0.05F * random.direction().cwiseProduct(Vector3f(1.0F, 0.7F, 0.5F)));
    return ConvexHull::from_points(corners);
}

// Makes a core of each kind; cores of hulls point to `hull`, which must outlive them.
ConvexCore core_of(int kind, const Eigen::Isometry3f& pose, const ConvexHull& hull) {
    const auto at = [&](float x, float y, float z) -> Vector3d { return (pose * Vector3f(x, y, z)).cast<double>(); };
    switch (kind) {
        case 0:
            return ConvexCore(RoundSegment{at(-0.05F, 0, 0), at(0.05F, 0, 0), 0.02, 0.0});
        case 1:
            return ConvexCore(
                transformed(pose, Obb{Vector3f::Zero(), Eigen::Matrix3f::Identity(), {0.06F, 0.03F, 0.02F}}));
        case 2:
            return ConvexCore(Triangle{at(-0.05F, 0, 0), at(0.05F, 0.01F, 0), at(0, 0.05F, 0.02F)});
        default:
            return ConvexCore(hull, pose.cast<double>());
    }
}

// Motions of a few degrees and millimetres per frame, through each other and apart again.
TEST(ConvexMemory, ChangesTheTimeAndNotTheAnswer) {
    RandomShapes random(71);
    int apart = 0, overlapping = 0, remembered = 0;
    for (int round = 0; round < 160; ++round) {
        const auto hull_a = small_ellipsoid(random, 32), hull_b = small_ellipsoid(random, 12);
        const int kind_a = round % 4, kind_b = 1 + round / 4 % 3;
        const Eigen::AngleAxisf turn(0.02F, random.direction());
        const Vector3f way_m = 0.003F * random.direction();
        Eigen::Isometry3f pose = random.pose(0.08F);
        ConvexMemory memory;
        for (int frame = 0; frame < 60; ++frame) {
            pose.linear() = turn * pose.linear();
            pose.translation() += frame < 30 ? way_m : Vector3f(-way_m);
            if (frame == 45) pose = random.pose(0.08F);  // one jump to another pose
            const ConvexCore a = core_of(kind_a, pose, *hull_a),
                             b = core_of(kind_b, Eigen::Isometry3f::Identity(), *hull_b);
            remembered += memory.count > 0 ? 1 : 0;
            const ConvexPair warm = closest(a, b, memory), cold = closest(a, b);
            const double size = a.size() + b.size();
            ASSERT_NEAR(warm.distance, cold.distance, 2e-6 * size) << round << ", frame " << frame;
            ASSERT_NEAR(warm.normal.norm(), 1.0, 1e-9);
            ASSERT_LT((warm.on_b - warm.on_a - warm.distance * warm.normal).norm(), 1e-9);
            // The normal is a separating direction, or the direction of the minimum translation.
            ASSERT_NEAR(warm.normal.dot(b.support(-warm.normal) - a.support(warm.normal)), warm.distance, 2e-6 * size);
            (warm.distance > 0.0 ? apart : overlapping) += 1;
        }
    }
    EXPECT_GT(apart, 2000);
    EXPECT_GT(overlapping, 2000);
    EXPECT_GT(remembered, 8500);
}

TEST(ConvexMemory, OfAnotherPairIsOnlySlower) {
    RandomShapes random(72);
    ConvexMemory memory;
    for (int i = 0; i < 4000; ++i) {
        const auto hull_a = small_ellipsoid(random, 6 + i % 20), hull_b = small_ellipsoid(random, 5);
        const ConvexCore a = core_of(i % 4, random.pose(0.1F), *hull_a),
                         b = core_of(i / 4 % 4, Eigen::Isometry3f::Identity(), *hull_b);
        ASSERT_NEAR(closest(a, b, memory).distance, closest(a, b).distance, 2e-6 * (a.size() + b.size())) << i;
    }
}

// A body with bones of every kind that uses support functions, queried as in a frame.
TEST(ConvexMemory, ContactsOfAFrameAreAsWithout) {
    RandomShapes random(73);
    const auto link = small_ellipsoid(random, 32), thing = small_ellipsoid(random, 40);
    std::vector<Collider> objects;
    for (int i = 0; i < 20; ++i) {
        Shape shape = HullInstance{thing, random.pose(0.12F)};
        if (i % 2 == 0) shape = RoundedBox{random.box(0.01F, 0.05F, 0.12F), 0.003F};
        objects.push_back({shape, bounding_box(shape)});
    }
    std::vector<Candidate> candidates;
    for (std::int32_t bone = 0; bone < 3; ++bone)
        for (std::int32_t object = 0; object < std::ssize(objects); ++object) candidates.push_back({bone, object});
    DescentMemory memory(3), memory_of_all(3);
    BodyPose pose;
    pose.shapes.resize(3);
    Eigen::Isometry3f at = random.pose(0.05F);
    std::size_t near = 0;
    for (int frame = 0; frame < 400; ++frame) {
        at.translation() = 0.9F * (at.translation() + random.vector(0.01F));
        at.linear() = Eigen::AngleAxisf(0.03F, random.direction()) * at.linear();
        pose.shapes[0] = transformed(at, RoundCone{{-0.02F, 0.05F, 0.0F}, {0.02F, 0.05F, 0.0F}, 0.01F, 0.008F});
        pose.shapes[1] = transformed(
            at, RoundedBox{{{0.0F, -0.05F, 0.0F}, Eigen::Matrix3f::Identity(), {0.03F, 0.01F, 0.02F}}, 0.004F});
        pose.shapes[2] = HullInstance{link, at};
        std::vector<Contact> warm, cold, warm_of_all;
        CollideCounts counts;
        find_contacts(pose, objects, candidates, 0.02F, 0.0F, warm, counts, &memory);
        find_contacts(pose, objects, candidates, 0.02F, 0.0F, cold, counts);
        find_all_contacts(pose, objects, candidates, 0.02F, warm_of_all, counts, &memory_of_all);
        ASSERT_EQ(warm.size(), cold.size());
        ASSERT_EQ(warm_of_all.size(), cold.size());
        for (std::size_t i = 0; i < cold.size(); ++i) {
            ASSERT_EQ(warm[i].bone, cold[i].bone);
            ASSERT_EQ(warm[i].object, cold[i].object);
            ASSERT_NEAR(warm[i].distance_m, cold[i].distance_m, 1e-6F);
            ASSERT_NEAR(warm_of_all[i].distance_m, cold[i].distance_m, 1e-6F);
        }
        near += cold.size();
    }
    EXPECT_GT(near, 2000U);
}

}  // namespace
}  // namespace glovebox::collision
