#include "collision/query/hull_inside.h"

#include <gtest/gtest.h>

#include "collision/query/hull_mesh.h"
#include "tests/collision/made_meshes.h"
#include "tests/collision/random_shapes.h"

namespace glovebox::collision {
namespace {

using Eigen::Isometry3f;
using Eigen::Vector3f;

Mesh ring(float size_m) {
    Mesh mesh = bumpy_torus(48, 24);
    for (Vector3f& vertex_m : mesh.vertices_m) vertex_m *= size_m;
    return mesh;
}

std::shared_ptr<const ConvexHull> finger(RandomShapes& random) {
    std::vector<Vector3f> corners;
    for (int i = 0; i < 32; ++i) corners.push_back(random.direction().cwiseProduct(Vector3f(0.02F, 0.009F, 0.008F)));
    return ConvexHull::from_points(corners);
}

// A point of the hull: a mean of its corners, weighted towards a few of them.
Vector3f point_in(const ConvexHull& hull, RandomShapes& random) {
    Vector3f sum = Vector3f::Zero();
    float weights = 0.0F;
    for (const Vector3f& corner_m : hull.corners_m()) {
        const float weight = std::pow(random.between(0.0F, 1.0F), 12.0F);
        sum += weight * corner_m;
        weights += weight;
    }
    return sum / weights;
}

bool holds(const Obb& box, const Vector3f& at_m) {
    return ((box.axes.transpose() * (at_m - box.center_m)).cwiseAbs() - box.half_m).maxCoeff() < 1e-7F;
}

float volume_m3(const Obb& box) {
    return 8.0F * box.half_m.prod();
}

TEST(HullInside, TheBoxHoldsEveryPointOfTheHullInsideTheMesh) {
    RandomShapes random(2611);
    const auto tree = MeshTree::build(ring(0.06F));
    ASSERT_TRUE(tree->closed());
    int inside = 0, small = 0, whole = 0;
    for (int round = 0; round < 300; ++round) {
        const auto hull = finger(random);
        const Isometry3f pose = random.pose(0.07F);
        MeshTreeCounts counts;
        const Obb box = box_of_inside(*tree, *hull, pose.cast<double>(), counts);
        ASSERT_LE(box.half_m.norm(), hull->box().half_m.norm());
        int of_this = 0;
        for (int i = 0; i < 400; ++i) {
            const Vector3f at_m = point_in(*hull, random);
            if (!tree->contains(pose * at_m, counts)) continue;
            ++of_this;
            ASSERT_TRUE(holds(box, at_m)) << round;
        }
        inside += of_this;
        if (of_this == 0) continue;
        (volume_m3(box) < 0.5F * volume_m3(hull->box()) ? small : whole) += 1;
    }
    EXPECT_GT(inside, 10'000);
    EXPECT_GT(small, 30) << "or the box does not help";
    EXPECT_GT(whole, 20);
}

TEST(HullInside, TheHullIsTheBoxIfNothingIsInsideOrItHasNoFacets) {
    RandomShapes random(2612);
    const auto tree = MeshTree::build(ring(0.06F));
    const auto hull = finger(random);
    MeshTreeCounts counts;
    Eigen::Isometry3d away = Eigen::Isometry3d::Identity();
    away.translation().x() = 1.0;
    EXPECT_EQ(box_of_inside(*tree, *hull, away, counts).half_m, hull->box().half_m);
    const auto flat = ConvexHull::from_points(std::vector<Vector3f>{{0, 0, 0}, {0.1F, 0, 0}, {0, 0.1F, 0}});
    ASSERT_TRUE(flat->facets().empty());
    EXPECT_EQ(box_of_inside(*tree, *flat, Eigen::Isometry3d::Identity(), counts).half_m, flat->box().half_m);
}

// Shallow contacts took longest, because all of the hull had to be shown to be outside.
TEST(HullInside, ShallowDepthsAreProvenInFewQueries) {
    RandomShapes random(2613);
    const auto tree = MeshTree::build(ring(0.06F));
    int shallow = 0;
    MeshTreeCounts counts;
    for (int round = 0; round < 1500; ++round) {
        const auto hull = finger(random);
        Isometry3f pose = random.pose(0.07F);
        const Vector3f way = random.direction();
        for (int step = 0; step < 8; ++step) {
            pose.translation() += 0.0005F * way;
            MeshTreeCounts of_this;
            const MeshHit hit = nearest(*tree, *hull, pose, 0.0F, of_this);
            if (hit.triangle < 0 || hit.distance_m > -2e-5F || hit.distance_m < -3e-4F) continue;
            ++shallow;
            ASSERT_LT(of_this.box_tests, 7'000) << hit.distance_m;
            counts.unfinished += of_this.unfinished;
        }
    }
    EXPECT_GT(shallow, 25);
    EXPECT_EQ(counts.unfinished, 0);
}

}  // namespace
}  // namespace glovebox::collision
