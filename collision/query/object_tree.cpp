#include "collision/query/object_tree.h"

#include <algorithm>

#include "collision/query/collide.h"

namespace glovebox::collision {
namespace {

// Margin as a fraction of the mesh's size. Boxes of a mesh's tree are rounded outwards by up to a 255th of their node,
// so they may extend beyond its outer box.
constexpr float kRoomOfMesh = 0.01F;

bool same(const Obb& a, const Obb& b) {
    return a.center_m == b.center_m && a.half_m == b.half_m && a.axes == b.axes;
}

}  // namespace

void ObjectTree::update(std::span<const Collider> objects) {
    for (std::size_t i = 0; i < objects.size(); ++i) move(static_cast<std::int32_t>(i), objects[i]);
    for (std::size_t i = objects.size(); i < objects_.size(); ++i)
        if (objects_[i].leaf >= 0) tree_.remove(objects_[i].leaf);
    objects_.resize(objects.size());
}

void ObjectTree::move(std::int32_t object, const Collider& collider) {
    const Obb& box = collider.box;
    const auto i = static_cast<std::size_t>(object);
    if (i >= objects_.size()) objects_.resize(i + 1);
    Object& it = objects_[i];
    if (it.leaf >= 0 && same(it.box, box)) return;
    const bool is_mesh = std::holds_alternative<MeshInstance>(collider.shape);
    const Aabb bounds = aabb_of(is_mesh ? box.grown(kRoomOfMesh * box.half_m.maxCoeff()) : box);
    const bool is_new = it.leaf < 0;
    const Eigen::Vector3f moved_m = bounds.min_m - it.bounds.min_m;
    it.box = box;
    it.bounds = bounds;
    if (!is_new && holds(tree_.box_of(it.leaf), bounds)) return;
    if (!is_new) tree_.remove(it.leaf);
    it.leaf = !is_present(bounds) ? -1 : tree_.insert(is_new ? bounds : fattened(bounds, moved_m), object);
}

void ObjectTree::find_near(const Aabb& box, std::vector<std::int32_t>& near) const {
    near.clear();
    tree_.visit_overlapping(box, [&](std::int32_t object) {
        if (meet(box, bounds_of(object))) near.push_back(object);
    });
    std::sort(near.begin(), near.end());
}

}  // namespace glovebox::collision
