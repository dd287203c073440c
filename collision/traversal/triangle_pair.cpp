#include "collision/traversal/triangle_pair.h"

#include <algorithm>

namespace glovebox::collision {
namespace {

using Eigen::Vector3d;

/// A zero axis separates nothing: both intervals are the point 0.
bool separates(const Vector3d& axis, const Triangle& a, const Triangle& b) {
    const auto [a_low, a_high] = std::minmax({axis.dot(a[0]), axis.dot(a[1]), axis.dot(a[2])});
    const auto [b_low, b_high] = std::minmax({axis.dot(b[0]), axis.dot(b[1]), axis.dot(b[2])});
    return a_high < b_low || b_high < a_low;
}

bool is_thin(const Vector3d& normal, const std::array<Vector3d, 3>& edges) {
    return normal.squaredNorm() <= 1e-20 * edges[0].squaredNorm() * edges[1].squaredNorm();
}

}  // namespace

bool overlap(const Triangle& a_given, const Triangle& b_given) {
    // About a corner of a, so that distance from the origin costs no digits.
    Triangle a, b;
    for (std::size_t i = 0; i < 3; ++i) a[i] = a_given[i] - a_given[0], b[i] = b_given[i] - a_given[0];
    const std::array<Vector3d, 3> of_a = {a[1] - a[0], a[2] - a[1], a[0] - a[2]};
    const std::array<Vector3d, 3> of_b = {b[1] - b[0], b[2] - b[1], b[0] - b[2]};
    const Vector3d normal_a = of_a[0].cross(of_a[1]), normal_b = of_b[0].cross(of_b[1]);
    if (separates(normal_a, a, b) || separates(normal_b, a, b)) return false;
    for (const Vector3d& edge_a : of_a)
        for (const Vector3d& edge_b : of_b)
            if (separates(edge_a.cross(edge_b), a, b)) return false;
    // Coplanar ones leave no other axis; for others these are spared by what came before, or do no harm.
    for (const Vector3d& edge : of_a)
        if (separates(normal_a.cross(edge), a, b)) return false;
    for (const Vector3d& edge : of_b)
        if (separates(normal_b.cross(edge), a, b)) return false;
    // Without a normal there are directions that none of these axes has.
    if (is_thin(normal_a, of_a) || is_thin(normal_b, of_b)) return distance_m(a_given, b_given) <= 0.0;
    return true;
}

double distance_m(const Triangle& a, const Triangle& b) {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < 3; ++i) {
        nearest = std::min(nearest, closest(RoundSegment{a[i], a[(i + 1) % 3]}, b).gap);
        nearest = std::min(nearest, closest(RoundSegment{b[i], b[(i + 1) % 3]}, a).gap);
    }
    return nearest;
}

}  // namespace glovebox::collision
