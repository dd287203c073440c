#include "collision/survey/traversal/volume_table.h"

#include <array>

#include "collision/survey/volumes/boxes.h"
#include "collision/survey/volumes/hull.h"
#include "collision/survey/volumes/kdop.h"
#include "collision/survey/volumes/rss.h"
#include "collision/survey/volumes/sphere.h"

namespace glovebox::collision {
namespace {

template <typename V>
Hierarchy<V>& tree_of(const AnyHierarchy& tree) {
    return *static_cast<Hierarchy<V>*>(tree.get());
}

template <typename V>
std::vector<TestedPair> tested_pairs(const AnyHierarchy& any_a, const AnyHierarchy& any_b,
                                     const Eigen::Isometry3f& a_from_b) {
    const Hierarchy<V>&a = tree_of<V>(any_a), &b = tree_of<V>(any_b);
    const typename V::Motion motion(a_from_b);
    std::vector<TestedPair> tested = {{0, 0}};
    for (std::size_t i = 0; i < tested.size(); ++i) {
        const TestedPair pair = tested[i];
        const Topology::Node& node_a = a.topology.nodes[static_cast<std::size_t>(pair.a)];
        const Topology::Node& node_b = b.topology.nodes[static_cast<std::size_t>(pair.b)];
        if (!V::overlap(a.volumes[static_cast<std::size_t>(pair.a)],
                        motion(b.volumes[static_cast<std::size_t>(pair.b)])))
            continue;
        if (node_a.is_leaf() && node_b.is_leaf()) {
            tested[i].to_triangles = true;
            continue;
        }
        const bool a_side = opens_a(node_a, node_b, Descent::by_area, false);
        const std::int32_t child = a_side ? node_a.child : node_b.child;
        for (std::int32_t k = 0; k < 2; ++k)
            tested.push_back({a_side ? child + k : pair.a, a_side ? pair.b : child + k});
    }
    return tested;
}

template <typename V>
std::int64_t test_again(const AnyHierarchy& any_a, const AnyHierarchy& any_b, const Eigen::Isometry3f& a_from_b,
                        std::span<const TestedPair> pairs) {
    const Hierarchy<V>&a = tree_of<V>(any_a), &b = tree_of<V>(any_b);
    const typename V::Motion motion(a_from_b);
    std::int64_t overlapping = 0;
    for (const TestedPair& pair : pairs)
        overlapping +=
            V::overlap(a.volumes[static_cast<std::size_t>(pair.a)], motion(b.volumes[static_cast<std::size_t>(pair.b)]))
                ? 1
                : 0;
    return overlapping;
}

template <typename V>
std::int64_t test_triangles_again(const AnyHierarchy& any_a, const AnyHierarchy& any_b,
                                  const Eigen::Isometry3f& a_from_b, std::span<const TestedPair> pairs) {
    const Hierarchy<V>&a = tree_of<V>(any_a), &b = tree_of<V>(any_b);
    std::int64_t meeting = 0;
    for (const TestedPair& pair : pairs)
        if (pair.to_triangles)
            for_leaf_triangles(a, b, a.topology.nodes[static_cast<std::size_t>(pair.a)],
                               b.topology.nodes[static_cast<std::size_t>(pair.b)], a_from_b.cast<double>(),
                               [&](std::int32_t, std::int32_t, const Triangle& in_a, const Triangle& in_b) {
                                   meeting += triangles_touch(in_a, in_b) ? 1 : 0;
                                   return true;
                               });
    return meeting;
}

template <typename V>
VolumeRow row() {
    return {V::kName,
            V::kSummary,
            [](Mesh mesh, const HierarchySettings& settings) -> AnyHierarchy {
                return std::make_shared<Hierarchy<V>>(Hierarchy<V>::build(std::move(mesh), settings));
            },
            [](const AnyHierarchy& a, const AnyHierarchy& b, const Eigen::Isometry3f& a_from_b, const Query& query,
               TraversalMemory& memory) { return traverse(tree_of<V>(a), tree_of<V>(b), a_from_b, query, memory); },
            [](const AnyHierarchy& tree) { return static_cast<std::int64_t>(tree_of<V>(tree).volumes.size()); },
            [](const AnyHierarchy& tree) { return V::volume_m3(tree_of<V>(tree).volumes.front()); },
            tested_pairs<V>,
            test_again<V>,
            test_triangles_again<V>,
            [](const AnyHierarchy& tree, Bounding bounding) { tree_of<V>(tree).refit(bounding); }};
}

}  // namespace

std::span<const VolumeRow> volume_rows() {
    static const std::array rows = {row<SphereVolume>(),     row<AabbVolume>(),     row<KdopVolume<8>>(),
                                    row<KdopVolume<14>>(),   row<KdopVolume<18>>(), row<KdopVolume<26>>(),
                                    row<TurnedAabbVolume>(), row<ObbVolume>(),      row<RssVolume>(),
                                    row<HullVolume>()};
    return rows;
}

}  // namespace glovebox::collision
