#include "collision/survey/tree/deform.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "collision/box/merge.h"

namespace glovebox::collision {
namespace {

// The range of a node's triangles in BoxTree::order: leaves of a subtree are contiguous.
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

double area_of(const BoxTree& tree) {
    double sum_m2 = 0.0;
    for (const auto& node : tree.nodes) sum_m2 += double{node.box.area_m2()};
    return sum_m2;
}

}  // namespace

void refit(BoxTree& tree, const Mesh& mesh, RefitFrom from) {
    check(mesh);
    // The triangles of a complete tree are numbered without a gap.
    const std::size_t triangles = static_cast<std::size_t>(*std::ranges::max_element(tree.order)) + 1;
    if (triangles != mesh.triangles.size())
        throw std::invalid_argument("refit: the tree was built over " + std::to_string(triangles) +
                                    " triangles, the mesh has " + std::to_string(mesh.triangles.size()));
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
        node.box = enclose(node.box.axes, tree.nodes[child].box, tree.nodes[child + 1].box);
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
    // Not "growth > most": if an area overflows, the ratio is NaN.
    if (!(report.growth < deforming.max_growth)) {
        deforming.tree = build_tree(mesh, deforming.settings);
        deforming.area_at_build_m2 = area_of(deforming.tree);
        report.rebuilt = true;
    }
    return report;
}

}  // namespace glovebox::collision
