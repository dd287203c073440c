#include "collision/survey/volumes/hierarchy.h"

#include <algorithm>
#include <numeric>

namespace glovebox::collision {
namespace {

struct Item {
    Aabb box;
    Eigen::Vector3f middle_m;
};

std::vector<Item> items_of(const Mesh& mesh) {
    std::vector<Item> items;
    for (const auto& triangle : mesh.triangles) {
        Item item;
        for (const std::uint32_t corner : triangle) item.box.include(mesh.vertices_m[corner]);
        item.middle_m = 0.5F * (item.box.min_m + item.box.max_m);
        items.push_back(item);
    }
    return items;
}

Aabb merged(const Aabb& a, const Aabb& b) {
    return {a.min_m.cwiseMin(b.min_m), a.max_m.cwiseMax(b.max_m)};
}
/// Computes in double, because areas of corners near the limit of float would overflow.
double area_m2(const Aabb& box) {
    const Eigen::Vector3d edge = box.max_m.cast<double>() - box.min_m.cast<double>();
    return 2.0 * (edge.x() * edge.y() + edge.y() * edge.z() + edge.z() * edge.x());
}

void measure(Topology::Node& node, const std::vector<Item>& items, const std::vector<std::int32_t>& order) {
    Aabb box;
    for (std::int32_t i = node.first; i < node.first + node.count; ++i)
        box = merged(box, items[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])].box);
    node.middle_m = 0.5F * (box.min_m + box.max_m);
    node.radius_m = 0.5F * (box.max_m - box.min_m).norm();
    node.area_m2 = static_cast<float>(area_m2(box));
}

/// Appends two children of nodes[at], splitting its range after `left` triangles.
std::size_t add_children(Topology& tree, std::size_t at, std::int32_t left) {
    const Topology::Node parent = tree.nodes[at];
    const std::size_t child = tree.nodes.size();
    tree.nodes[at].child = static_cast<std::int32_t>(child);
    tree.nodes.resize(child + 2);
    tree.nodes[child].first = parent.first;
    tree.nodes[child].count = left;
    tree.nodes[child + 1].first = parent.first + left;
    tree.nodes[child + 1].count = parent.count - left;
    tree.nodes[child].depth = tree.nodes[child + 1].depth = parent.depth + 1;
    return child;
}

void build_top_down(Topology& tree, const std::vector<Item>& items, int max_leaf) {
    for (std::size_t at = 0; at < tree.nodes.size(); ++at) {
        const Topology::Node node = tree.nodes[at];
        if (node.count <= max_leaf) continue;
        const auto begin = tree.order.begin() + node.first, end = begin + node.count;
        const auto middle = [&](std::int32_t i) -> const Eigen::Vector3f& {
            return items[static_cast<std::size_t>(i)].middle_m;
        };
        Aabb spread;
        Eigen::Vector3d mean = Eigen::Vector3d::Zero();
        for (auto i = begin; i != end; ++i) spread.include(middle(*i)), mean += middle(*i).cast<double>() / node.count;
        int axis = 0;
        (spread.max_m - spread.min_m).maxCoeff(&axis);
        auto split = std::partition(begin, end, [&](std::int32_t i) { return double{middle(i)[axis]} < mean[axis]; });
        // Coincident centroids cannot be separated: halves them by number.
        if (split == begin || split == end) split = begin + node.count / 2;
        add_children(tree, at, static_cast<std::int32_t>(split - begin));
    }
}

std::uint64_t spread_bits(std::uint64_t x) {  // 21 bits, two zeros after each
    x = (x | x << 32) & 0x1f00000000ffffULL;
    x = (x | x << 16) & 0x1f0000ff0000ffULL;
    x = (x | x << 8) & 0x100f00f00f00f00fULL;
    x = (x | x << 4) & 0x10c30c30c30c30c3ULL;
    return (x | x << 2) & 0x1249249249249249ULL;
}

struct Cluster {
    Aabb box;
    std::int32_t left = -1, right = -1;  ///< clusters; -1: a single triangle
    std::int32_t triangle = -1, count = 1;
};

/// Clusters in Morton order: each chooses, among a few neighbours on both sides, the partner that makes the smallest
/// box. Pairs that chose each other are joined, until one cluster is left.
std::vector<Cluster> cluster(const std::vector<Item>& items) {
    constexpr std::ptrdiff_t kWindow = 8;
    Aabb all;
    for (const Item& item : items) all.include(item.middle_m);
    const Eigen::Vector3f scale = (all.max_m - all.min_m).cwiseMax(1e-12F).cwiseInverse() * 2097151.0F;
    const auto code = [&](std::int32_t i) {
        const Eigen::Vector3f at = (items[static_cast<std::size_t>(i)].middle_m - all.min_m).cwiseProduct(scale);
        return spread_bits(static_cast<std::uint64_t>(at.x())) | spread_bits(static_cast<std::uint64_t>(at.y())) << 1 |
               spread_bits(static_cast<std::uint64_t>(at.z())) << 2;
    };
    std::vector<std::pair<std::uint64_t, std::int32_t>> curve;
    for (std::size_t i = 0; i < items.size(); ++i)
        curve.emplace_back(code(static_cast<std::int32_t>(i)), static_cast<std::int32_t>(i));
    std::sort(curve.begin(), curve.end());

    std::vector<Cluster> clusters;
    std::vector<std::int32_t> active, next;
    for (const auto& [key, triangle] : curve) {
        active.push_back(static_cast<std::int32_t>(clusters.size()));
        clusters.push_back({items[static_cast<std::size_t>(triangle)].box, -1, -1, triangle, 1});
    }
    std::vector<std::ptrdiff_t> partner;
    while (active.size() > 1) {
        const auto count = static_cast<std::ptrdiff_t>(active.size());
        const auto box = [&](std::ptrdiff_t i) -> const Aabb& {
            return clusters[static_cast<std::size_t>(active[static_cast<std::size_t>(i)])].box;
        };
        partner.assign(active.size(), -1);
        for (std::ptrdiff_t i = 0; i < count; ++i) {
            double smallest = std::numeric_limits<double>::infinity();
            for (std::ptrdiff_t j = std::max<std::ptrdiff_t>(0, i - kWindow); j < std::min(count, i + kWindow + 1);
                 ++j) {
                if (j == i) continue;
                // Ties go to the neighbour with the lower number, so that some pair always chooses each other.
                const double area = area_m2(merged(box(i), box(j)));
                if (area < smallest) smallest = area, partner[static_cast<std::size_t>(i)] = j;
            }
        }
        next.clear();
        for (std::ptrdiff_t i = 0; i < count; ++i) {
            const std::ptrdiff_t j = partner[static_cast<std::size_t>(i)];
            if (partner[static_cast<std::size_t>(j)] != i) {
                next.push_back(active[static_cast<std::size_t>(i)]);
            } else if (i < j) {
                const std::int32_t left = active[static_cast<std::size_t>(i)],
                                   right = active[static_cast<std::size_t>(j)];
                const Cluster joined = {
                    merged(box(i), box(j)), left, right, -1,
                    clusters[static_cast<std::size_t>(left)].count + clusters[static_cast<std::size_t>(right)].count};
                next.push_back(static_cast<std::int32_t>(clusters.size()));
                clusters.push_back(joined);
            }
        }
        // A cycle of ties joins no pair: joins the first two.
        if (next.size() == active.size()) {
            const Cluster joined = {merged(box(0), box(1)), active[0], active[1], -1,
                                    clusters[static_cast<std::size_t>(active[0])].count +
                                        clusters[static_cast<std::size_t>(active[1])].count};
            next.erase(next.begin());
            next.front() = static_cast<std::int32_t>(clusters.size());
            clusters.push_back(joined);
        }
        active.swap(next);
    }
    return clusters;
}

void build_bottom_up(Topology& tree, const std::vector<Item>& items, int max_leaf) {
    const std::vector<Cluster> clusters = cluster(items);
    const auto at = [&](std::int32_t i) -> const Cluster& { return clusters[static_cast<std::size_t>(i)]; };
    // Orders the triangles like the leaves, so that every cluster is contiguous.
    tree.order.clear();
    std::vector<std::int32_t> stack = {static_cast<std::int32_t>(clusters.size()) - 1};
    while (!stack.empty()) {
        const Cluster& here = at(stack.back());
        stack.pop_back();
        if (here.triangle >= 0) {
            tree.order.push_back(here.triangle);
        } else {
            stack.push_back(here.right);
            stack.push_back(here.left);
        }
    }
    std::vector<std::int32_t> of_node = {static_cast<std::int32_t>(clusters.size()) - 1};
    for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
        if (tree.nodes[node].count <= max_leaf) continue;
        const Cluster& here = at(of_node[node]);
        add_children(tree, node, at(here.left).count);
        of_node.resize(tree.nodes.size());
        of_node[tree.nodes.size() - 2] = here.left;
        of_node[tree.nodes.size() - 1] = here.right;
    }
}

}  // namespace

Topology make_topology(const Mesh& mesh, const HierarchySettings& settings) {
    check(mesh);
    const std::vector<Item> items = items_of(mesh);
    Topology tree;
    tree.order.resize(items.size());
    std::iota(tree.order.begin(), tree.order.end(), 0);
    tree.nodes.resize(1);
    tree.nodes[0].count = static_cast<std::int32_t>(items.size());
    const int max_leaf = std::max(1, settings.max_leaf_triangles);
    if (settings.construction == Construction::top_down)
        build_top_down(tree, items, max_leaf);
    else
        build_bottom_up(tree, items, max_leaf);
    for (Topology::Node& node : tree.nodes) measure(node, items, tree.order);
    return tree;
}

void gather_points(const Mesh& mesh, const Topology& topology, const Topology::Node& node,
                   std::vector<Eigen::Vector3f>& out) {
    out.clear();
    for (std::int32_t i = node.first; i < node.first + node.count; ++i)
        for (const std::uint32_t corner :
             mesh.triangles[static_cast<std::size_t>(topology.order[static_cast<std::size_t>(i)])])
            out.push_back(mesh.vertices_m[corner]);
}

}  // namespace glovebox::collision
