#include "collision/mesh/tree_query.h"

#include "collision/query/triangle_pair.h"

namespace glovebox::collision {
namespace {

struct Open {
    std::int32_t node_a, node_b;
    Obb box_b;  // in a's frame
};

}  // namespace

void touching_triangles(const MeshAndTree& a, const MeshAndTree& b, const Eigen::Isometry3f& a_from_b,
                        TrianglePairs& pairs, TreeQueryCounts& counts) {
    const auto node_of = [](const MeshAndTree& m, std::int32_t i) -> const BoxTree::Node& {
        return m.tree.nodes[static_cast<std::size_t>(i)];
    };
    std::vector<Triangle> moved_b;
    std::vector<Open> open = {{0, 0, transformed(a_from_b, b.tree.nodes[0].box)}};
    while (!open.empty()) {
        const Open pair = open.back();
        open.pop_back();
        const BoxTree::Node &na = node_of(a, pair.node_a), &nb = node_of(b, pair.node_b);
        ++counts.box_tests;
        if (!overlap(na.box, pair.box_b)) continue;
        if (na.count > 0 && nb.count > 0) {
            moved_b.clear();
            for (std::int32_t j = 0; j < nb.count; ++j)
                moved_b.push_back(
                    transformed(a_from_b.cast<double>(),
                                triangle_of(b.mesh, b.tree.order[static_cast<std::size_t>(nb.first + j)])));
            for (std::int32_t i = 0; i < na.count; ++i) {
                const std::int32_t ta = a.tree.order[static_cast<std::size_t>(na.first + i)];
                const Triangle triangle_a = triangle_of(a.mesh, ta);
                for (std::int32_t j = 0; j < nb.count; ++j) {
                    ++counts.triangle_tests;
                    if (triangles_touch(triangle_a, moved_b[static_cast<std::size_t>(j)]))
                        pairs.emplace_back(ta, b.tree.order[static_cast<std::size_t>(nb.first + j)]);
                }
            }
            continue;
        }
        const bool descend_a = nb.count > 0 || (na.count == 0 && na.box.area_m2() >= nb.box.area_m2());
        if (descend_a) {
            open.push_back({na.first + 1, pair.node_b, pair.box_b});
            open.push_back({na.first, pair.node_b, pair.box_b});
        } else {
            open.push_back({pair.node_a, nb.first + 1, transformed(a_from_b, node_of(b, nb.first + 1).box)});
            open.push_back({pair.node_a, nb.first, transformed(a_from_b, node_of(b, nb.first).box)});
        }
    }
}

}  // namespace glovebox::collision
