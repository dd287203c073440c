#include "collision/mesh_tree.h"

#include <algorithm>
#include <utility>

#include "collision/tree/build.h"

namespace glovebox::collision {

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
    result->tree_ = std::move(tree);
    result->near_ = NearTree(result->mesh_, result->tree_);
    if (result->closed())
        result->inside_ = InsideGrid(result->mesh_, [&](const Eigen::Vector3f& point_m) {
            MeshTreeCounts counts;
            return result->nearest_surface(point_m.cast<double>(), counts).distance_m < 0.0;
        });
    return result;
}

int MeshTree::depth() const {
    // Children stand behind their parents, so one pass from the back knows every height.
    std::vector<int> height(tree_.nodes.size(), 1);
    for (std::size_t i = tree_.nodes.size(); i-- > 0;)
        if (tree_.nodes[i].count == 0) {
            const auto child = static_cast<std::size_t>(tree_.nodes[i].first);
            height[i] = 1 + std::max(height[child], height[child + 1]);
        }
    return height[0];
}

std::size_t MeshTree::memory_bytes() const {
    return tree_.nodes.capacity() * sizeof(Node) + tree_.order.capacity() * sizeof(tree_.order[0]) +
           near_.memory_bytes() + surface_.memory_bytes();
}

std::vector<Obb> MeshTree::boxes_at(int level) const {
    std::vector<Obb> boxes;
    std::vector<std::pair<std::int32_t, int>> open = {{0, 0}};
    while (!open.empty()) {
        const auto [index, depth] = open.back();
        open.pop_back();
        const Node& node = tree_.nodes[static_cast<std::size_t>(index)];
        if (depth >= level || node.count > 0) {
            boxes.push_back(node.box);
            continue;
        }
        open.push_back({node.first + 1, depth + 1});
        open.push_back({node.first, depth + 1});
    }
    return boxes;
}

}  // namespace glovebox::collision
