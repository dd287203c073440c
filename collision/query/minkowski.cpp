#include "collision/query/minkowski.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "collision/query/triangle.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3d;

// Does the same as keep_nearest_of_triangle() for triangles that are nearly a line, where its products would cancel.
void keep_nearest_of_thin_triangle(Simplex& simplex, const std::array<int, 3>& corners) {
    const auto w = [&](std::size_t n) -> const Vector3d& { return simplex.w(corners[n]); };
    const auto keep_edge = [&](std::size_t from, std::size_t to) {
        const Vector3d along = w(to) - w(from);
        const double t = std::clamp(-w(from).dot(along) / along.squaredNorm(), 0.0, 1.0);
        if (corners[from] < corners[to])
            simplex.keep({{corners[from], 1.0 - t}, {corners[to], t}});
        else
            simplex.keep({{corners[to], t}, {corners[from], 1.0 - t}});
    };
    const Triangle triangle = {w(0), w(1), w(2)};
    const TrianglePoint nearest = closest_on_triangle(Vector3d::Zero(), triangle);
    switch (nearest.feature) {
        case TriangleFeature::corner_a:
        case TriangleFeature::corner_b:
        case TriangleFeature::corner_c:
            simplex.keep({{corners[static_cast<std::size_t>(nearest.feature) - 4], 1.0}});
            return;
        case TriangleFeature::edge_ab:
            keep_edge(0, 1);
            return;
        case TriangleFeature::edge_bc:
            keep_edge(1, 2);
            return;
        case TriangleFeature::edge_ca:
            keep_edge(2, 0);
            return;
        case TriangleFeature::face:
            break;
    }
    const Vector3d normal = (w(1) - w(0)).cross(w(2) - w(0));
    std::array<double, 3> weight{};
    for (std::size_t n = 0; n < 3; ++n)
        weight[n] =
            normal.dot((w((n + 1) % 3) - nearest.point).cross(w((n + 2) % 3) - nearest.point)) / normal.squaredNorm();
    simplex.keep({{corners[0], weight[0]}, {corners[1], weight[1]}, {corners[2], weight[2]}});
}

// Reduces to the Voronoi region of the triangle that contains the origin [Ericson05, sec. 5.1.5]. Corners in ascending
// order.
void keep_nearest_of_triangle(Simplex& simplex, int i, int j, int k) {
    const Vector3d &a = simplex.w(i), &b = simplex.w(j), &c = simplex.w(k);
    const Vector3d ab = b - a, ac = c - a;
    const double ab2 = ab.squaredNorm(), ac2 = ac.squaredNorm(), ab_ac = ab.dot(ac);
    if (!(ab2 * ac2 - ab_ac * ab_ac > 1e-6 * ab2 * ac2)) {
        keep_nearest_of_thin_triangle(simplex, {i, j, k});
        return;
    }
    const auto keep_edge = [&](int from, int to, double t) { simplex.keep({{from, 1.0 - t}, {to, t}}); };
    const double d1 = -ab.dot(a), d2 = -ac.dot(a);
    if (d1 <= 0.0 && d2 <= 0.0) return simplex.keep({{i, 1.0}});
    const double d3 = -ab.dot(b), d4 = -ac.dot(b);
    if (d3 >= 0.0 && d4 <= d3) return simplex.keep({{j, 1.0}});
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return keep_edge(i, j, d1 / (d1 - d3));
    const double d5 = -ab.dot(c), d6 = -ac.dot(c);
    if (d6 >= 0.0 && d5 <= d6) return simplex.keep({{k, 1.0}});
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return keep_edge(i, k, d2 / (d2 - d6));
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) return keep_edge(j, k, (d4 - d3) / ((d4 - d3) + (d5 - d6)));
    const double scale = 1.0 / (va + vb + vc);
    simplex.keep({{i, va * scale}, {j, vb * scale}, {k, vc * scale}});
}

}  // namespace

void Simplex::keep(std::initializer_list<std::pair<int, double>> kept) {
    int n = 0;
    for (const auto& [index, weight] : kept) {
        const auto to = static_cast<std::size_t>(n++);
        if (index != static_cast<int>(to)) points[to] = points[static_cast<std::size_t>(index)];
        weights[to] = weight;
    }
    count = n;
}

bool reduce(Simplex& simplex) {
    if (simplex.count == 1) {
        simplex.weights[0] = 1.0;
        return false;
    }
    if (simplex.count == 2) {
        const Vector3d& from = simplex.points[0].w;
        const Vector3d along = simplex.points[1].w - from;
        const double length2 = along.squaredNorm();
        const double t = length2 > 0.0 ? std::clamp(-from.dot(along) / length2, 0.0, 1.0) : 0.0;
        if (t <= 0.0)
            simplex.keep({{0, 1.0}});
        else if (t >= 1.0)
            simplex.keep({{1, 1.0}});
        else
            simplex.keep({{0, 1.0 - t}, {1, t}});
        return false;
    }
    if (simplex.count == 3) {
        keep_nearest_of_triangle(simplex, 0, 1, 2);
        return false;
    }

    // Tetrahedron: the nearest of the faces that the origin is outside of. A flat one has no inside, because a wrong
    // inside would be a false contact; all four faces are tried there.
    const auto w = [&](int n) -> const Vector3d& { return simplex.w(n); };
    const Vector3d e1 = w(1) - w(0), e2 = w(2) - w(0), e3 = w(3) - w(0);
    const double volume = e1.cross(e2).dot(e3);
    const bool flat = std::abs(volume) < 1e-9 * e1.norm() * e2.norm() * e3.norm();
    constexpr std::array<std::array<int, 4>, 4> kFaces = {{{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}}};
    double best2 = std::numeric_limits<double>::infinity();
    int best = -1;
    for (int f = 0; f < 4; ++f) {
        const auto& face = kFaces[static_cast<std::size_t>(f)];
        const Vector3d normal = (w(face[1]) - w(face[0])).cross(w(face[2]) - w(face[0]));
        const double origin_side = -normal.dot(w(face[0]));
        const double other_side = normal.dot(w(face[3]) - w(face[0]));
        if (!flat && origin_side * other_side > 0.0) continue;
        const Triangle triangle = {w(face[0]), w(face[1]), w(face[2])};
        const double distance2 = closest_on_triangle(Vector3d::Zero(), triangle).point.squaredNorm();
        if (distance2 < best2) {
            best2 = distance2;
            best = f;
        }
    }
    if (best < 0) return true;
    const auto& face = kFaces[static_cast<std::size_t>(best)];
    keep_nearest_of_triangle(simplex, face[0], face[1], face[2]);
    return false;
}

// A direction n between the three is a combination of them, divided by its length. Any convex combination of the three
// balls is a ball of the difference too. Along n its centre reaches at least as far as along one of the three, if that
// is not negative. So the best bound is the combination of balls that maximises the least reach along the three: the
// value of a matrix game. The optimal combination makes the reaches along all three directions equal, or consists of
// two balls with two equal reaches, or of one ball.
double min_between(const SupportSample& a, const SupportSample& b, const SupportSample& c) {
    const std::array<const SupportSample*, 3> samples = {&a, &b, &c};
    Eigen::Matrix3d reach;  // of ball i along direction k
    Vector3d radii;
    for (int i = 0; i < 3; ++i) {
        const SupportSample& of = *samples[static_cast<std::size_t>(i)];
        radii[i] = of.radius;
        for (int k = 0; k < 3; ++k) {
            const Vector3d& along = samples[static_cast<std::size_t>(k)]->direction;
            reach(i, k) = of.w.dot(along) + of.radius * (1.0 - of.direction.dot(along));
        }
    }
    double least = -std::numeric_limits<double>::infinity();
    const auto consider = [&](const Vector3d& weights) {
        const double radius = weights.dot(radii);
        double reached = (weights.transpose() * reach).minCoeff();
        if (reached < radius) {
            // If the centre's reach is negative, the division enlarges it: at most by the length of the shortest
            // combination.
            const double longest2 =
                std::max({(a.direction - b.direction).squaredNorm(), (b.direction - c.direction).squaredNorm(),
                          (c.direction - a.direction).squaredNorm()});
            reached = radius - (radius - reached) / std::sqrt(1.0 - longest2 / 3.0);
        }
        least = std::max(least, reached);
    };
    for (int i = 0; i < 3; ++i) {
        consider(Vector3d::Unit(i));
        const int j = (i + 1) % 3;
        for (int k = 0; k < 3; ++k) {
            const int l = (k + 1) % 3;
            const double by_i = reach(i, k) - reach(i, l), by_j = reach(j, l) - reach(j, k);
            if (by_i * by_j > 0.0) consider((by_j * Vector3d::Unit(i) + by_i * Vector3d::Unit(j)) / (by_i + by_j));
        }
    }
    const Vector3d equal = (reach.col(0) - reach.col(1)).cross(reach.col(1) - reach.col(2));
    if (equal.minCoeff() * equal.maxCoeff() >= 0.0 && equal.sum() != 0.0) consider(equal / equal.sum());
    return least;
}

bool is_between(const Vector3d& direction, const SupportSample& a, const SupportSample& b, const SupportSample& c) {
    const Vector3d &x = a.direction, &y = b.direction, &z = c.direction;
    const double turn = x.cross(y).dot(z);
    return x.cross(y).dot(direction) * turn > 0.0 && y.cross(z).dot(direction) * turn > 0.0 &&
           z.cross(x).dot(direction) * turn > 0.0;
}

bool ExpandingPolytope::start(const std::array<SupportPoint, 4>& tetrahedron) {
    for (std::size_t i = 0; i < 4; ++i) points_[i] = tetrahedron[i];
    point_count_ = 4;
    face_count_ = 0;
    const Vector3d normal = (w(1) - w(0)).cross(w(2) - w(0));
    if (normal.dot(w(3) - w(0)) > 0.0) std::swap(points_[1], points_[2]);
    return add(0, 1, 2) && add(0, 3, 1) && add(0, 2, 3) && add(1, 3, 2);
}

int ExpandingPolytope::nearest() const {
    int best = 0;
    for (int i = 1; i < face_count_; ++i)
        if (faces_[static_cast<std::size_t>(i)].offset < faces_[static_cast<std::size_t>(best)].offset) best = i;
    return best;
}

bool ExpandingPolytope::add(int i, int j, int k) {
    if (face_count_ == kMaxFaces) return false;
    Face face{{i, j, k}, (w(j) - w(i)).cross(w(k) - w(i)), 0.0};
    const double length = face.normal.norm();
    if (!(length > 0.0)) return false;
    face.normal /= length;
    face.offset = face.normal.dot(w(i));
    faces_[static_cast<std::size_t>(face_count_++)] = face;
    return true;
}

// Displaces a point by less than the tolerance, and equal points equally.
SupportPoint ExpandingPolytope::moved(const SupportPoint& point) const {
    SupportPoint result = point;
    std::uint64_t mixed = 0;
    for (int k = 0; k < 3; ++k) mixed = (mixed ^ std::bit_cast<std::uint64_t>(point.w[k])) * 0x9E3779B97F4A7C15U;
    for (int k = 0; k < 3; ++k) {
        mixed = (mixed ^ (mixed >> 29)) * 0xBF58476D1CE4E5B9U;
        result.w[k] += 0.1 * tolerance_ * (static_cast<double>(mixed >> 11) * 0x1p-52 - 1.0);
    }
    return result;
}

// Replaces the faces that the point is above by a fan from their border. Returns false if there is no room, or if the
// result is no convex polytope: a corner occurs twice, or no face is beneath the point.
bool ExpandingPolytope::absorb(const SupportPoint& point) {
    struct Edge {
        int from, to;
    };
    int border_count = 0;
    std::array<Edge, kMaxHorizon> border;  // not a pair, whose constructor would set two kilobytes to zero
    const auto toggle = [&](int from, int to) {
        for (int i = 0; i < border_count; ++i)
            if (Edge& edge = border[static_cast<std::size_t>(i)]; edge.from == to && edge.to == from) {
                edge = border[static_cast<std::size_t>(--border_count)];
                return true;
            }
        if (border_count == kMaxHorizon) return false;
        border[static_cast<std::size_t>(border_count++)] = {from, to};
        return true;
    };
    const auto kept_points = point_count_;
    // A convex polytope contains no corner twice. Checked once, when the last place is taken: most expansions end long
    // before.
    if (point_count_ == kMaxPoints - 1)
        for (int i = 0; i < point_count_; ++i)
            for (int j = 0; j < i; ++j)
                if (w(i) == w(j)) return false;
    for (int i = 0; i < face_count_;) {
        const Face& face = faces_[static_cast<std::size_t>(i)];
        if (face.normal.dot(point.w) - face.offset <= 1e-14 * size_) {
            ++i;
            continue;
        }
        const std::array<int, 3> c = face.corners;
        faces_[static_cast<std::size_t>(i)] = faces_[static_cast<std::size_t>(--face_count_)];
        if (!toggle(c[0], c[1]) || !toggle(c[1], c[2]) || !toggle(c[2], c[0])) return false;
    }
    if (border_count == 0) return false;
    points_[static_cast<std::size_t>(kept_points)] = point;
    ++point_count_;
    for (int i = 0; i < border_count; ++i) {
        const auto& [from, to] = border[static_cast<std::size_t>(i)];
        if (!add(from, to, kept_points)) return false;
    }
    return face_count_ > 0;
}

// If several faces are coplanar, any of them may be the last, and the nearest point may lie in another one.
bool ExpandingPolytope::point_of_nearest_face(Vector3d& on_a) const {
    const Vector3d nearest_point = last_.offset * last_.normal;
    const auto holds = [&](const Face& face) {
        const std::array<int, 3>& c = face.corners;
        const Vector3d across = (w(c[1]) - w(c[0])).cross(w(c[2]) - w(c[0]));
        on_a.setZero();
        for (std::size_t n = 0; n < 3; ++n) {
            const double weight =
                across.dot((w(c[(n + 1) % 3]) - nearest_point).cross(w(c[(n + 2) % 3]) - nearest_point)) /
                across.squaredNorm();
            if (!(weight > -1e-6)) return false;
            on_a += weight * points_[static_cast<std::size_t>(c[n])].a;
        }
        return true;
    };
    return holds(last_) || std::any_of(faces_.begin(), faces_.begin() + face_count_, [&](const Face& face) {
               return face.normal.dot(nearest_point) >= face.offset - tolerance_ && holds(face);
           });
}

bool ExpandingPolytope::tetrahedron(std::array<SupportPoint, 4>& out) const {
    const Vector3d &a = w(last_.corners[0]), &b = w(last_.corners[1]), &c = w(last_.corners[2]);
    for (int i = 0; i < point_count_; ++i) {
        const Vector3d& d = w(i);
        // The origin is beneath abc, so it is inside if it is also beneath the other three faces.
        if (a.cross(d).dot(b) <= 0.0 || b.cross(d).dot(c) <= 0.0 || c.cross(d).dot(a) <= 0.0) continue;
        for (std::size_t k = 0; k < 3; ++k) out[k] = points_[static_cast<std::size_t>(last_.corners[k])];
        out[3] = points_[static_cast<std::size_t>(i)];
        return true;
    }
    return false;
}

}  // namespace glovebox::collision
