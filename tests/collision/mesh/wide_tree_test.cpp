#include "collision/mesh/wide_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "collision/mesh/build.h"
#include "collision/survey/fit/random.h"
#include "collision/survey/tree/sample_meshes.h"
#include "tests/collision/mesh/trees.h"

namespace glovebox::collision {
namespace {

Obb random_box(Random& random) {
    const Eigen::Isometry3f pose = random_pose(random, 1.0);
    Obb box{pose.translation(), pose.linear(), {}};
    for (int k = 0; k < 3; ++k)  // some are flat or straight
        box.half_m[k] = static_cast<float>(random.unit() < 0.15 ? 0.0 : random.between(0.0, 0.6));
    return box;
}

void put(WideBoxes& boxes, std::size_t lane, const Obb& box) {
    for (int k = 0; k < 3; ++k) {
        boxes.center[k][lane] = box.center_m[k];
        boxes.half[k][lane] = box.half_m[k];
        for (int row = 0; row < 3; ++row) boxes.axes[3 * k + row][lane] = box.axes(row, k);
    }
}

TEST(WideOverlap, IsTheScalarTestLaneByLane) {
    Random random(1);
    int hits = 0, tests = 0;
    for (int round = 0; round < 20000; ++round) {
        WideBoxes children;
        for (std::size_t lane = 0; lane < WideBoxes::kLanes; ++lane) put(children, lane, random_box(random));
        if (round % 5 == 0) children.center[1][3] = std::numeric_limits<float>::quiet_NaN();
        const Obb box = random_box(random);
        for (const std::size_t lanes : {4U, 8U}) {
            const std::uint32_t mask = overlap_mask(box, children, lanes);
            ASSERT_EQ(mask, overlap_mask_scalar(box, children, lanes)) << "round " << round;
            hits += std::popcount(mask);
            tests += static_cast<int>(lanes);
        }
    }
    EXPECT_GT(hits, tests / 20);
    EXPECT_LT(hits, tests * 4 / 5);
}

TEST(WideTree, FindsThePairsOfTheBinaryTreeInEveryLayout) {
    const Mesh a = torus(30, 20, {.spikes = 0.5, .dimples = 0.1, .wrinkles = 0.05, .twist = 1.0}),
               b = soup(300, 0.2, 2);
    for (const int leaf : {1, 4}) {
        BuildSettings settings;
        settings.max_leaf_triangles = leaf;
        const BoxTree tree_a = build_tree(a, settings), tree_b = build_tree(b, settings);
        for (const WideLayoutRow& row : wide_layouts()) {
            const WideTree wide_a(tree_a, row.layout), wide_b(tree_b, row.layout);
            Random random(3);
            int touching = 0;
            constexpr int kPoses = 200;
            for (int pose = 0; pose < kPoses; ++pose) {
                const Eigen::Isometry3f a_from_b = random_pose(random, 2.2);
                TrianglePairs expected, found;
                TreeQueryCounts counts;
                touching_triangles(MeshAndTree{a, tree_a}, MeshAndTree{b, tree_b}, a_from_b, expected, counts);
                touching_triangles(MeshAndWideTree{a, wide_a}, MeshAndWideTree{b, wide_b}, a_from_b, found, counts);
                std::sort(expected.begin(), expected.end());
                std::sort(found.begin(), found.end());
                ASSERT_EQ(found, expected) << row.name << ", pose " << pose;
                touching += expected.empty() ? 0 : 1;
            }
            EXPECT_GT(touching, kPoses / 5) << row.name;
            EXPECT_LT(touching, kPoses * 4 / 5) << row.name;
        }
    }
}

TEST(WideTree, EveryStoredBoxHoldsTheTrianglesBelowIt) {
    Mesh mesh = torus(40, 30, {.spikes = 0.5, .dimples = 0.1, .wrinkles = 0.05, .twist = 1.0});
    for (const float offset_m : {0.0F, 50.0F}) {
        for (auto& vertex : mesh.vertices_m) vertex.x() += offset_m;
        const BoxTree binary = build_tree(mesh);
        for (const WideLayoutRow& row : wide_layouts()) {
            const WideTree wide(binary, row.layout);
            WideBoxes room;
            // Triangles below each node, from the last to the first: children have higher indices.
            std::vector<std::vector<std::int32_t>> below(wide.node_count());
            for (std::size_t n = wide.node_count(); n-- > 0;) {
                const WideBoxes& boxes = wide.boxes(static_cast<std::int32_t>(n), room);
                const auto kids = wide.children(static_cast<std::int32_t>(n));
                for (std::size_t lane = 0; lane < wide.width(); ++lane) {
                    if (kids[lane].count < 0) continue;
                    std::vector<std::int32_t> mine;
                    if (kids[lane].count > 0)
                        mine.assign(wide.order().begin() + kids[lane].first,
                                    wide.order().begin() + kids[lane].first + kids[lane].count);
                    else
                        mine = below[static_cast<std::size_t>(kids[lane].first)];
                    for (const std::int32_t t : mine)
                        for (const std::uint32_t vertex : mesh.triangles[static_cast<std::size_t>(t)])
                            for (std::size_t k = 0; k < 3; ++k) {
                                double along = 0.0;
                                for (std::size_t i = 0; i < 3; ++i)
                                    along += double{boxes.axes[3 * k + i][lane]} *
                                             (double{mesh.vertices_m[vertex][static_cast<int>(i)]} -
                                              double{boxes.center[i][lane]});
                                ASSERT_LE(std::abs(along), double{boxes.half[k][lane]} * (1.0 + 2e-6))
                                    << row.name << ", node " << n << ", lane " << lane;
                            }
                    below[n].insert(below[n].end(), mine.begin(), mine.end());
                }
            }
            EXPECT_EQ(below[0].size(), mesh.triangles.size()) << row.name;
        }
    }
}

TEST(WideTree, TakesATreeOfOneLeaf) {
    const Mesh mesh = soup(3, 0.3, 5);
    const BoxTree binary = build_tree(mesh);
    for (const WideLayoutRow& row : wide_layouts()) {
        const WideTree wide(binary, row.layout);
        TreeQueryCounts counts;
        TrianglePairs pairs;
        touching_triangles(MeshAndWideTree{mesh, wide}, MeshAndWideTree{mesh, wide}, Eigen::Isometry3f::Identity(),
                           pairs, counts);
        EXPECT_FALSE(pairs.empty()) << row.name;
    }
}

TEST(WideTree, QuantisedNodesTakeTwoThirdsAtMost) {
    const Mesh mesh = torus(60, 40);
    const BoxTree binary = build_tree(mesh);
    const std::size_t plain = WideTree(binary, WideLayout::eight).memory_bytes();
    EXPECT_LT(3 * WideTree(binary, WideLayout::eight_quantised).memory_bytes(), 2 * plain);
}

}  // namespace
}  // namespace glovebox::collision
