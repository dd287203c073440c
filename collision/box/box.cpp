#include "collision/box/box.h"

namespace glovebox::collision {

Obb transformed(const Eigen::Isometry3f& target_from_box, const Obb& box) {
    return {target_from_box * box.center_m, target_from_box.linear() * box.axes, box.half_m};
}

Aabb aabb_of(const Obb& box) {
    const Eigen::Vector3f radius_m = box.axes.cwiseAbs() * box.half_m;
    return {box.center_m - radius_m, box.center_m + radius_m};
}

Obb obb_of(const Aabb& box) {
    return {0.5F * (box.min_m + box.max_m), Eigen::Matrix3f::Identity(), 0.5F * (box.max_m - box.min_m)};
}

bool overlap(const Aabb& a, const Aabb& b) {
    return (a.min_m.array() <= b.max_m.array()).all() && (b.min_m.array() <= a.max_m.array()).all();
}

}  // namespace glovebox::collision
