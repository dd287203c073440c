#include "collision/tree/box_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace glovebox::collision {
namespace {

[[noreturn]] void refuse(std::size_t node, const char* what) {
    throw std::invalid_argument("box tree: node " + std::to_string(node) + " " + what);
}

// Runs over every node of a file that is read, so it is written for speed: sums first, and reasons only for a box that
// is refused.
void check_box(const BoxTree& tree, std::size_t i) {
    const Obb& box = tree.nodes[i].box;
    // Zero times a number is zero, and NaN for what is not finite.
    const float finite = (0.0F * box.center_m).sum() + (0.0F * box.axes).sum() + (0.0F * box.half_m).sum();
    if (!(finite == 0.0F)) refuse(i, "has a box that is not finite");
    if (!(box.half_m.minCoeff() >= 0.0F)) refuse(i, "has a box with a negative extent");
    const auto u = box.axes.col(0), v = box.axes.col(1), w = box.axes.col(2);
    const float length = std::abs(u.dot(u) - 1.0F) + std::abs(v.dot(v) - 1.0F) + std::abs(w.dot(w) - 1.0F);
    const float angle = std::abs(u.dot(v)) + std::abs(v.dot(w)) + std::abs(w.dot(u));
    if (!(length + angle <= 1e-4F)) refuse(i, "has axes that are not orthonormal");
}

}  // namespace

TreeQuality measure(const BoxTree& tree, std::int64_t mesh_triangles) {
    TreeQuality quality;
    quality.nodes = static_cast<std::int64_t>(tree.nodes.size());
    std::vector<int> depth(tree.nodes.size(), 1);
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        const BoxTree::Node& node = tree.nodes[i];
        quality.depth = std::max(quality.depth, depth[i]);
        quality.area_m2 += double{node.box.area_m2()};
        if (node.count == 0) {
            const auto child = static_cast<std::size_t>(node.first);
            depth[child] = depth[child + 1] = depth[i] + 1;
            continue;
        }
        ++quality.leaves;
        quality.leaf_area_m2 += double{node.box.area_m2()};
        quality.leaf_volume_m3 += double{node.box.volume_m3()};
    }
    quality.triangles_per_leaf =
        static_cast<double>(tree.order.size()) / static_cast<double>(std::max<std::int64_t>(1, quality.leaves));
    quality.doubled = static_cast<std::int64_t>(tree.order.size()) - mesh_triangles;
    quality.bytes = tree.nodes.size() * sizeof(BoxTree::Node) + tree.order.size() * sizeof(std::int32_t);
    return quality;
}

void check(const BoxTree& tree, std::int64_t mesh_triangles, bool doubled_allowed) {
    if (tree.nodes.empty()) throw std::invalid_argument("box tree: no nodes");
    const auto node_count = static_cast<std::int64_t>(tree.nodes.size());
    const auto order_count = static_cast<std::int64_t>(tree.order.size());
    // Children stand behind their parents, so nothing can run in circles; each node but the root has one parent.
    std::vector<bool> reached(tree.nodes.size(), false);
    reached[0] = true;
    std::int64_t in_leaves = 0;
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        const BoxTree::Node& node = tree.nodes[i];
        if (!reached[i]) refuse(i, "has no parent");
        check_box(tree, i);
        if (node.count < 0) refuse(i, "has a negative number of triangles");
        if (node.count > 0) {
            if (node.first < 0 || std::int64_t{node.first} + node.count > order_count)
                refuse(i, "names triangles beyond the list");
            in_leaves += node.count;
            continue;
        }
        if (node.first <= static_cast<std::int64_t>(i) || std::int64_t{node.first} + 1 >= node_count)
            refuse(i, "has children that are not behind it");
        const auto child = static_cast<std::size_t>(node.first);
        if (reached[child] || reached[child + 1]) refuse(i, "shares a child with another node");
        reached[child] = reached[child + 1] = true;
    }
    if (in_leaves != order_count)
        throw std::invalid_argument("box tree: the leaves hold more or fewer triangles than the list");

    std::vector<bool> seen(static_cast<std::size_t>(mesh_triangles), false);
    std::int64_t distinct = 0;
    for (const std::int32_t triangle : tree.order) {
        if (triangle < 0 || triangle >= mesh_triangles)
            throw std::invalid_argument("box tree: triangle " + std::to_string(triangle) + " is not in the mesh");
        const auto t = static_cast<std::size_t>(triangle);
        if (seen[t] && !doubled_allowed)
            throw std::invalid_argument("box tree: triangle " + std::to_string(triangle) + " is listed twice");
        distinct += seen[t] ? 0 : 1;
        seen[t] = true;
    }
    if (distinct != mesh_triangles)
        throw std::invalid_argument("box tree: " + std::to_string(mesh_triangles - distinct) +
                                    " triangles are missing");
}

double worst_excess_m(const BoxTree& tree, const Mesh& mesh) {
    std::vector<std::int32_t> parent(tree.nodes.size(), -1);
    double worst_m = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        const BoxTree::Node& leaf = tree.nodes[i];
        if (leaf.count == 0) {
            parent[static_cast<std::size_t>(leaf.first)] = static_cast<std::int32_t>(i);
            parent[static_cast<std::size_t>(leaf.first) + 1] = static_cast<std::int32_t>(i);
            continue;
        }
        for (auto node = static_cast<std::int32_t>(i); node >= 0; node = parent[static_cast<std::size_t>(node)]) {
            const Obb& box = tree.nodes[static_cast<std::size_t>(node)].box;
            for (std::int32_t k = leaf.first; k < leaf.first + leaf.count; ++k)
                for (const std::uint32_t vertex :
                     mesh.triangles[static_cast<std::size_t>(tree.order[static_cast<std::size_t>(k)])]) {
                    const Eigen::Vector3d offset = mesh.vertices_m[vertex].cast<double>() - box.center_m.cast<double>();
                    const Eigen::Vector3d along = box.axes.cast<double>().transpose() * offset;
                    worst_m = std::max(worst_m, (along.cwiseAbs() - box.half_m.cast<double>()).maxCoeff());
                }
        }
    }
    return worst_m;
}

}  // namespace glovebox::collision
