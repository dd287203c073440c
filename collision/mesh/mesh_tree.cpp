#include "collision/mesh/mesh_tree.h"

#include <utility>

#include "collision/mesh/build.h"

namespace glovebox::collision {
namespace {

constexpr double kCoarse_m2 = 0.5e-4;

double mean_area_m2(const Mesh& mesh) {
    double sum_m2 = 0.0;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const Triangle t = triangle_of(mesh, static_cast<int>(i));
        sum_m2 += 0.5 * (t[1] - t[0]).cross(t[2] - t[0]).norm();
    }
    return sum_m2 / static_cast<double>(mesh.triangles.size());
}

}  // namespace

std::shared_ptr<const MeshTree> MeshTree::build(Mesh mesh, int max_leaf_triangles) {
    BuildSettings settings;
    settings.max_leaf_triangles = max_leaf_triangles;
    BoxTree tree = build_tree(mesh, settings);
    return over(std::move(mesh), std::move(tree));
}

std::shared_ptr<const MeshTree> MeshTree::over(Mesh mesh, BoxTree tree) {
    check(mesh);
    check(tree, static_cast<std::int64_t>(mesh.triangles.size()), false);
    auto result = std::make_shared<MeshTree>();
    result->mesh_ = std::move(mesh);
    result->surface_ = MeshSurface(result->mesh_);
    result->coarse_ = mean_area_m2(result->mesh_) >= kCoarse_m2;
    result->keep_drawn_levels(tree);
    result->near_ = NearTree(result->mesh_, tree);
    if (result->closed()) result->inside_ = InsideGrid(result->mesh_, result->surface_.faces_inwards());
    return result;
}

void MeshTree::keep_drawn_levels(const BoxTree& tree) {
    std::vector<std::int32_t> from = {0};  // the tree's numbers of the nodes that are kept, level by level
    std::size_t level_end = 1;
    for (int level = 0; level < kDrawnLevels; ++level, level_end = from.size())
        for (std::size_t i = drawn_.size(); i < level_end; ++i) {
            const BoxTree::Node& node = tree.nodes[static_cast<std::size_t>(from[i])];
            const bool opens = node.count == 0 && level + 1 < kDrawnLevels;
            drawn_.push_back({node.box, opens ? static_cast<std::int32_t>(from.size()) : -1});
            if (opens) from.insert(from.end(), {node.first, node.first + 1});
        }
    drawn_.shrink_to_fit();
}

std::size_t MeshTree::memory_bytes() const {
    return near_.memory_bytes() + surface_.memory_bytes() + inside_.memory_bytes() +
           drawn_.capacity() * sizeof(DrawnNode);
}

std::vector<Obb> MeshTree::boxes_at(int level) const {
    std::vector<Obb> boxes;
    std::vector<std::pair<std::int32_t, int>> open = {{0, 0}};
    while (!open.empty()) {
        const auto [index, depth] = open.back();
        open.pop_back();
        const DrawnNode& node = drawn_[static_cast<std::size_t>(index)];
        if (depth >= level || node.first_child < 0) {
            boxes.push_back(node.box);
            continue;
        }
        open.push_back({node.first_child + 1, depth + 1});
        open.push_back({node.first_child, depth + 1});
    }
    return boxes;
}

}  // namespace glovebox::collision
