#include "collision/mesh/box_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "collision/mesh/tree_check.h"

namespace glovebox::collision {
namespace {

[[noreturn]] void refuse(std::size_t node, const char* what) {
    throw std::invalid_argument("box tree: node " + std::to_string(node) + " " + what);
}

// Runs for every node of a loaded file, so it is written for speed: plain numbers, one branch, and reasons only for a
// rejected box. Axes that pass are finite.
void check_box(const Obb& box, std::size_t i) {
    constexpr float kLargest = std::numeric_limits<float>::max();
    const float *u = box.axes.data(), *v = u + 3, *w = u + 6, *half = box.half_m.data();
    const auto dot = [](const float* a, const float* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
    const float length = std::abs(dot(u, u) - 1.0F) + std::abs(dot(v, v) - 1.0F) + std::abs(dot(w, w) - 1.0F);
    const float angle = std::abs(dot(u, v)) + std::abs(dot(v, w)) + std::abs(dot(w, u));
    const float* c = box.center_m.data();
    const float away = std::abs(c[0]) + std::abs(c[1]) + std::abs(c[2]), large = half[0] + half[1] + half[2];
    const bool fine = (length + angle <= 1e-4F) & (away <= kLargest) & (large <= kLargest) & (half[0] >= 0.0F) &
                      (half[1] >= 0.0F) & (half[2] >= 0.0F);
    if (fine) return;
    if (!box.center_m.allFinite() || !box.axes.allFinite() || !box.half_m.allFinite())
        refuse(i, "has a box that is not finite");
    if (box.half_m.minCoeff() < 0.0F) refuse(i, "has a box with a negative extent");
    if (!(length + angle <= 1e-4F)) refuse(i, "has axes that are not orthonormal");
    // The remaining case: finite numbers whose sums are not finite.
    refuse(i, "has a box of no size that a float can tell");
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

TreeChecker::TreeChecker(std::span<const BoxTree::Node> nodes, std::span<const std::int32_t> order,
                         std::int64_t mesh_triangles, bool doubled_allowed)
    : nodes_(nodes),
      order_(order),
      mesh_triangles_(mesh_triangles),
      doubled_allowed_(doubled_allowed),
      leaf_at_(order.size(), 0),
      level_(nodes.size(), 0) {
    if (nodes.empty()) throw std::invalid_argument("box tree: no nodes");
    level_[0] = 1;
}

// Children follow their parents, so there are no cycles; each node but the root has one parent.
void TreeChecker::check_links(std::size_t end) {
    const auto node_count = static_cast<std::int64_t>(nodes_.size());
    const auto order_count = static_cast<std::int64_t>(order_.size());
    for (; checked_ < end; ++checked_) {
        const std::size_t i = checked_;
        const BoxTree::Node& node = nodes_[i];
        if (level_[i] == 0) refuse(i, "has no parent");
        if (node.count < 0) refuse(i, "has a negative number of triangles");
        if (node.count > 0) {
            if (node.first < 0 || std::int64_t{node.first} + node.count > order_count)
                refuse(i, "names triangles beyond the list");
            std::int32_t& leaf = leaf_at_[static_cast<std::size_t>(node.first)];
            if (leaf != 0) refuse(i, "names triangles of another leaf");
            leaf = node.count;
            ++leaves_;
            continue;
        }
        if (node.first <= static_cast<std::int64_t>(i) || std::int64_t{node.first} + 1 >= node_count)
            refuse(i, "has children that are not behind it");
        const auto child = static_cast<std::size_t>(node.first);
        if (level_[child] != 0 || level_[child + 1] != 0) refuse(i, "shares a child with another node");
        if (level_[i] == kDeepestTree) refuse(i, "has children deeper than any builder goes");
        level_[child] = level_[child + 1] = static_cast<std::uint8_t>(level_[i] + 1);
    }
}

void TreeChecker::check_boxes(std::size_t first, std::size_t end) const {
    for (std::size_t i = first; i < end; ++i) check_box(nodes_[i].box, i);
}

void TreeChecker::finish() {
    check_links(nodes_.size());
    // Checks the leaves along the list: each must end where another begins, and none may be left.
    for (std::size_t at = 0; at < order_.size(); --leaves_) {
        if (leaf_at_[at] == 0)
            throw std::invalid_argument("box tree: triangle " + std::to_string(at) + " of the list is in no leaf");
        at += static_cast<std::size_t>(leaf_at_[at]);
    }
    if (leaves_ != 0) throw std::invalid_argument("box tree: two leaves hold the same part of the list");

    std::vector<bool> seen(static_cast<std::size_t>(mesh_triangles_), false);
    std::int64_t distinct = 0;
    for (const std::int32_t triangle : order_) {
        if (triangle < 0 || triangle >= mesh_triangles_)
            throw std::invalid_argument("box tree: triangle " + std::to_string(triangle) + " is not in the mesh");
        const auto t = static_cast<std::size_t>(triangle);
        if (seen[t] && !doubled_allowed_)
            throw std::invalid_argument("box tree: triangle " + std::to_string(triangle) + " is listed twice");
        distinct += seen[t] ? 0 : 1;
        seen[t] = true;
    }
    if (distinct != mesh_triangles_)
        throw std::invalid_argument("box tree: " + std::to_string(mesh_triangles_ - distinct) +
                                    " triangles are missing");
}

void check(const BoxTree& tree, std::int64_t mesh_triangles, bool doubled_allowed) {
    TreeChecker checker(tree.nodes, tree.order, mesh_triangles, doubled_allowed);
    checker.check_boxes(0, tree.nodes.size());
    checker.finish();
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
