#include "collision/survey/tree/deform.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/mesh/tree_query.h"
#include "collision/survey/tree/sample_meshes.h"

namespace glovebox::collision {
namespace {

TEST(Refit, StaysCorrectUnderAnyMotionAndKeepsTheTopology) {
    const Mesh straight = figure_like();
    const BoxTree built = build_tree(straight);
    for (const RefitFrom from : {RefitFrom::children, RefitFrom::vertices})
        for (const double bend_rad : {0.0, 0.1, 1.0, 3.0}) {
            const Mesh mesh = bent(straight, bend_rad);
            BoxTree tree = built;
            refit(tree, mesh, from);
            ASSERT_NO_THROW(check(tree, static_cast<std::int64_t>(mesh.triangles.size()), false));
            ASSERT_LE(worst_excess_m(tree, mesh), 0.0) << "bend " << bend_rad;
            ASSERT_EQ(tree.order, built.order);
        }
}

TEST(Refit, WithoutMotionChangesNothingThatMatters) {
    const Mesh mesh = figure_like();
    const BoxTree built = build_tree(mesh);
    BoxTree tree = built;
    refit(tree, mesh, RefitFrom::vertices);
    for (std::size_t i = 0; i < tree.nodes.size(); ++i)
        ASSERT_LT((tree.nodes[i].box.half_m - built.nodes[i].box.half_m).cwiseAbs().maxCoeff(), 1e-5F);
}

TEST(Refit, FromVerticesIsNeverLooserThanFromChildren) {
    const Mesh straight = figure_like(), mesh = bent(straight, 0.5);
    BoxTree loose = build_tree(straight), tight = loose;
    refit(loose, mesh, RefitFrom::children);
    refit(tight, mesh, RefitFrom::vertices);
    double loose_m2 = 0.0, tight_m2 = 0.0;
    for (std::size_t i = 0; i < tight.nodes.size(); ++i) {
        loose_m2 += double{loose.nodes[i].box.area_m2()};
        tight_m2 += double{tight.nodes[i].box.area_m2()};
        ASSERT_LE(tight.nodes[i].box.area_m2(), 1.001F * loose.nodes[i].box.area_m2() + 1e-6F);
    }
    EXPECT_LT(tight_m2, loose_m2);
}

TEST(Refit, FindsTheContactsOfARebuiltTree) {
    const Mesh straight = figure_like(), mesh = bent(straight, 0.7), probe = icosahedron();
    BoxTree refitted = build_tree(straight);
    refit(refitted, mesh, RefitFrom::children);
    const BoxTree rebuilt = build_tree(mesh), probe_tree = build_tree(probe);
    int touching = 0;
    for (int i = 0; i < 50; ++i) {
        Eigen::Isometry3f pose = Eigen::Isometry3f::Identity();
        pose.translation() =
            Eigen::Vector3f(0.06F * static_cast<float>(i) - 1.5F, 0.04F * static_cast<float>(i) - 0.5F, 1.5F);
        TrianglePairs a, b;
        TreeQueryCounts counts;
        touching_triangles({mesh, refitted}, {probe, probe_tree}, pose, a, counts);
        touching_triangles({mesh, rebuilt}, {probe, probe_tree}, pose, b, counts);
        std::sort(a.begin(), a.end());
        std::sort(b.begin(), b.end());
        ASSERT_EQ(a, b);
        touching += a.empty() ? 0 : 1;
    }
    EXPECT_GT(touching, 5);
    EXPECT_LT(touching, 45);
}

TEST(DeformingTree, RebuildsWhenTheBoxesHaveGrownAndNotBefore) {
    const Mesh straight = figure_like();
    DeformingTree deforming = make_deforming(straight);
    int rebuilt = 0;
    double last_growth = 1.0;
    for (int step = 0; step <= 60; ++step) {
        const Mesh mesh = bent(straight, 0.05 * step);
        const DeformReport report = follow(deforming, mesh);
        ASSERT_LE(worst_excess_m(deforming.tree, mesh), 0.0);
        if (report.rebuilt) {
            EXPECT_GE(report.growth, deforming.max_growth);
            ++rebuilt;
        } else {
            EXPECT_LT(report.growth, deforming.max_growth);
        }
        last_growth = report.growth;
    }
    EXPECT_GE(rebuilt, 1);
    EXPECT_LE(rebuilt, 20);
    EXPECT_GT(last_growth, 0.9);
}

TEST(Refit, RefusesAMeshThatIsNotTheTrees) {
    const Mesh mesh = icosahedron();
    Mesh less = mesh, more = mesh, missing_corner = mesh, not_finite = mesh;
    less.triangles.pop_back();
    more.triangles.push_back({0, 1, 2});
    missing_corner.triangles[3][1] = 12;
    not_finite.vertices_m[5].z() = std::numeric_limits<float>::quiet_NaN();
    for (const Mesh& other : {less, more, missing_corner, not_finite})
        for (const RefitFrom from : {RefitFrom::children, RefitFrom::vertices}) {
            BoxTree tree = build_tree(mesh);
            EXPECT_THROW(refit(tree, other, from), std::invalid_argument);
            EXPECT_LE(worst_excess_m(tree, mesh), 0.0) << "a tree that was refused was changed";
        }
}

}  // namespace
}  // namespace glovebox::collision
