#include "collision/query/hull_mesh.h"

#include <gtest/gtest.h>

#include <map>

#include "collision/query/collide.h"
#include "tests/collision/made_meshes.h"
#include "tests/collision/random_shapes.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

// A moved hull given by its corners, edges and facets.
struct Facets {
    std::vector<Vector3d> corners;
    std::vector<std::pair<Vector3d, Vector3d>> edges;
    std::vector<Triangle> triangles;

    Facets(const ConvexHull& hull, const Eigen::Isometry3d& pose) {
        for (const Vector3f& corner : hull.corners_m()) corners.push_back(pose * corner.cast<double>());
        for (const auto& facet : hull.facets()) {
            const auto at = [&](std::size_t k) { return corners[static_cast<std::size_t>(facet[k])]; };
            triangles.push_back({at(0), at(1), at(2)});
            for (std::size_t k = 0; k < 3; ++k)
                if (facet[k] < facet[(k + 1) % 3]) edges.emplace_back(at(k), at((k + 1) % 3));
        }
    }
};

// Signed distance of a hull and a triangle without support functions. If apart, the least distance of corners, edges
// and faces; otherwise the least overlap along any direction that can be a facet normal of the Minkowski difference.
double brute_distance(const Facets& hull, const Triangle& triangle) {
    double gap = -1e300;
    const auto part_along = [&](const Vector3d& direction) {
        if (!(direction.norm() > 1e-12)) return;
        const Vector3d n = direction.normalized();
        double hull_low = 1e300, hull_high = -1e300, low = 1e300, high = -1e300;
        for (const Vector3d& corner : hull.corners) {
            hull_low = std::min(hull_low, n.dot(corner));
            hull_high = std::max(hull_high, n.dot(corner));
        }
        for (const Vector3d& corner : triangle) {
            low = std::min(low, n.dot(corner));
            high = std::max(high, n.dot(corner));
        }
        gap = std::max({gap, low - hull_high, hull_low - high});
    };
    part_along((triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]));
    for (const Triangle& facet : hull.triangles) part_along((facet[1] - facet[0]).cross(facet[2] - facet[0]));
    for (const auto& [from, to] : hull.edges)
        for (std::size_t k = 0; k < 3; ++k) part_along((to - from).cross(triangle[(k + 1) % 3] - triangle[k]));
    if (gap <= 0.0) return gap;
    double distance = 1e300;
    for (const Vector3d& corner : hull.corners)
        distance = std::min(distance, (closest_on_triangle(corner, triangle).point - corner).norm());
    for (const Triangle& facet : hull.triangles)
        for (const Vector3d& corner : triangle)
            distance = std::min(distance, (closest_on_triangle(corner, facet).point - corner).norm());
    for (const auto& [from, to] : hull.edges)
        for (std::size_t k = 0; k < 3; ++k) {
            const Vector3d &a = triangle[k], &b = triangle[(k + 1) % 3];
            const SegmentParameters at = closest_segment_parameters(from, to, a, b);
            distance = std::min(distance, (from + at.s * (to - from) - a - at.t * (b - a)).norm());
        }
    return distance;
}

std::shared_ptr<const ConvexHull> bone(RandomShapes& random) {
    std::vector<Vector3f> corners;
    for (int i = 0; i < 32; ++i) corners.push_back(random.direction().cwiseProduct(Vector3f(0.4F, 0.15F, 0.12F)));
    return ConvexHull::from_points(corners);
}

// Makes an open sheet of hills.
Mesh hills() {
    Mesh mesh;
    constexpr int kCells = 14;
    for (int i = 0; i <= kCells; ++i)
        for (int j = 0; j <= kCells; ++j)
            mesh.vertices_m.emplace_back(
                0.2F * static_cast<float>(i) - 1.4F,
                0.1F * std::sin(1.7F * static_cast<float>(i)) * std::cos(2.1F * static_cast<float>(j)),
                0.2F * static_cast<float>(j) - 1.4F);
    for (std::uint32_t i = 0; i < kCells; ++i)
        for (std::uint32_t j = 0; j < kCells; ++j) {
            const std::uint32_t a = i * (kCells + 1) + j, b = a + 1, c = a + kCells + 1, d = c + 1;
            mesh.triangles.push_back({a, b, c});
            mesh.triangles.push_back({b, d, c});
        }
    return mesh;
}

TEST(HullMesh, AllWithinAreThoseOfEveryTriangleAskedWithoutSupportPoints) {
    RandomShapes random(81);
    int crossing = 0, near = 0, inside = 0;
    for (const bool closed : {true, false}) {
        const auto tree = MeshTree::build(closed ? bumpy_torus(20, 10) : hills());
        ASSERT_EQ(tree->closed(), closed);
        for (int walk = 0; walk < 6; ++walk) {
            const auto hull = bone(random);
            HullMeshMemory memory;
            Eigen::Isometry3f pose = random.pose(closed ? 1.2F : 0.5F);
            const Vector3f way_m = 0.02F * random.direction();
            const Eigen::AngleAxisf turn(0.03F, random.direction());
            for (int frame = 0; frame < 12; ++frame) {
                pose.translation() += way_m;
                pose.linear() = turn * pose.linear();
                const float reach_m = frame % 3 == 0 ? 0.0F : 0.05F;
                std::map<std::int32_t, MeshHit> found, without;
                MeshTreeCounts counts;
                all_within(
                    *tree, *hull, pose, reach_m, [&](const MeshHit& hit) { found[hit.triangle] = hit; }, counts,
                    &memory);
                all_within(
                    *tree, *hull, pose, reach_m, [&](const MeshHit& hit) { without[hit.triangle] = hit; }, counts);
                const Facets facets(*hull, pose.cast<double>());
                for (std::int32_t i = 0; i < std::ssize(tree->mesh().triangles); ++i) {
                    const double expected = brute_distance(facets, triangle_of(tree->mesh(), i));
                    if (std::abs(expected - double{reach_m}) < 4e-6) continue;
                    ASSERT_EQ(found.contains(i), expected < double{reach_m}) << i << ' ' << expected;
                    ASSERT_EQ(without.contains(i), found.contains(i)) << i;
                    if (!found.contains(i)) continue;
                    const MeshHit& hit = found[i];
                    // A triangle that does not cross the surface may be inside; then its depth equals its distance.
                    inside += expected > 0.0 && hit.distance_m < 0.0F ? 1 : 0;
                    const float signed_m = expected > 0.0 ? std::abs(hit.distance_m) : hit.distance_m;
                    ASSERT_NEAR(signed_m, expected, 4e-6) << i;
                    ASSERT_NEAR(without[i].distance_m, hit.distance_m, 4e-6F) << i;
                    ASSERT_LT((hit.on_mesh_m - hit.on_shape_m - hit.distance_m * hit.normal).norm(), 4e-6F);
                    (expected <= 0.0 ? crossing : near) += 1;
                }
            }
        }
    }
    EXPECT_GT(crossing, 300);
    EXPECT_GT(near, 150);
    EXPECT_GT(inside, 20);
}

TEST(HullMesh, AFrameHasAContactForEachTriangle) {
    RandomShapes random(82);
    const auto tree = MeshTree::build(bumpy_torus(40, 20));
    const Shape mesh = MeshInstance{tree, Eigen::Isometry3f::Identity()};
    const std::vector<Collider> objects = {{mesh, bounding_box(mesh)}};
    BodyPose pose;
    pose.shapes = {HullInstance{bone(random), Eigen::Isometry3f(Eigen::Translation3f(1.0F, 0.35F, 0.0F))}};
    const std::vector<Candidate> candidates = {{0, 0}};
    std::vector<Contact> contacts, deepest;
    CollideCounts counts, of_deepest;
    DescentMemory memory(1);
    find_all_contacts(pose, objects, candidates, 0.0F, contacts, counts, &memory);
    find_contacts(pose, objects, candidates, 0.0F, 0.0F, deepest, of_deepest);
    ASSERT_EQ(deepest.size(), 1U);
    EXPECT_GT(contacts.size(), 10U);
    EXPECT_EQ(counts.touching, 1);
    for (const Contact& contact : contacts) EXPECT_LE(contact.distance_m, 0.0F);
}

}  // namespace
}  // namespace glovebox::collision
