#include "collision/tree/deform.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace glovebox::collision {
namespace {

// Where a node's triangles stand in BoxTree::order: leaves of a subtree lie side by side.
struct Reach {
    std::int32_t begin, end;
};

std::vector<Reach> reaches(const BoxTree& tree) {
    std::vector<Reach> result(tree.nodes.size());
    for (std::size_t i = tree.nodes.size(); i-- > 0;) {
        const BoxTree::Node& node = tree.nodes[i];
        if (node.count > 0) {
            result[i] = {node.first, node.first + node.count};
            continue;
        }
        const auto child = static_cast<std::size_t>(node.first);
        result[i] = {std::min(result[child].begin, result[child + 1].begin),
                     std::max(result[child].end, result[child + 1].end)};
    }
    return result;
}

Obb enclose_triangles(const BoxTree& tree, const Mesh& mesh, const Reach& reach, const Eigen::Matrix3f& axes,
                      std::vector<Eigen::Vector3f>& points_m, PointSet& points) {
    points_m.clear();
    for (std::int32_t k = reach.begin; k < reach.end; ++k)
        for (const std::uint32_t vertex :
             mesh.triangles[static_cast<std::size_t>(tree.order[static_cast<std::size_t>(k)])])
            points_m.push_back(mesh.vertices_m[vertex]);
    points.assign(points_m);
    return enclose(points, axes);
}

// Closed form: a child's half extent along an axis is the sum of its own, weighted by the cosines.
Obb enclose_boxes(const Obb& a, const Obb& b, const Eigen::Matrix3f& axes) {
    const Eigen::Vector3f offset_m = axes.transpose() * (b.center_m - a.center_m);
    const Eigen::Vector3f radius_a_m = (axes.transpose() * a.axes).cwiseAbs() * a.half_m;
    const Eigen::Vector3f radius_b_m = (axes.transpose() * b.axes).cwiseAbs() * b.half_m;
    const Eigen::Vector3f low_m = (-radius_a_m).cwiseMin(offset_m - radius_b_m);
    const Eigen::Vector3f high_m = radius_a_m.cwiseMax(offset_m + radius_b_m);
    Obb box;
    box.axes = axes;
    box.center_m = a.center_m + axes * (0.5F * (low_m + high_m));
    box.half_m = 0.5F * (high_m - low_m);
    // Both children are rounded up already; this pad covers the arithmetic above.
    constexpr float kEps = std::numeric_limits<float>::epsilon();
    box.half_m.array() += 4.0F * kEps * box.center_m.cwiseAbs().maxCoeff() + 16.0F * kEps * box.half_m.sum();
    return box;
}

double area_of(const BoxTree& tree) {
    double sum_m2 = 0.0;
    for (const auto& node : tree.nodes) sum_m2 += double{node.box.area_m2()};
    return sum_m2;
}

}  // namespace

void refit(BoxTree& tree, const Mesh& mesh, RefitFrom from) {
    const auto triangle_count = static_cast<std::int32_t>(mesh.triangles.size());
    if (std::ranges::any_of(tree.order, [&](std::int32_t t) { return t < 0 || t >= triangle_count; }))
        throw std::invalid_argument("refit: the tree was built over a mesh with more triangles");
    const std::vector<Reach> reach = reaches(tree);
    std::vector<Eigen::Vector3f> points_m;
    PointSet points;
    for (std::size_t i = tree.nodes.size(); i-- > 0;) {
        BoxTree::Node& node = tree.nodes[i];
        if (node.count > 0 || from == RefitFrom::vertices) {
            node.box = enclose_triangles(tree, mesh, reach[i], node.box.axes, points_m, points);
            continue;
        }
        const auto child = static_cast<std::size_t>(node.first);
        node.box = enclose_boxes(tree.nodes[child].box, tree.nodes[child + 1].box, node.box.axes);
    }
}

DeformingTree make_deforming(const Mesh& mesh, const BuildSettings& settings) {
    DeformingTree result{build_tree(mesh, settings), settings};
    result.area_at_build_m2 = area_of(result.tree);
    return result;
}

DeformReport follow(DeformingTree& deforming, const Mesh& mesh, RefitFrom from) {
    refit(deforming.tree, mesh, from);
    DeformReport report;
    const double area_m2 = area_of(deforming.tree);
    if (deforming.area_at_build_m2 > 0.0) report.growth = area_m2 / deforming.area_at_build_m2;
    // Not "growth > most": an area that is not a number is a reason to rebuild, which will say what is wrong.
    if (!(report.growth < deforming.most_growth)) {
        deforming.tree = build_tree(mesh, deforming.settings);
        deforming.area_at_build_m2 = area_of(deforming.tree);
        report.rebuilt = true;
    }
    return report;
}

}  // namespace glovebox::collision
