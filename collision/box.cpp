#include "collision/box.h"

#include <cmath>

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

bool overlap(const Obb& a, const Obb& b) {
    // Everything in a's frame: r_ij = a_i . b_j, t = centre of b. The tests are written so that NaN fails them.
    const Eigen::Matrix3f r = a.axes.transpose() * b.axes;
    const Eigen::Vector3f t = a.axes.transpose() * (b.center_m - a.center_m);
    const Eigen::Matrix3f abs_r = r.cwiseAbs().array() + 1e-6F;

    // Faces of a, faces of b.
    for (int i = 0; i < 3; ++i)
        if (!(std::abs(t[i]) <= a.half_m[i] + abs_r.row(i).dot(b.half_m))) return false;
    for (int j = 0; j < 3; ++j)
        if (!(std::abs(t.dot(r.col(j))) <= b.half_m[j] + abs_r.col(j).dot(a.half_m))) return false;

    // Edge against edge: a_i x b_j.
    for (int i = 0; i < 3; ++i) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; ++j) {
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            const float radius_a_m = a.half_m[i1] * abs_r(i2, j) + a.half_m[i2] * abs_r(i1, j);
            const float radius_b_m = b.half_m[j1] * abs_r(i, j2) + b.half_m[j2] * abs_r(i, j1);
            if (!(std::abs(t[i2] * r(i1, j) - t[i1] * r(i2, j)) <= radius_a_m + radius_b_m)) return false;
        }
    }
    return true;
}

}  // namespace glovebox::collision
