#include "collision/query/triangle.h"
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace glovebox::collision {
namespace {

using Eigen::Vector3d;

double closest_parameter(const Vector3d& point, const Vector3d& from, const Vector3d& along) {
    const double length2 = along.squaredNorm();
    return length2 > 0.0 ? std::clamp((point - from).dot(along) / length2, 0.0, 1.0) : 0.0;
}

TriangleFeature corner(int i) {
    return static_cast<TriangleFeature>(static_cast<int>(TriangleFeature::corner_a) + i);
}
TriangleFeature edge(int i) {
    return static_cast<TriangleFeature>(static_cast<int>(TriangleFeature::edge_ab) + i);
}

// Returns the nearest point of one edge, reported as a corner if it is one.
TrianglePoint closest_on_edge(const Vector3d& point, const Triangle& triangle, int i) {
    const auto from = static_cast<std::size_t>(i), to = static_cast<std::size_t>((i + 1) % 3);
    const double t = closest_parameter(point, triangle[from], triangle[to] - triangle[from]);
    if (t <= 0.0) return {triangle[from], corner(i)};
    if (t >= 1.0) return {triangle[to], corner((i + 1) % 3)};
    return {triangle[from] + t * (triangle[to] - triangle[from]), edge(i)};
}

TrianglePoint closest_on_thin_triangle(const Vector3d& point, const Triangle& triangle) {
    TrianglePoint best = closest_on_edge(point, triangle, 0);
    for (int i = 1; i < 3; ++i) {
        const TrianglePoint other = closest_on_edge(point, triangle, i);
        if ((other.point - point).squaredNorm() < (best.point - point).squaredNorm()) best = other;
    }
    // Inside all three edges, by the normal of the plane of the two longest edges: the face.
    const Vector3d normal = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]);
    const double normal2 = normal.squaredNorm();
    if (normal2 > 0.0) {
        bool inside = true;
        for (std::size_t i = 0; i < 3; ++i)
            inside = inside && normal.dot((triangle[(i + 1) % 3] - triangle[i]).cross(point - triangle[i])) > 0.0;
        if (inside) {
            const Vector3d on_face = point - normal * ((point - triangle[0]).dot(normal) / normal2);
            if ((on_face - point).squaredNorm() < (best.point - point).squaredNorm())
                return {on_face, TriangleFeature::face};
        }
    }
    return best;
}

// Returns where sqrt(A s^2 + 2 B s + C) - k s is stationary. With t = s + B/A and D = C - B^2/A the derivative vanishes
// at
//   A t = k sqrt(A t^2 + D)   =>   t = k sqrt(D / (A (A - k^2))),   and nowhere if A <= k^2.
double stationary(double a, double b, double c, double k) {
    if (!(a > k * k)) return -1.0;
    const double d = std::max(0.0, c - b * b / a);
    return -b / a + (k == 0.0 ? 0.0 : k * std::sqrt(d / (a * (a - k * k))));
}

class Minimum {
  public:
    Minimum(const RoundSegment& segment, const Triangle& triangle) : segment_(&segment), triangle_(&triangle) {
        best_.gap = std::numeric_limits<double>::infinity();
    }

    Vector3d axis_point(double s) const {
        return s == 1.0 ? segment_->b : Vector3d(segment_->a + s * (segment_->b - segment_->a));
    }
    void try_pair(double s, const Vector3d& on_axis, const TrianglePoint& on_triangle) {
        const double distance = (on_triangle.point - on_axis).norm();
        const double gap = distance - (segment_->radius_a + s * (segment_->radius_b - segment_->radius_a));
        if (gap < best_.gap) best_ = {gap, s, distance, on_axis, on_triangle.point, on_triangle.feature};
    }
    void try_end(double s) {
        const Vector3d point = axis_point(s);
        try_pair(s, point, closest_on_triangle(point, *triangle_));
    }
    // Returns the part of the edge that is nearest, or `face` if no point between the ends is a minimum.
    TriangleFeature try_edge(double s, int i) {
        if (!(s > 0.0 && s < 1.0)) return TriangleFeature::face;
        const Vector3d point = axis_point(s);
        const TrianglePoint nearest = closest_on_edge(point, *triangle_, i);
        try_pair(s, point, nearest);
        return nearest.feature;
    }
    void try_corner(double s, int i) {
        if (!(s > 0.0 && s < 1.0)) return;
        try_pair(s, axis_point(s), {(*triangle_)[static_cast<std::size_t>(i)], corner(i)});
    }
    void try_pierce() {
        const Vector3d normal = ((*triangle_)[1] - (*triangle_)[0]).cross((*triangle_)[2] - (*triangle_)[0]);
        const double height_a = normal.dot(segment_->a - (*triangle_)[0]);
        const double height_b = normal.dot(segment_->b - (*triangle_)[0]);
        if (height_a * height_b > 0.0 || height_a == height_b) return;
        const double s = height_a / (height_a - height_b);
        const Vector3d point = axis_point(s);
        for (std::size_t i = 0; i < 3; ++i)
            if (normal.dot(((*triangle_)[(i + 1) % 3] - (*triangle_)[i]).cross(point - (*triangle_)[i])) < 0.0) return;
        try_pair(s, point, {point, TriangleFeature::face});
    }
    const SegmentTriangle& best() const { return best_; }

  private:
    const RoundSegment* segment_;
    const Triangle* triangle_;
    SegmentTriangle best_;
};

}  // namespace

TrianglePoint closest_on_triangle(const Vector3d& point, const Triangle& triangle) {
    const Vector3d ab = triangle[1] - triangle[0], ac = triangle[2] - triangle[0], ap = point - triangle[0];
    const double ab2 = ab.squaredNorm(), ac2 = ac.squaredNorm(), ab_ac = ab.dot(ac);
    const double area2 = ab2 * ac2 - ab_ac * ab_ac;
    if (!(area2 > 1e-6 * ab2 * ac2)) return closest_on_thin_triangle(point, triangle);

    const double d1 = ab.dot(ap), d2 = ac.dot(ap);
    if (d1 <= 0.0 && d2 <= 0.0) return {triangle[0], TriangleFeature::corner_a};
    const Vector3d bp = point - triangle[1];
    const double d3 = ab.dot(bp), d4 = ac.dot(bp);
    if (d3 >= 0.0 && d4 <= d3) return {triangle[1], TriangleFeature::corner_b};
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return {triangle[0] + (d1 / ab2) * ab, TriangleFeature::edge_ab};
    const Vector3d cp = point - triangle[2];
    const double d5 = ab.dot(cp), d6 = ac.dot(cp);
    if (d6 >= 0.0 && d5 <= d6) return {triangle[2], TriangleFeature::corner_c};
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return {triangle[0] + (d2 / ac2) * ac, TriangleFeature::edge_ca};
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) {
        const double t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return {triangle[1] + t * (triangle[2] - triangle[1]), TriangleFeature::edge_bc};
    }
    // Uses the plane of the face, not barycentric weights, so that the distance has no cancellation.
    const Vector3d normal = ab.cross(ac);
    return {point - normal * (ap.dot(normal) / normal.squaredNorm()), TriangleFeature::face};
}

SegmentTriangle closest(const RoundSegment& segment, const Triangle& triangle) {
    Minimum minimum(segment, triangle);
    minimum.try_end(0.0);
    const Vector3d u = segment.b - segment.a;
    if (u.squaredNorm() == 0.0) {
        if (segment.radius_b > segment.radius_a) minimum.try_end(1.0);
        return minimum.best();
    }
    const double k = segment.radius_b - segment.radius_a;
    // gap(s) is convex, and apart from the triangle its slope is n . u - k, with n from the triangle to the axis. If it
    // rises from a, or still falls at b, that end is the minimum.
    const Vector3d from_a = minimum.best().on_axis - minimum.best().on_triangle;
    if (minimum.best().core_distance > 0.0 && from_a.dot(u) >= k * minimum.best().core_distance) return minimum.best();
    Minimum at_b(segment, triangle);
    at_b.try_end(1.0);
    const Vector3d from_b = at_b.best().on_axis - at_b.best().on_triangle;
    if (at_b.best().core_distance > 0.0 && from_b.dot(u) <= k * at_b.best().core_distance) return at_b.best();
    if (at_b.best().gap < minimum.best().gap) minimum = at_b;

    // The distance to a line is convex: if the minimum for an edge's line is beyond one of its corners or between them,
    // the other corner or both have no smaller gap.
    std::array<bool, 3> may_be_corner = {true, true, true};
    for (int i = 0; i < 3; ++i) {
        const Vector3d& from = triangle[static_cast<std::size_t>(i)];
        const Vector3d along = triangle[static_cast<std::size_t>((i + 1) % 3)] - from;
        const Vector3d w = segment.a - from;
        const double along2 = along.squaredNorm();
        if (along2 == 0.0) continue;
        // Distance to the edge's line: the parts of u and w perpendicular to it. Cross products, since subtracting the
        // projection would cancel for nearly parallel pairs.
        const Vector3d u_x = u.cross(along), w_x = w.cross(along);
        const TriangleFeature nearest = minimum.try_edge(
            stationary(u_x.squaredNorm() / along2, u_x.dot(w_x) / along2, w_x.squaredNorm() / along2, k), i);
        if (nearest == TriangleFeature::face) continue;
        for (const int end : {i, (i + 1) % 3})
            if (nearest != corner(end)) may_be_corner[static_cast<std::size_t>(end)] = false;
    }
    for (int i = 0; i < 3; ++i) {
        if (!may_be_corner[static_cast<std::size_t>(i)]) continue;
        const Vector3d w = segment.a - triangle[static_cast<std::size_t>(i)];
        minimum.try_corner(stationary(u.squaredNorm(), u.dot(w), w.squaredNorm(), k), i);
    }
    minimum.try_pierce();
    return minimum.best();
}

SegmentParameters closest_segment_parameters(const Vector3d& a0, const Vector3d& a1, const Vector3d& b0,
                                             const Vector3d& b1) {
    const Vector3d d1 = a1 - a0, d2 = b1 - b0, r = a0 - b0;
    const double a = d1.squaredNorm(), e = d2.squaredNorm(), f = d2.dot(r);
    if (a == 0.0 && e == 0.0) return {0.0, 0.0};
    if (a == 0.0) return {0.0, std::clamp(f / e, 0.0, 1.0)};
    const double c = d1.dot(r);
    if (e == 0.0) return {std::clamp(-c / a, 0.0, 1.0), 0.0};
    const double b = d1.dot(d2), denominator = d1.cross(d2).squaredNorm();  // = a e - b^2, without cancellation
    double s = denominator > 1e-24 * a * e ? std::clamp((b * f - c * e) / denominator, 0.0, 1.0) : 0.0;
    double t = (b * s + f) / e;
    if (t < 0.0) {
        t = 0.0;
        s = std::clamp(-c / a, 0.0, 1.0);
    } else if (t > 1.0) {
        t = 1.0;
        s = std::clamp((b - c) / a, 0.0, 1.0);
    }
    return {s, t};
}

}  // namespace glovebox::collision
