#include "collision/survey/volumes/hierarchy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "collision/survey/tree/sample_meshes.h"
#include "collision/survey/volumes/boxes.h"
#include "collision/survey/volumes/kdop.h"
#include "collision/survey/volumes/rss.h"
#include "collision/survey/volumes/sphere.h"

namespace glovebox::collision {
namespace {

Mesh coincident(int triangles) {
    Mesh mesh;
    mesh.vertices_m = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    mesh.triangles.assign(static_cast<std::size_t>(triangles), {0, 1, 2});
    return mesh;
}

TEST(Topology, HasEveryTriangleInExactlyOneLeaf) {
    for (const Construction construction : {Construction::top_down, Construction::bottom_up})
        for (const int max_leaf : {1, 2, 4, 8})
            for (const Mesh& mesh :
                 {wavy_torus(20, 10), slivers(333, 1), slivers(1, 2), slivers(2, 3), coincident(500)}) {
                const Topology tree = make_topology(mesh, {construction, Bounding::wrapped, max_leaf});
                std::vector<int> seen(mesh.triangles.size(), 0);
                for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
                    const Topology::Node& node = tree.nodes[i];
                    ASSERT_GT(node.count, 0);
                    if (node.is_leaf()) {
                        ASSERT_LE(node.count, max_leaf);
                        for (std::int32_t k = node.first; k < node.first + node.count; ++k)
                            ++seen[static_cast<std::size_t>(tree.order[static_cast<std::size_t>(k)])];
                        continue;
                    }
                    const Topology::Node &left = tree.nodes[static_cast<std::size_t>(node.child)],
                                         &right = tree.nodes[static_cast<std::size_t>(node.child) + 1];
                    ASSERT_GT(node.child, static_cast<std::int32_t>(i));
                    ASSERT_EQ(left.first, node.first);
                    ASSERT_EQ(right.first, left.first + left.count);
                    ASSERT_EQ(left.count + right.count, node.count);
                    ASSERT_EQ(left.depth, node.depth + 1);
                }
                EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](int n) { return n == 1; }));
            }
}

TEST(Topology, TakesAMeshWhoseAreasAreNoFiniteNumbers) {
    Mesh mesh = wavy_torus(20, 10);
    for (auto& vertex : mesh.vertices_m) vertex *= 1e25F;
    for (const Construction construction : {Construction::top_down, Construction::bottom_up})
        EXPECT_GE(make_topology(mesh, {construction, Bounding::wrapped, 2}).nodes.size(), 399U);
}

TEST(Topology, RefusesAMeshThatIsNone) {
    EXPECT_THROW(make_topology(Mesh{}, {}), std::invalid_argument);
}

template <typename V>
double total_volume_m3(const Hierarchy<V>& tree) {
    double sum = 0.0;
    for (const auto& volume : tree.volumes) sum += double{V::volume_m3(volume)};
    return sum;
}

template <typename V>
void expect_layered_no_tighter() {
    for (const Construction construction : {Construction::top_down, Construction::bottom_up}) {
        const auto wrapped = Hierarchy<V>::build(wavy_torus(24, 12), {construction, Bounding::wrapped, 2});
        const auto layered = Hierarchy<V>::build(wavy_torus(24, 12), {construction, Bounding::layered, 2});
        // 0.5 %: fits are heuristics, so a merge can be smaller at some nodes.
        EXPECT_GE(total_volume_m3(layered), 0.995 * total_volume_m3(wrapped)) << V::kName;
    }
}

TEST(Hierarchy, LayeredVolumesAreNeverTighterInSum) {
    expect_layered_no_tighter<SphereVolume>();
    expect_layered_no_tighter<AabbVolume>();
    expect_layered_no_tighter<KdopVolume<18>>();
    expect_layered_no_tighter<ObbVolume>();
    expect_layered_no_tighter<RssVolume>();
}

TEST(Hierarchy, LayeredBoxesEqualWrappedOnes) {
    // The AABB of a set equals the AABB of its parts' AABBs: the only kind that loses nothing when layered.
    const auto wrapped = Hierarchy<AabbVolume>::build(slivers(200, 4), {Construction::top_down, Bounding::wrapped, 1});
    const auto layered = Hierarchy<AabbVolume>::build(slivers(200, 4), {Construction::top_down, Bounding::layered, 1});
    for (std::size_t i = 0; i < wrapped.volumes.size(); ++i) {
        EXPECT_LT((wrapped.volumes[i].min_m - layered.volumes[i].min_m).norm(), 1e-5F);
        EXPECT_LT((wrapped.volumes[i].max_m - layered.volumes[i].max_m).norm(), 1e-5F);
    }
}

TEST(Hierarchy, RefittedEqualsBuiltWhenNothingMoved) {
    auto tree = Hierarchy<AabbVolume>::build(wavy_torus(16, 8));
    const auto before = tree.volumes;
    tree.refit(Bounding::wrapped);
    for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(before[i].min_m, tree.volumes[i].min_m);
    for (auto& vertex : tree.mesh.vertices_m) vertex.x() += 10.0F;
    tree.refit(Bounding::wrapped);
    EXPECT_NEAR(tree.volumes[0].min_m.x(), before[0].min_m.x() + 10.0F, 1e-4F);
}

}  // namespace
}  // namespace glovebox::collision
