#include "collision/survey/volumes/boxes.h"

#include <algorithm>
#include <cmath>

#include "collision/box/box_fit.h"
#include "collision/box/merge.h"

namespace glovebox::collision {

Aabb AabbVolume::fit(std::span<const Eigen::Vector3f> points) {
    Aabb box;
    for (const Eigen::Vector3f& point : points) box.include(point);
    const float pad_m = padding_m(box.min_m.cwiseAbs().cwiseMax(box.max_m.cwiseAbs()).maxCoeff());
    box.min_m.array() -= pad_m;
    box.max_m.array() += pad_m;
    return box;
}

Obb TurnedAabbVolume::fit(std::span<const Eigen::Vector3f> points) {
    Obb box = obb_of(AabbVolume::fit(points));
    box.half_m.array() += padding_m(box.center_m.cwiseAbs().maxCoeff() + box.half_m.sum());
    return box;
}

Obb TurnedAabbVolume::merge(const Obb& a, const Obb& b) {
    // Both boxes have the axes of their body's frame. enclose() pads for rounding.
    return enclose(a.axes, a, b);
}

float TurnedAabbVolume::distance_m(const Obb& a, const Obb& b) {
    return ObbVolume::distance_m(a, b);
}

Obb ObbVolume::fit(std::span<const Eigen::Vector3f> points) {
    Obb box = fit_hull_covariance(points, {});
    box.half_m.array() += padding_m(box.center_m.cwiseAbs().maxCoeff() + box.half_m.sum());
    return box;
}

Obb ObbVolume::merge(const Obb& a, const Obb& b) {
    return merge_covariance(a, b);
}

float ObbVolume::distance_m(const Obb& a, const Obb& b) {
    // Like overlap() of box.h, but every axis is a unit vector and the largest gap is returned.
    const Eigen::Matrix3f r = a.axes.transpose() * b.axes;
    const Eigen::Vector3f t = a.axes.transpose() * (b.center_m - a.center_m);
    const Eigen::Matrix3f abs_r = r.cwiseAbs();
    float gap_m = 0.0F;
    for (int i = 0; i < 3; ++i) gap_m = std::max(gap_m, std::abs(t[i]) - a.half_m[i] - abs_r.row(i).dot(b.half_m));
    for (int j = 0; j < 3; ++j)
        gap_m = std::max(gap_m, std::abs(t.dot(r.col(j))) - b.half_m[j] - abs_r.col(j).dot(a.half_m));
    for (int i = 0; i < 3; ++i) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; ++j) {
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            // a_i x b_j|^2 = 1 - r_ij^2, computed without cancellation. For edges this nearly parallel, a face axis is
            // as good.
            const float sine2 = r(i1, j) * r(i1, j) + r(i2, j) * r(i2, j);
            if (sine2 < 1e-3F) continue;
            const float along_a_m = a.half_m[i1] * abs_r(i2, j) + a.half_m[i2] * abs_r(i1, j);
            const float along_b_m = b.half_m[j1] * abs_r(i, j2) + b.half_m[j2] * abs_r(i, j1);
            gap_m = std::max(
                gap_m, (std::abs(t[i2] * r(i1, j) - t[i1] * r(i2, j)) - along_a_m - along_b_m) / std::sqrt(sine2));
        }
    }
    return gap_m;
}

}  // namespace glovebox::collision
