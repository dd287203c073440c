#include "collision/query/mesh_pair.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "collision/mesh/build.h"
#include "collision/query/triangle_pair.h"
#include "collision/survey/tree/sample_meshes.h"
#include "tests/collision/made_meshes.h"
#include "tests/collision/random_shapes.h"

namespace glovebox::collision {
namespace {

struct Answer {
    TrianglePairs pairs;
    bool any = false;
};

Answer ask(const ObbTree& a, const ObbTree& b, const Eigen::Isometry3f& a_from_b) {
    Answer answer;
    TreeQueryCounts counts;
    PairQueryMemory memory;
    touching_triangles(a, b, a_from_b, answer.pairs, counts, memory);
    std::sort(answer.pairs.begin(), answer.pairs.end());
    answer.any = touch(a, b, a_from_b, counts, memory);
    return answer;
}

TrianglePairs every_pair(const Mesh& a, const Mesh& b, const Eigen::Isometry3f& a_from_b) {
    TrianglePairs pairs;
    for (std::int32_t j = 0; j < static_cast<std::int32_t>(b.triangles.size()); ++j) {
        const Triangle of_b = transformed(a_from_b.cast<double>(), triangle_of(b, j));
        for (std::int32_t i = 0; i < static_cast<std::int32_t>(a.triangles.size()); ++i)
            if (triangles_touch(triangle_of(a, i), of_b)) pairs.emplace_back(i, j);
    }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

Mesh one_triangle() {
    return {{{0.0F, 0.0F, 0.0F}, {1.0F, 0.0F, 0.0F}, {0.0F, 1.0F, 0.0F}}, {{0, 1, 2}}};
}

Mesh with_flat_and_double_triangles(Mesh mesh) {
    mesh.triangles.push_back(mesh.triangles[0]);
    mesh.triangles.push_back({0, 0, 1});
    mesh.triangles.push_back({2, 2, 2});
    return mesh;
}

struct Pair {
    const char* name;
    Mesh a, b;
    float reach;  // range of the random placements
};

TEST(MeshPair, FindsThePairsThatTestingEveryTriangleAgainstEveryOtherFinds) {
    const std::vector<Pair> pairs = {
        {"tori", torus(24, 14, {.spikes = 0.5, .dimples = 0.1, .wrinkles = 0.05, .twist = 1.0}), torus(20, 10), 1.2F},
        {"sphere and box", sphere(12, 16, 0.6), box_mesh({0.5F, 0.3F, 0.2F}), 0.6F},
        {"soups", soup(400, 0.2, 1), soup(300, 0.1, 2), 0.5F},
        {"sheet and torus", sheet(12), torus(16, 10), 0.8F},
        {"one triangle", one_triangle(), torus(16, 10), 0.8F},
        {"flat and double triangles", with_flat_and_double_triangles(sheet(4)), soup(100, 0.3, 3), 0.5F},
        {"a millionth", scaled(torus(16, 10), 1e-6F), scaled(torus(16, 10), 1e-6F), 1.2e-6F},
        {"a million", scaled(torus(16, 10), 1e6F), scaled(torus(16, 10), 1e6F), 1.2e6F},
    };
    for (const Pair& pair : pairs) {
        const auto a = ObbTree::build(pair.a), b = ObbTree::build(pair.b);
        RandomShapes random(7);
        int touching = 0;
        constexpr int kPoses = 40;
        for (int i = 0; i < kPoses; ++i) {
            const Eigen::Isometry3f a_from_b = random.pose(pair.reach);
            const TrianglePairs expected = every_pair(pair.a, pair.b, a_from_b);
            const Answer found = ask(*a, *b, a_from_b);
            ASSERT_EQ(found.pairs, expected) << pair.name << ", pose " << i;
            ASSERT_EQ(found.any, !expected.empty()) << pair.name << ", pose " << i;
            touching += found.any ? 1 : 0;
        }
        EXPECT_GT(touching, kPoses / 5) << pair.name;
    }
}

TEST(MeshPair, CoplanarSheetsAndSharedSurfacesAreFoundExactly) {
    // Not moved, or by whole quads: corners, edges and faces coincide without rounding error.
    const Mesh flat = sheet(8), closed = box_mesh({0.5F, 0.25F, 0.5F});
    const auto flat_tree = ObbTree::build(flat), closed_tree = ObbTree::build(closed);
    Eigen::Isometry3f a_from_b = Eigen::Isometry3f::Identity();
    for (const float shift : {0.0F, 0.125F, 0.5F, 1.0F, 1.125F}) {
        a_from_b.translation() = Eigen::Vector3f(shift, 0.0F, 0.0F);
        const TrianglePairs expected = every_pair(flat, flat, a_from_b);
        EXPECT_EQ(ask(*flat_tree, *flat_tree, a_from_b).pairs, expected) << shift;
        EXPECT_EQ(expected.empty(), shift > 1.0F);
        EXPECT_EQ(ask(*closed_tree, *closed_tree, a_from_b).pairs, every_pair(closed, closed, a_from_b)) << shift;
    }
}

TEST(MeshPair, SwappedMeshesGiveSwappedPairs) {
    const Mesh a = torus(20, 12, {.spikes = 0.3}), b = soup(300, 0.2, 4);
    const auto tree_a = ObbTree::build(a), tree_b = ObbTree::build(b);
    Eigen::Isometry3f a_from_b = Eigen::Isometry3f::Identity();  // a rotation by 90 degrees is exactly invertible
    a_from_b.linear() << 0, -1, 0, 1, 0, 0, 0, 0, 1;
    a_from_b.translation() = Eigen::Vector3f(0.25F, 0.5F, -0.125F);
    TrianglePairs there = ask(*tree_a, *tree_b, a_from_b).pairs;
    TrianglePairs back;
    for (const auto& [of_b, of_a] : ask(*tree_b, *tree_a, a_from_b.inverse(Eigen::Isometry)).pairs)
        back.emplace_back(of_a, of_b);
    std::sort(back.begin(), back.end());
    EXPECT_EQ(there, back);
    EXPECT_GT(there.size(), 20U);
}

TEST(MeshPair, PosesThatAreNotFiniteTouchNothing) {
    const auto tree = ObbTree::build(torus(16, 10));
    for (const float bad : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
        Eigen::Isometry3f a_from_b = Eigen::Isometry3f::Identity();
        a_from_b.translation().x() = bad;
        EXPECT_TRUE(ask(*tree, *tree, a_from_b).pairs.empty());
        a_from_b = Eigen::Isometry3f::Identity();
        a_from_b.linear()(1, 1) = bad;
        EXPECT_TRUE(ask(*tree, *tree, a_from_b).pairs.empty());
    }
}

TEST(MeshPair, EveryTriangleIsInOneBlockAndATriangleTakesAtMost70Bytes) {
    const Mesh mesh = torus(132, 66, {.spikes = 0.5, .dimples = 0.15, .wrinkles = 0.03, .twist = 2.0});
    const auto tree = ObbTree::build(mesh);
    std::multiset<std::int32_t> found;
    for (const ObbTree::Block& block : tree->blocks())
        for (std::size_t lane = 0; lane < ObbTree::kBlockTriangles; ++lane) {
            if (block.triangle[lane] < 0) continue;
            found.insert(block.triangle[lane]);
            const Triangle expected = triangle_of(mesh, block.triangle[lane]);
            for (std::size_t i = 0; i < 9; ++i)
                ASSERT_EQ(static_cast<double>(block.corner_m[i / 3][i % 3][lane]),
                          expected[i / 3][static_cast<int>(i % 3)]);
        }
    ASSERT_EQ(found.size(), mesh.triangles.size());
    EXPECT_EQ(std::set<std::int32_t>(found.begin(), found.end()).size(), mesh.triangles.size());
    EXPECT_LE(static_cast<double>(tree->memory_bytes()) / static_cast<double>(mesh.triangles.size()), 70.0);
    EXPECT_GT(tree->lanes_filled(), 5.5);
}

TEST(MeshPair, RefusesMeshesThatAreNone) {
    EXPECT_THROW(ObbTree::build(Mesh{}), std::invalid_argument);
    Mesh bad = one_triangle();
    bad.vertices_m[1].x() = std::nanf("");
    EXPECT_THROW(ObbTree::build(bad), std::invalid_argument);
    bad = one_triangle();
    bad.triangles[0][2] = 3;
    EXPECT_THROW(ObbTree::build(bad), std::invalid_argument);
}

}  // namespace
}  // namespace glovebox::collision
