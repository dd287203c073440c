#include "collision/query/triangle_pair.h"

#include <algorithm>
#include <limits>

#include "collision/query/orientation.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3d;
using Signs = std::array<int, 3>;

// Returns the sides of b's corners relative to the plane of a.
Signs sides(const Triangle& a, const Triangle& b) {
    return orientation_signs(a[0], a[1], a[2], b);
}
bool all_on_one_side(const Signs& s) {
    return s[0] * s[1] > 0 && s[1] * s[2] > 0;
}
bool any_zero(const Signs& s) {
    return s[0] * s[1] * s[2] == 0;
}

// ---- No corner in the other's plane: [Guigue03]

// Rotates the triangle's corners so that the first is the one alone on its side of the other's plane.
Triangle odd_corner_first(const Triangle& t, const Signs& s, int& alone) {
    const std::size_t first = s[1] == s[2] ? 0 : (s[2] == s[0] ? 1 : 2);
    alone = s[first];
    return {t[first], t[(first + 1) % 3], t[(first + 2) % 3]};
}

// The planes intersect in a line, and each triangle covers an interval of it. They overlap if each begins before the
// other ends: two signs.
bool intervals_intersect(const Triangle& a, const Signs& a_sides, const Triangle& b, const Signs& b_sides) {
    int odd_a = 0, odd_b = 0;
    Triangle p = odd_corner_first(a, a_sides, odd_a), q = odd_corner_first(b, b_sides, odd_b);
    if (odd_a > 0) std::swap(q[1], q[2]);
    if (odd_b > 0) std::swap(p[1], p[2]);
    return orientation_sign(p[0], p[1], q[0], q[1]) >= 0 && orientation_sign(p[0], p[2], q[2], q[0]) >= 0;
}

// ---- Corners in the other's plane, or triangles without area: segments against triangles

bool segments_intersect_in_plane(const Vector3d& p, const Vector3d& q, const Vector3d& r, const Vector3d& s,
                                 int dropped) {
    const int r_side = orientation_sign(p, q, r, dropped), s_side = orientation_sign(p, q, s, dropped);
    if (r_side * s_side > 0) return false;
    const int p_side = orientation_sign(r, s, p, dropped), q_side = orientation_sign(r, s, q, dropped);
    if (p_side * q_side > 0) return false;
    // Collinear segments remain: their boxes decide. For all others the boxes overlap if the segments do.
    for (const int k : {(dropped + 1) % 3, (dropped + 2) % 3})
        if (std::max(p[k], q[k]) < std::min(r[k], s[k]) || std::max(r[k], s[k]) < std::min(p[k], q[k])) return false;
    return true;
}

// Coplanar segments meet if their projections on all three coordinate planes do, because one projection is injective.
bool segments_intersect(const Vector3d& p, const Vector3d& q, const Vector3d& r, const Vector3d& s) {
    if (orientation_sign(p, q, r, s) != 0) return false;
    for (int dropped = 0; dropped < 3; ++dropped)
        if (!segments_intersect_in_plane(p, q, r, s, dropped)) return false;
    return true;
}

bool has_area(const Triangle& t) {
    for (int dropped = 0; dropped < 3; ++dropped)
        if (orientation_sign(t[0], t[1], t[2], dropped) != 0) return true;
    return false;
}

// True if a point in the plane of a triangle with area is in the triangle.
bool holds(const Triangle& t, const Vector3d& point) {
    for (int dropped = 0; dropped < 3; ++dropped) {
        const Signs s = {orientation_sign(t[0], t[1], point, dropped), orientation_sign(t[1], t[2], point, dropped),
                         orientation_sign(t[2], t[0], point, dropped)};
        const auto [least, most] = std::minmax({s[0], s[1], s[2]});
        if (least < 0 && most > 0) return false;
    }
    return true;
}

bool segment_intersects(const Vector3d& p, const Vector3d& q, const Triangle& t) {
    const int p_side = orientation_sign(t[0], t[1], t[2], p), q_side = orientation_sign(t[0], t[1], t[2], q);
    if (p_side * q_side > 0) return false;
    if (p_side == 0 && q_side == 0) {  // in the triangle's plane, or the triangle has no area
        if (has_area(t) && holds(t, p)) return true;
        for (std::size_t i = 0; i < 3; ++i)
            if (segments_intersect(p, q, t[i], t[(i + 1) % 3])) return true;
        return false;
    }
    // True if the segment's line passes all three edges on the same side, or through them.
    const Signs s = {orientation_sign(p, q, t[0], t[1]), orientation_sign(p, q, t[1], t[2]),
                     orientation_sign(p, q, t[2], t[0])};
    const auto [least, most] = std::minmax({s[0], s[1], s[2]});
    return !(least < 0 && most > 0);
}

bool edges_intersect(const Triangle& a, const Triangle& b) {
    for (std::size_t i = 0; i < 3; ++i)
        if (segment_intersects(a[i], a[(i + 1) % 3], b) || segment_intersects(b[i], b[(i + 1) % 3], a)) return true;
    return false;
}

}  // namespace

bool triangles_touch(const Triangle& a, const Triangle& b) {
    const Signs b_sides = sides(a, b);
    if (all_on_one_side(b_sides)) return false;
    const Signs a_sides = sides(b, a);
    if (all_on_one_side(a_sides)) return false;
    if (any_zero(a_sides) || any_zero(b_sides)) return edges_intersect(a, b);
    return intervals_intersect(a, a_sides, b, b_sides);
}

bool triangles_touch(const Triangle& a, const std::array<int, 3>& a_sides, const Triangle& b,
                     const std::array<int, 3>& b_sides) {
    return intervals_intersect(a, a_sides, b, b_sides);
}

TriangleGap closest(const Triangle& a, const Triangle& b) {
    TriangleGap best;
    best.distance_m = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < 3; ++i) {
        const SegmentTriangle of_a = closest(RoundSegment{a[i], a[(i + 1) % 3]}, b);
        if (of_a.gap < best.distance_m) best = {of_a.gap, of_a.on_axis, of_a.on_triangle};
        const SegmentTriangle of_b = closest(RoundSegment{b[i], b[(i + 1) % 3]}, a);
        if (of_b.gap < best.distance_m) best = {of_b.gap, of_b.on_triangle, of_b.on_axis};
    }
    return best;
}

double distance_m(const Triangle& a, const Triangle& b) {
    return closest(a, b).distance_m;
}

}  // namespace glovebox::collision
