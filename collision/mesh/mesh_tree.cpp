#include "collision/mesh/mesh_tree.h"

#include <utility>

#include "collision/mesh/build.h"

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
    result->tree_ = ObbTree(result->mesh_, tree);
    if (result->closed()) result->inside_ = InsideGrid(result->mesh_, result->surface_.faces_inwards());
    return result;
}

std::size_t MeshTree::memory_bytes() const {
    return tree_.memory_bytes() + surface_.memory_bytes() + inside_.memory_bytes();
}

}  // namespace glovebox::collision
