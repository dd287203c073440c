#include "collision/mesh/obb_tree.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "collision/mesh/block_triangle.h"
#include "collision/mesh/build.h"
#include "collision/mesh/mesh_surface.h"
#include "collision/query/bone.h"
#include "collision/query/convex.h"
#include "collision/query/near_search.h"
#include "tests/collision/made_meshes.h"
#include "tests/collision/random_shapes.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3f;

struct Built {
    Mesh mesh;
    BoxTree binary;
    ObbTree tree;
};

Built built(Mesh mesh, int leaf_triangles = 4) {
    BuildSettings settings;
    settings.max_leaf_triangles = leaf_triangles;
    Built result{std::move(mesh), {}, {}};
    result.binary = build_tree(result.mesh, settings);
    result.tree = ObbTree(result.mesh, result.binary);
    return result;
}

// Makes a torus with needles, duplicate vertices and points among its triangles.
Mesh with_slivers() {
    Mesh mesh = bumpy_torus(32, 16);
    RandomShapes random(71);
    for (int i = 0; i < 120; ++i) {
        const auto first = static_cast<std::uint32_t>(mesh.vertices_m.size());
        const Vector3f at = random.cone(0.1F, 0.1F, 1.2F).a_m;
        const float thin = std::pow(10.0F, -static_cast<float>(i % 8));
        mesh.vertices_m.push_back(at);
        mesh.vertices_m.push_back(at + Vector3f(0.2F, 0.0F, 0.1F));
        mesh.vertices_m.push_back(i % 10 == 9 ? at : Vector3f(at + Vector3f(0.1F, 0.1F * thin, 0.05F)));
        mesh.triangles.push_back({first, first + 1, first + 2});
    }
    return mesh;
}

double exact(const Vector3f& point, const Triangle& triangle) {
    return (closest_on_triangle(point.cast<double>(), triangle).point - point.cast<double>()).norm();
}
double exact(const RoundCone& cone, const Triangle& triangle) {
    return closest(round_segment(cone), triangle).gap;
}
double exact(const Obb& box, const Triangle& triangle) {
    return std::max(0.0, closest(ConvexCore(box), ConvexCore(triangle)).distance);
}

// Checks bounds for a point, a cone or a box.
template <class Query>
void expect_true_bounds(const ObbTree& tree, const Query& query, int& tight) {
    constexpr double kRounding = 2e-5;
    const ObbTree::Node& root = tree.nodes()[0];
    const NodeBounds of_root = node_bounds(root, query), of_root_scalar = node_bounds_scalar(root, query);
    for (std::int32_t child = 0; child < root.count; ++child) {
        const auto k = static_cast<std::size_t>(child);
        EXPECT_NEAR(of_root[k], of_root_scalar[k], kRounding);
        // No triangle in the subtree is nearer than its box.
        double least = std::numeric_limits<double>::infinity();
        std::vector<std::int32_t> open = {root.child[k]};
        while (!open.empty()) {
            const std::int32_t at = open.back();
            open.pop_back();
            if (at >= 0) {
                const ObbTree::Node& node = tree.nodes()[static_cast<std::size_t>(at)];
                open.insert(open.end(), node.child.begin(), node.child.begin() + node.count);
                continue;
            }
            const ObbTree::Block& block = tree.blocks()[static_cast<std::size_t>(~at)];
            for (std::size_t lane = 0; lane < ObbTree::kBlockTriangles; ++lane)
                if (block.triangle[lane] >= 0) least = std::min(least, exact(query, triangle_at(block, lane)));
        }
        EXPECT_LE(double{of_root[k]}, least + kRounding);
    }
    for (std::size_t i = 0; i < tree.blocks().size(); i += 7) {
        const ObbTree::Block& block = tree.blocks()[i];
        const BlockBounds wide = block_bounds(block, query), scalar = block_bounds_scalar(block, query);
        for (std::size_t lane = 0; lane < ObbTree::kBlockTriangles; ++lane) {
            const double gap = exact(query, triangle_at(block, lane));
            ASSERT_LE(double{wide.least[lane]}, gap + kRounding) << "triangle " << block.triangle[lane];
            ASSERT_GE(double{wide.most[lane]}, gap - kRounding) << "triangle " << block.triangle[lane];
            ASSERT_LE(double{scalar.least[lane]}, gap + kRounding);
            ASSERT_GE(double{scalar.most[lane]}, gap - kRounding);
            tight += double{wide.most[lane]} - double{wide.least[lane]} < 1e-3 ? 1 : 0;
        }
    }
}

TEST(ObbTree, HoldsEveryTriangleOnceToTheBit) {
    for (const int leaf : {1, 4, 9, 100}) {
        const Built b = built(with_slivers(), leaf);
        std::vector<int> seen(b.mesh.triangles.size(), 0);
        for (const ObbTree::Block& block : b.tree.blocks())
            for (std::size_t lane = 0; lane < ObbTree::kBlockTriangles; ++lane) {
                if (block.triangle[lane] < 0) continue;
                ++seen[static_cast<std::size_t>(block.triangle[lane])];
                const Triangle expected = triangle_of(b.mesh, block.triangle[lane]), found = triangle_at(block, lane);
                for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(expected[i], found[i]);
            }
        EXPECT_EQ(std::set<int>(seen.begin(), seen.end()), std::set<int>{1}) << "leaves of " << leaf;
    }
}

TEST(ObbTree, BoundsEncloseTheDistanceAndAgreeWithTheScalarTwin) {
    const Built b = built(with_slivers());
    RandomShapes random(72);
    int tight_points = 0, tight_cones = 0, tight_boxes = 0;
    for (int i = 0; i < 150; ++i) {
        RoundCone cone = random.cone(0.4F, 0.1F, 1.3F);
        if (i % 10 == 0) cone.b_m = cone.a_m;
        if (i % 10 == 1) cone.radius_b_m = cone.radius_a_m + 2.0F * (cone.b_m - cone.a_m).norm();
        expect_true_bounds(b.tree, cone.a_m, tight_points);
        expect_true_bounds(b.tree, cone, tight_cones);
        expect_true_bounds(b.tree, random.box(0.05F, 0.4F, 1.0F), tight_boxes);
    }
    const int all = 150 * static_cast<int>(b.tree.blocks().size() / 7 * ObbTree::kBlockTriangles);
    EXPECT_GT(tight_points, all * 9 / 10);
    EXPECT_GT(tight_cones, all / 2);
    EXPECT_GT(tight_boxes, all / 2);
}

// The bound's direction is across the cone's axis, tilted by its slope. The displacement between two nearly nearest
// points is not perpendicular to the axis, and a direction longer than 1 would give a bound that is too large.
TEST(ObbTree, NothingIsNearerToATaperedConeThanItsBound) {
    RandomShapes random(76);
    int sides = 0;
    for (int soup = 0; soup < 60; ++soup) {
        Mesh mesh;
        for (std::uint32_t i = 0; i < 40; ++i) {
            const Vector3f at = random.vector(0.03F);
            for (int corner = 0; corner < 3; ++corner) mesh.vertices_m.push_back(at + random.vector(0.02F));
            mesh.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
        }
        const Built b = built(std::move(mesh));
        for (int i = 0; i < 60; ++i) {
            const float radius = random.between(0.009F, 0.018F);
            const Vector3f a = random.vector(0.02F);
            const RoundCone cone{a, a + random.between(0.02F, 0.04F) * random.direction(), radius,
                                 radius * random.between(0.6F, 0.9F)};
            for (const ObbTree::Block& block : b.tree.blocks()) {
                const BlockBounds wide = block_bounds(block, cone), scalar = block_bounds_scalar(block, cone);
                for (std::size_t lane = 0; lane < ObbTree::kBlockTriangles; ++lane) {
                    const SegmentTriangle found = closest(round_segment(cone), triangle_at(block, lane));
                    ASSERT_LE(double{wide.least[lane]}, found.gap + 1e-6);
                    ASSERT_LE(double{scalar.least[lane]}, found.gap + 1e-6);
                    sides += found.core_distance > 1e-3 ? 1 : 0;
                }
            }
        }
    }
    EXPECT_GT(sides, 50'000);
}

template <class Query>
void expect_found(const Built& b, const Query& query, double reach_m, int& within) {
    double least = std::numeric_limits<double>::infinity();
    std::set<std::int32_t> all;
    for (std::int32_t t = 0; t < static_cast<std::int32_t>(b.mesh.triangles.size()); ++t) {
        const double gap = exact(query, triangle_of(b.mesh, t));
        least = std::min(least, gap);
        if (gap <= reach_m) all.insert(t);
    }
    within += all.empty() ? 0 : 1;

    MeshTreeCounts counts;
    double found = std::numeric_limits<double>::infinity();
    auto nearest = [&](const ObbTree::Block& block, std::size_t lane, double& reach) {
        found = std::min(found, exact(query, triangle_at(block, lane)));
        reach = std::min(reach, std::max(found, -1e9));
    };
    find_nearest(b.tree, kWholeTree, query, reach_m, counts, NearVisit::of(nearest));
    if (!all.empty()) {
        EXPECT_EQ(found, least);
    }
    std::set<std::int32_t> visited;
    auto keep = [&](const ObbTree::Block& block, std::size_t lane, double&) {
        EXPECT_TRUE(visited.insert(block.triangle[lane]).second) << "visited twice";
    };
    find_all_near(b.tree, kWholeTree, query, reach_m, counts, NearVisit::of(keep));
    for (const std::int32_t t : all) EXPECT_TRUE(visited.contains(t)) << t;
    EXPECT_GT(counts.box_tests, 0);
}

TEST(ObbTree, FindsWhatBruteForceFinds) {
    for (const int leaf : {4, 100}) {
        const Built b = built(with_slivers(), leaf);
        RandomShapes random(73);
        int cones = 0, boxes = 0;
        for (int i = 0; i < 300; ++i) {
            expect_found(b, random.cone(0.3F, 0.05F, 1.4F), 0.05 * (i % 3), cones);
            expect_found(b, random.box(0.02F, 0.2F, 1.2F), 0.05 * (i % 3), boxes);
        }
        EXPECT_GT(cones, 60);
        EXPECT_LT(cones, 290);
        EXPECT_GT(boxes, 60);
    }
}

TEST(ObbTree, ABoxThatATriangleReachesIntoMeetsTheTree) {
    const Built b = built(with_slivers());
    RandomShapes random(74);
    int touching = 0, ruled_out = 0;
    for (int i = 0; i < 600; ++i) {
        const Obb box = random.box(0.02F, 0.15F, 1.2F);
        bool touches = false;
        for (std::int32_t t = 0; t < static_cast<std::int32_t>(b.mesh.triangles.size()) && !touches; ++t)
            touches = exact(box, triangle_of(b.mesh, t)) <= 0.0;
        MeshTreeCounts counts;
        const bool met = meets(b.tree, box, counts);
        EXPECT_TRUE(met || !touches) << i;
        touching += touches ? 1 : 0;
        ruled_out += met ? 0 : 1;
    }
    EXPECT_GT(touching, 100);
    EXPECT_GT(ruled_out, 100);
}

TEST(ObbTree, EveryBoxHoldsItsTrianglesAfterRounding) {
    for (const float scale : {1e-6F, 1.0F, 1e6F}) {
        Mesh mesh = with_slivers();
        for (Vector3f& vertex : mesh.vertices_m) vertex = scale * (vertex + Vector3f(20.0F, -3.0F, 0.0F));
        const Built b = built(std::move(mesh));
        struct Open {
            std::int32_t child;
            std::vector<Obb> boxes;  // all boxes on the path from the root
        };
        std::vector<Open> open = {{0, {}}};
        std::size_t triangles = 0;
        while (!open.empty()) {
            const Open next = open.back();
            open.pop_back();
            if (next.child >= 0) {
                const ObbTree::Node& node = b.tree.nodes()[static_cast<std::size_t>(next.child)];
                for (std::size_t child = 0; child < static_cast<std::size_t>(node.count); ++child) {
                    open.push_back({node.child[child], next.boxes});
                    open.back().boxes.push_back(b.tree.box_of(node, child));
                }
                continue;
            }
            for (const std::int32_t number : b.tree.blocks()[static_cast<std::size_t>(~next.child)].triangle) {
                if (number < 0) continue;
                ++triangles;
                for (const std::uint32_t corner : b.mesh.triangles[static_cast<std::size_t>(number)])
                    for (const Obb& box : next.boxes) {
                        const Eigen::Vector3d from =
                            b.mesh.vertices_m[corner].cast<double>() - box.center_m.cast<double>();
                        const Eigen::Vector3d along = (box.axes.cast<double>().transpose() * from).cwiseAbs();
                        ASSERT_LE((along - box.half_m.cast<double>()).maxCoeff(), 0.0);
                    }
            }
        }
        EXPECT_EQ(triangles, b.mesh.triangles.size());
    }
}

// Without this, the test above would cover only aligned boxes.
TEST(ObbTree, MostNodesHaveAxesOfTheirOwn) {
    const Built b = built(bumpy_torus(64, 32));
    std::size_t turned = 0;
    for (const ObbTree::Node& node : b.tree.nodes()) turned += node.turn[3] == 1.0F ? 0 : 1;
    EXPECT_GT(turned, b.tree.nodes().size() / 2);
    EXPECT_GT(b.tree.lanes_filled(), 5.5);
}

TEST(ObbTree, TheBoxesOfALevelAreThoseOfItsNodes) {
    const Built b = built(bumpy_torus(32, 16));
    EXPECT_EQ(b.tree.boxes_at(0).size(), 1U);
    EXPECT_EQ(b.tree.boxes_at(1).size(), static_cast<std::size_t>(b.tree.nodes()[0].count));
    EXPECT_EQ(b.tree.boxes_at(b.tree.depth()).size(), b.tree.blocks().size());
    EXPECT_EQ(b.tree.boxes_at(99).size(), b.tree.blocks().size());
}

TEST(ObbTree, TheSearchWithoutRegistersFindsTheNearestTriangleAndLooksAtFew) {
    const Built b = built(with_slivers());
    RandomShapes random(75);
    std::size_t looked_at = 0, found = 0;
    for (int i = 0; i < 400; ++i) {
        const Vector3f point = random.vector(1.5F);
        const double reach = i % 2 == 0 ? 0.2 : std::numeric_limits<double>::infinity();
        double nearest = reach, expected = reach;
        search_near(
            b.tree, reach,
            [&](const Obb& box) {
                const Vector3f along = (box.axes.transpose() * (point - box.center_m)).cwiseAbs();
                return double{(along - box.half_m).cwiseMax(0.0F).norm()} * (1.0 - 1e-6) - 1e-6;
            },
            [&](std::int32_t triangle) {
                ++looked_at;
                return nearest = std::min(nearest, exact(point, triangle_of(b.mesh, triangle)));
            });
        for (std::int32_t t = 0; t < static_cast<std::int32_t>(b.mesh.triangles.size()); ++t)
            expected = std::min(expected, exact(point, triangle_of(b.mesh, t)));
        EXPECT_EQ(nearest, expected);
        found += expected < reach ? 1 : 0;
    }
    EXPECT_GT(found, 250U);
    EXPECT_LT(looked_at, 400 * b.mesh.triangles.size() / 20);
}

TEST(ObbTree, NothingIsNearWhatIsNotFinite) {
    const Built b = built(bumpy_torus(16, 8));
    const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    MeshTreeCounts counts;
    int visited = 0;
    auto count = [&](const ObbTree::Block&, std::size_t, double&) { ++visited; };
    for (const float bad : {nan, inf}) {
        find_nearest(b.tree, Vector3f(bad, 0.0F, 0.0F), 1e9, counts, NearVisit::of(count));
        const RoundCone cone{{0.0F, bad, 0.0F}, Vector3f::Zero(), 0.1F, 0.1F};
        find_nearest(b.tree, kWholeTree, cone, 1e9, counts, NearVisit::of(count));
        find_all_near(b.tree, kWholeTree, cone, 1e9, counts, NearVisit::of(count));
        Obb box;
        box.axes(1, 1) = bad;
        find_nearest(b.tree, kWholeTree, box, 1e9, counts, NearVisit::of(count));
    }
    EXPECT_EQ(visited, 0);
}

}  // namespace
}  // namespace glovebox::collision
