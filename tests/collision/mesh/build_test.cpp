#include "collision/mesh/build.h"
#include "collision/survey/fit/fitters.h"

#include <gtest/gtest.h>

#include <limits>

#include "collision/mesh/tree_check.h"
#include "collision/survey/fit/random.h"
#include "collision/survey/tree/sample_meshes.h"
#include "tests/collision/mesh/trees.h"

namespace glovebox::collision {
namespace {

BuildSettings settings(std::string_view fitter, std::string_view splitter, int leaf) {
    BuildSettings result;
    result.fitter = find_fitter(fitter);
    result.splitter = find_splitter(splitter);
    result.max_leaf_triangles = leaf;
    return result;
}

bool is_slow(const Fitter& fitter) {
    return fitter.name.starts_with("genetic");
}

TEST(BuildTree, EveryTriangleIsInOneLeafAndInsideEveryBoxAboveIt) {
    const Mesh large = torus(40, 25, {.spikes = 0.5, .dimples = 0.1, .wrinkles = 0.05, .twist = 1.0});
    const Mesh small = icosahedron();
    for (const Fitter& fitter : fitters())
        for (const Splitter& splitter : splitters())
            for (const int leaf : {1, 4, 8}) {
                const Mesh& mesh = is_slow(fitter) ? small : large;
                const BoxTree tree = build_tree(mesh, settings(fitter.name, splitter.name, leaf));
                const auto count = static_cast<std::int64_t>(mesh.triangles.size());
                ASSERT_NO_THROW(check(tree, count, false)) << fitter.name << ", " << splitter.name;
                ASSERT_LE(worst_excess_m(tree, mesh), 0.0) << fitter.name << ", " << splitter.name;
                for (const auto& node : tree.nodes) ASSERT_LE(node.count, leaf);
            }
}

TEST(BuildTree, DoubledStraddlersAreInEveryLeafTheyReachInto) {
    const Mesh mesh = torus(40, 25);
    BuildSettings doubling = settings("descent", "mean", 8);
    doubling.double_straddlers = true;
    const BoxTree tree = build_tree(mesh, doubling);
    const auto count = static_cast<std::int64_t>(mesh.triangles.size());
    EXPECT_THROW(check(tree, count, false), std::invalid_argument);
    EXPECT_NO_THROW(check(tree, count, true));
    EXPECT_LE(worst_excess_m(tree, mesh), 0.0);
    EXPECT_GT(measure(tree, count).doubled, count / 10);
}

TEST(BuildTree, ResultDoesNotDependOnTheNumberOfThreads) {
    const Mesh mesh = torus(60, 60, {.spikes = 0.5, .dimples = 0.1, .wrinkles = 0.05, .twist = 1.0});
    for (const std::string_view fitter : {"descent", "hull-descent", "dito-26"}) {
        BuildSettings one = settings(fitter, "area", 2);
        one.threads = 1;
        BuildSettings four = one;
        four.threads = 4;
        const BoxTree a = build_tree(mesh, one), b = build_tree(mesh, four);
        EXPECT_TRUE(same(a, b)) << fitter;
        EXPECT_GT(a.nodes.size(), 1000U);
    }
    const Mesh little = torus(20, 20);
    BuildSettings one = settings("genetic", "mean", 64);
    one.threads = 1;
    BuildSettings four = one;
    four.threads = 4;
    EXPECT_TRUE(same(build_tree(little, one), build_tree(little, four)));
    BuildSettings other_seed = one;
    other_seed.seed = 2;
    EXPECT_FALSE(same(build_tree(little, one), build_tree(little, other_seed)));
}

TEST(BuildTree, DegenerateMeshesEndInATree) {
    const float far = 1e3F;
    std::vector<std::pair<const char*, Mesh>> meshes;
    meshes.push_back({"one triangle", soup(1, 0.1, 1)});
    meshes.push_back({"one point", {{{0, 0, 0}}, {{0, 0, 0}}}});
    meshes.push_back(
        {"points far away", {{{far, far, far}}, std::vector<std::array<std::uint32_t, 3>>(50, {0, 0, 0})}});
    Mesh line, plate;
    for (std::uint32_t i = 0; i < 100; ++i) {
        line.vertices_m.push_back({static_cast<float>(i), 2.0F * static_cast<float>(i), 0.0F});
        plate.vertices_m.push_back({static_cast<float>(i % 10), static_cast<float>(i / 10), 5.0F});
        if (i >= 2) line.triangles.push_back({i - 2, i - 1, i});
        if (i % 10 != 9 && i < 90) plate.triangles.push_back({i, i + 1, i + 10});
    }
    meshes.push_back({"a line", line});
    meshes.push_back({"a plate", plate});
    // A hundred thousand triangles with the same centroid.
    Mesh same_place = soup(1, 0.1, 2);
    same_place.triangles.resize(100000, same_place.triangles.front());
    meshes.push_back({"coinciding", same_place});
    // Each is half as large as the previous one: splitting at the mean separates one at a time.
    Mesh series;
    float size = 1.0F;
    for (std::uint32_t i = 0; i < 120; ++i, size *= 0.5F) {
        series.vertices_m.insert(series.vertices_m.end(), {{size, 0, 0}, {1.1F * size, 0, 0}, {size, 0.1F * size, 0}});
        series.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    }
    meshes.push_back({"shrinking", series});
    for (const auto& [name, mesh] : meshes)
        for (const std::string_view fitter : {"descent", "hull-descent", "vertex-covariance", "dito-14"})
            for (const Splitter& splitter : splitters()) {
                if (mesh.triangles.size() > 1000 && fitter != "descent") continue;
                const BoxTree tree = build_tree(mesh, settings(fitter, splitter.name, 4));
                const auto count = static_cast<std::int64_t>(mesh.triangles.size());
                ASSERT_NO_THROW(check(tree, count, false)) << name << ", " << fitter << ", " << splitter.name;
                ASSERT_LE(worst_excess_m(tree, mesh), 0.0) << name << ", " << fitter << ", " << splitter.name;
                ASSERT_LE(measure(tree, count).depth, 60) << name << ", " << fitter << ", " << splitter.name;
            }
}

TEST(BuildTree, DegenerateMeshesEndWithDoubledStraddlersToo) {
    BuildSettings doubling = settings("descent", "mean", 1);
    doubling.double_straddlers = true;
    Mesh fan;  // all triangles share a corner and are long: without straddlers no split separates any
    fan.vertices_m.push_back({0, 0, 0});
    for (std::uint32_t i = 0; i < 500; ++i) {
        const float angle = 0.0125F * static_cast<float>(i);
        fan.vertices_m.push_back({std::cos(angle), std::sin(angle), 0.01F * static_cast<float>(i % 7)});
        if (i > 0) fan.triangles.push_back({0, i, i + 1});
    }
    const BoxTree tree = build_tree(fan, doubling);
    EXPECT_NO_THROW(check(tree, static_cast<std::int64_t>(fan.triangles.size()), true));
    EXPECT_LT(tree.order.size(), 50 * fan.triangles.size());
}

// Long needles in every direction cross every plane: each could be stored in hundreds of leaves.
TEST(BuildTree, DoublingHasAnEnd) {
    Random random(5);
    Mesh needles;
    for (std::uint32_t i = 0; i < 2000; ++i) {
        const auto anywhere = [&] {
            return Eigen::Vector3d(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1));
        };
        const Eigen::Vector3d middle = anywhere(), along = 0.5 * anywhere().normalized();
        for (const Eigen::Vector3d& v : {Eigen::Vector3d(middle - along), Eigen::Vector3d(middle + along),
                                         Eigen::Vector3d(middle + along + 1e-4 * anywhere())})
            needles.vertices_m.push_back(v.cast<float>());
        needles.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    }
    for (const Splitter& splitter : splitters()) {
        BuildSettings doubling = settings("descent", splitter.name, 1);
        doubling.double_straddlers = true;
        const BoxTree tree = build_tree(needles, doubling);
        EXPECT_NO_THROW(check(tree, 2000, true));
        EXPECT_LE(worst_excess_m(tree, needles), 0.0);
        EXPECT_LE(tree.order.size(), 8U * 2000U) << splitter.name;
        EXPECT_GT(tree.order.size(), 6U * 2000U) << splitter.name;
    }
}

// If a fitter has found a split axis, no splitter overrides it, not even the surface area heuristic.
TEST(Splitters, KeepToTheAxisThatIsPreferred) {
    const Mesh mesh = soup(200, 0.1, 3);
    std::vector<Eigen::Vector3f> centroids_m;
    std::vector<std::array<std::int32_t, 3>> triangles;
    for (const auto& t : mesh.triangles) {
        triangles.push_back(
            {static_cast<std::int32_t>(t[0]), static_cast<std::int32_t>(t[1]), static_cast<std::int32_t>(t[2])});
        centroids_m.push_back((mesh.vertices_m[t[0]] + mesh.vertices_m[t[1]] + mesh.vertices_m[t[2]]) / 3.0F);
    }
    Obb box;
    box.half_m = {3.0F, 2.0F, 1.0F};
    for (const Splitter& splitter : splitters())
        for (int axis = 0; axis < 3; ++axis) {
            const auto plane = splitter.split({box, mesh.vertices_m, triangles, centroids_m, axis});
            ASSERT_TRUE(plane) << splitter.name;
            EXPECT_EQ(plane->direction, Eigen::Vector3f::Unit(axis)) << splitter.name;
        }
    // If the centroids coincide along that axis, the next axis is used.
    for (auto& centroid : centroids_m) centroid.z() = 0.5F;
    for (const Splitter& splitter : splitters()) {
        const auto plane = splitter.split({box, mesh.vertices_m, triangles, centroids_m, 2});
        ASSERT_TRUE(plane) << splitter.name;
        EXPECT_NE(plane->direction, Eigen::Vector3f::Unit(2)) << splitter.name;
    }
}

TEST(BuildTree, RefusesWhatIsNoMesh) {
    EXPECT_THROW(build_tree(Mesh{}), std::invalid_argument);
    EXPECT_THROW(build_tree(Mesh{{{0, 0, 0}}, {{0, 0, 1}}}), std::invalid_argument);
    EXPECT_THROW(build_tree(Mesh{{{0, 0, std::numeric_limits<float>::infinity()}}, {{0, 0, 0}}}),
                 std::invalid_argument);
}

TEST(BuildTree, TellsItsProgressUpToTheEnd) {
    const Mesh mesh = torus(60, 60);
    std::int64_t last = 0;
    int calls = 0;
    BuildSettings told;
    told.progress = [&](std::int64_t done, std::int64_t total) {
        EXPECT_GT(done, last);
        EXPECT_EQ(total, static_cast<std::int64_t>(mesh.triangles.size()));
        last = done;
        ++calls;
    };
    build_tree(mesh, told);
    EXPECT_EQ(last, static_cast<std::int64_t>(mesh.triangles.size()));
    EXPECT_GT(calls, 5);
}

TEST(CheckTree, FindsEveryKindOfFault) {
    const Mesh mesh = torus(8, 8);
    const auto count = static_cast<std::int64_t>(mesh.triangles.size());
    const BoxTree good = build_tree(mesh, settings("descent", "area", 2));
    ASSERT_NO_THROW(check(good, count, false));
    const auto broken = [&](const auto& damage) {
        BoxTree tree = good;
        damage(tree);
        EXPECT_THROW(check(tree, count, false), std::invalid_argument);
    };
    std::size_t leaf = 0;
    while (good.nodes[leaf].count == 0) ++leaf;
    broken([](BoxTree& t) { t.nodes.clear(); });
    broken([](BoxTree& t) { t.nodes[0].first = 0; });
    broken([](BoxTree& t) { t.nodes[0].first = -1; });
    broken([](BoxTree& t) { t.nodes[0].first = static_cast<std::int32_t>(t.nodes.size()) - 1; });
    broken([](BoxTree& t) { t.nodes[0].first += 2; });
    broken([](BoxTree& t) { t.nodes[0].count = -1; });
    broken([&](BoxTree& t) { t.nodes[leaf].count += 1; });
    broken([&](BoxTree& t) { t.nodes[leaf].first = -1; });
    broken([&](BoxTree& t) { t.nodes[leaf].first = std::numeric_limits<std::int32_t>::max(); });
    // Two leaves with the same triangles: others are then in no leaf, although `order` has every index once.
    broken([&](BoxTree& t) {
        std::size_t other = leaf + 1;
        while (t.nodes[other].count != t.nodes[leaf].count) ++other;
        t.nodes[other].first = t.nodes[leaf].first;
    });
    broken([](BoxTree& t) { t.order[3] = t.order[4]; });
    broken([](BoxTree& t) { t.order[3] = -1; });
    broken([&](BoxTree& t) { t.order[3] = static_cast<std::int32_t>(count); });
    broken([](BoxTree& t) { t.order.pop_back(); });
    broken([](BoxTree& t) { t.nodes[5].box.half_m.x() = -1.0F; });
    broken([](BoxTree& t) { t.nodes[5].box.axes(0, 0) += 0.1F; });
    broken([](BoxTree& t) { t.nodes[5].box.center_m.y() = std::numeric_limits<float>::quiet_NaN(); });
}

// One triangle is split off at each level: no builder makes such a tree, and traversal stacks have no room for it.
TEST(CheckTree, RefusesWhatIsDeeperThanWalksGo) {
    const auto chain = [](int levels) {
        BoxTree tree;
        tree.nodes.resize(static_cast<std::size_t>(2 * levels - 1));
        for (int i = 0; i + 1 < levels; ++i) {
            tree.nodes[static_cast<std::size_t>(2 * i)].first = 2 * i + 1;
            tree.nodes[static_cast<std::size_t>(2 * i)].count = 0;
        }
        // The first of each pair of children is a leaf; the second has children.
        for (int i = 0; i < levels; ++i) {
            BoxTree::Node& leaf = tree.nodes[static_cast<std::size_t>(i + 1 < levels ? 2 * i + 1 : 2 * i)];
            leaf.first = i;
            leaf.count = 1;
            tree.order.push_back(i);
        }
        return tree;
    };
    EXPECT_NO_THROW(check(chain(kDeepestTree), kDeepestTree, false));
    EXPECT_THROW(check(chain(kDeepestTree + 1), kDeepestTree + 1, false), std::invalid_argument);
}

}  // namespace
}  // namespace glovebox::collision
