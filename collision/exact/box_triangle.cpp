#include "collision/exact/box_triangle.h"

#include <algorithm>
#include <cmath>

namespace glovebox::collision {

using Eigen::Vector3d;

double gap_along_axes(const Obb& box, const Triangle& triangle) {
    // In the box's frame it reaches from -half to half.
    const Eigen::Matrix3d box_from_mesh = box.axes.transpose().cast<double>();
    const Vector3d center = box.center_m.cast<double>(), half = box.half_m.cast<double>();
    const Triangle corner = {box_from_mesh * (triangle[0] - center), box_from_mesh * (triangle[1] - center),
                             box_from_mesh * (triangle[2] - center)};
    const Triangle edge = {corner[1] - corner[0], corner[2] - corner[1], corner[0] - corner[2]};

    const Vector3d low = corner[0].cwiseMin(corner[1]).cwiseMin(corner[2]);
    const Vector3d high = corner[0].cwiseMax(corner[1]).cwiseMax(corner[2]);
    double gap = (low.cwiseMax(-high) - half).maxCoeff();

    // Where the corners are nearly in a row, this is no normal: then they are not equally far along it.
    const Vector3d normal = edge[0].cross(edge[1]);
    if (const double length = normal.norm(); length > 0.0) {
        const double a = normal.dot(corner[0]), b = normal.dot(corner[1]), c = normal.dot(corner[2]);
        const double apart = std::max(std::min({a, b, c}), -std::max({a, b, c})) - normal.cwiseAbs().dot(half);
        gap = std::max(gap, apart / length);
    }

    // Across edge i and the box's axis k. The edge's own corners fall together there.
    for (std::size_t i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            const int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            const double x = -edge[i][k2], y = edge[i][k1];
            const double length2 = x * x + y * y;
            if (!(length2 > 1e-12 * edge[i].squaredNorm())) continue;  // parallel: one of the axes above
            const auto along = [&](const Vector3d& point) { return x * point[k1] + y * point[k2]; };
            const double on_edge = along(corner[i]), other = along(corner[(i + 2) % 3]);
            const double reach = half[k1] * std::abs(x) + half[k2] * std::abs(y);
            const double apart = std::max(std::min(on_edge, other), -std::max(on_edge, other)) - reach;
            gap = std::max(gap, apart / std::sqrt(length2));
        }
    return gap;
}

}  // namespace glovebox::collision
