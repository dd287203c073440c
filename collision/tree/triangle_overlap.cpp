#include "collision/tree/triangle_overlap.h"

#include <Eigen/Geometry>
#include <algorithm>

namespace glovebox::collision {
namespace {

using Eigen::Vector3d;

// Zero axes separate nothing: every projection is zero and zero intervals touch.
bool separates(const Vector3d& axis, const Triangle& a, const Triangle& b) {
    const double a0 = axis.dot(a[0]), a1 = axis.dot(a[1]), a2 = axis.dot(a[2]);
    const double b0 = axis.dot(b[0]), b1 = axis.dot(b[1]), b2 = axis.dot(b[2]);
    return std::max({a0, a1, a2}) < std::min({b0, b1, b2}) || std::max({b0, b1, b2}) < std::min({a0, a1, a2});
}

bool is_flat(const Vector3d& normal, const std::array<Vector3d, 3>& edges) {
    const double longest = std::max({edges[0].squaredNorm(), edges[1].squaredNorm(), edges[2].squaredNorm()});
    return normal.squaredNorm() <= 1e-20 * longest * longest;
}

// Lines and points have no normal to separate along: their own distance decides.
bool degenerate_touch(const Triangle& a, const Triangle& b) {
    const Vector3d middle = 0.5 * (a[0] + b[0]);
    double size = 0.0;
    for (std::size_t k = 0; k < 3; ++k)
        size = std::max({size, (a[k] - middle).cwiseAbs().maxCoeff(), (b[k] - middle).cwiseAbs().maxCoeff()});
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < 3; ++k) {
        nearest = std::min(nearest, closest(RoundSegment{a[k], a[(k + 1) % 3]}, b).gap);
        nearest = std::min(nearest, closest(RoundSegment{b[k], b[(k + 1) % 3]}, a).gap);
    }
    return nearest <= 1e-15 * size;
}

}  // namespace

bool triangles_touch(const Triangle& a_in_mesh, const Triangle& b_in_mesh) {
    // About a corner, so that distance from the origin costs no digits.
    const Vector3d origin = a_in_mesh[0];
    const Triangle a = {Vector3d::Zero(), a_in_mesh[1] - origin, a_in_mesh[2] - origin};
    const Triangle b = {b_in_mesh[0] - origin, b_in_mesh[1] - origin, b_in_mesh[2] - origin};
    const std::array<Vector3d, 3> ea = {a[1] - a[0], a[2] - a[1], a[0] - a[2]};
    const std::array<Vector3d, 3> eb = {b[1] - b[0], b[2] - b[1], b[0] - b[2]};
    const Vector3d na = ea[0].cross(ea[1]), nb = eb[0].cross(eb[1]);
    if (separates(na, a, b) || separates(nb, a, b)) return false;
    if (is_flat(na, ea) || is_flat(nb, eb)) return degenerate_touch(a, b);
    for (const Vector3d& u : ea)
        for (const Vector3d& v : eb)
            if (separates(u.cross(v), a, b)) return false;
    // Nearly parallel planes: the products above were all but the normal.
    if (na.cross(nb).squaredNorm() <= 1e-12 * na.squaredNorm() * nb.squaredNorm()) {
        for (const Vector3d& u : ea)
            if (separates(na.cross(u), a, b)) return false;
        for (const Vector3d& v : eb)
            if (separates(nb.cross(v), a, b)) return false;
    }
    return true;
}

}  // namespace glovebox::collision
