#include "collision/mesh/tree_query.h"
#include "collision/survey/fit/fitters.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "collision/mesh/build.h"
#include "collision/query/triangle_pair.h"
#include "collision/survey/fit/random.h"
#include "collision/survey/tree/sample_meshes.h"
#include "tests/collision/mesh/trees.h"

namespace glovebox::collision {
namespace {

TrianglePairs brute_force(const Mesh& a, const Mesh& b, const Eigen::Isometry3f& a_from_b) {
    TrianglePairs pairs;
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(a.triangles.size()); ++i)
        for (std::int32_t j = 0; j < static_cast<std::int32_t>(b.triangles.size()); ++j)
            if (triangles_touch(triangle_of(a, i), transformed(a_from_b.cast<double>(), triangle_of(b, j))))
                pairs.emplace_back(i, j);
    return pairs;
}

TEST(TreeQuery, FindsThePairsOfBruteForceWithEveryFitterAndLeafSize) {
    const Mesh a = torus(10, 8), b = soup(60, 0.4, 1);
    struct Trees {
        BoxTree a, b;
        std::string_view name;
    };
    std::vector<Trees> all;
    for (const Fitter& fitter : fitters())
        for (const int leaf : {1, 4, 8}) {
            BuildSettings settings;
            settings.fitter = &fitter;
            settings.max_leaf_triangles = leaf;
            settings.splitter = &splitters()[all.size() % splitters().size()];
            all.push_back({build_tree(a, settings), build_tree(b, settings), fitter.name});
        }
    Random random(2);
    int touching = 0;
    constexpr int kPoses = 1000;
    for (int pose = 0; pose < kPoses; ++pose) {
        const Eigen::Isometry3f a_from_b = random_pose(random, 2.0);
        const TrianglePairs expected = brute_force(a, b, a_from_b);
        touching += expected.empty() ? 0 : 1;
        // A few methods at each pose; each method gets many poses.
        for (std::size_t i = static_cast<std::size_t>(pose % 7); i < all.size(); i += 7) {
            TreeQueryCounts counts;
            TrianglePairs found;
            touching_triangles({a, all[i].a}, {b, all[i].b}, a_from_b, found, counts);
            std::sort(found.begin(), found.end());
            ASSERT_EQ(found, expected) << all[i].name << ", pose " << pose;
        }
    }
    EXPECT_GT(touching, kPoses * 3 / 10);
    EXPECT_LT(touching, kPoses * 7 / 10);
}

TEST(TreeQuery, DoubledStraddlersChangeNoAnswer) {
    const Mesh a = torus(12, 10);
    BuildSettings doubling;
    doubling.double_straddlers = true;
    const BoxTree single = build_tree(a), doubled = build_tree(a, doubling);
    Random random(3);
    int touching = 0;
    for (int pose = 0; pose < 100; ++pose) {
        const Eigen::Isometry3f a_from_b = random_pose(random, 2.0);
        TreeQueryCounts counts;
        TrianglePairs one, two;
        touching_triangles({a, single}, {a, single}, a_from_b, one, counts);
        touching_triangles({a, doubled}, {a, doubled}, a_from_b, two, counts);
        std::sort(one.begin(), one.end());
        std::sort(two.begin(), two.end());
        two.erase(std::unique(two.begin(), two.end()), two.end());
        ASSERT_EQ(one, two);
        touching += one.empty() ? 0 : 1;
    }
    EXPECT_GT(touching, 20);
}

Triangle triangle(Eigen::Vector3d a, Eigen::Vector3d b, Eigen::Vector3d c) {
    return {a, b, c};
}

TEST(TrianglesTouch, DefinedCases) {
    const Triangle base = triangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0});
    EXPECT_TRUE(triangles_touch(base, base));
    EXPECT_TRUE(triangles_touch(base, triangle({0.2, 0.2, -1}, {0.2, 0.2, 1}, {0.3, 0.2, 1}))) << "pierced";
    EXPECT_TRUE(triangles_touch(base, triangle({1, 0, 0}, {2, 0, 0}, {2, 0, 1}))) << "shared corner";
    EXPECT_TRUE(triangles_touch(base, triangle({0, 0, 0}, {1, 0, 0}, {0, 0, 1}))) << "shared edge";
    EXPECT_TRUE(triangles_touch(base, triangle({0.2, 0.2, 0}, {0.3, 0.2, 0}, {0.2, 0.3, 0}))) << "coplanar, inside";
    EXPECT_FALSE(triangles_touch(base, triangle({0.8, 0.8, 0}, {1, 1, 0}, {0.8, 1, 0}))) << "coplanar, apart";
    EXPECT_FALSE(triangles_touch(base, triangle({0.2, 0.2, 0.01}, {0.3, 0.2, 0.01}, {0.2, 0.3, 0.01}))) << "parallel";
    EXPECT_TRUE(triangles_touch(base, triangle({0.2, 0.2, -1}, {0.2, 0.2, 1}, {0.2, 0.2, 1}))) << "a line through";
    EXPECT_FALSE(triangles_touch(base, triangle({2, 0.2, -1}, {2, 0.2, 1}, {2, 0.2, 1}))) << "a line beside";
    EXPECT_TRUE(triangles_touch(base, triangle({0.2, 0.2, 0}, {0.2, 0.2, 0}, {0.2, 0.2, 0}))) << "a point on it";
    EXPECT_FALSE(triangles_touch(base, triangle({0.2, 0.2, 0.1}, {0.2, 0.2, 0.1}, {0.2, 0.2, 0.1})))
        << "a point off it";
}

TEST(TrianglesTouch, AgreesWithTheDistanceOfTheirEdges) {
    // The oracle: two triangles touch if an edge of one is at distance zero from the other.
    Random random(4);
    int touching = 0, near = 0;
    constexpr int kRounds = 20000;
    for (int round = 0; round < kRounds; ++round) {
        const auto point = [&] {
            return Eigen::Vector3d(random.between(0, 1), random.between(0, 1), random.between(0, 1));
        };
        const Triangle a = triangle(point(), point(), point()), b = triangle(point(), point(), point());
        double gap = std::numeric_limits<double>::infinity();
        for (std::size_t k = 0; k < 3; ++k) {
            gap = std::min(gap, closest(RoundSegment{a[k], a[(k + 1) % 3]}, b).gap);
            gap = std::min(gap, closest(RoundSegment{b[k], b[(k + 1) % 3]}, a).gap);
        }
        if (gap > 0.0 && gap < 1e-9) {
            ++near;
            continue;
        }
        const bool touches = triangles_touch(a, b);
        ASSERT_EQ(touches, gap <= 0.0) << "round " << round << ", gap " << gap;
        ASSERT_EQ(triangles_touch(b, a), touches);
        touching += touches ? 1 : 0;
    }
    EXPECT_GT(touching, kRounds / 10);
    EXPECT_LT(touching, kRounds / 2);
    EXPECT_LT(near, 20);
}

TEST(SampleMeshes, HaveThePublishedSizes) {
    const auto expect_size = [](const Mesh& mesh, std::size_t vertices, std::size_t triangles) {
        EXPECT_EQ(mesh.vertices_m.size(), vertices);
        EXPECT_EQ(mesh.triangles.size(), triangles);
        EXPECT_NO_THROW(check(mesh));
    };
    expect_size(bone_like(), 7735, 22662);
    expect_size(figure_like(), 3304, 6604);
    expect_size(icosahedron(), 12, 20);
    expect_size(prosthesis_like(), 7252, 9874);
    expect_size(spiky_torus(), 34848, 69696);
}

}  // namespace
}  // namespace glovebox::collision
