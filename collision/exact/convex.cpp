#include "collision/exact/convex.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/convex_hull.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3d;

// A point of the difference a - b and where it came from.
struct SupportPoint {
    Vector3d w = Vector3d::Zero(), a = Vector3d::Zero(), b = Vector3d::Zero();
};

SupportPoint support(const ConvexCore& a, const ConvexCore& b, const Vector3d& direction) {
    SupportPoint point;
    point.a = a.support(direction);
    point.b = b.support(-direction);
    point.w = point.a - point.b;
    return point;
}

struct Simplex {
    std::array<SupportPoint, 4> points;
    std::array<double, 4> weights{};
    int count = 0;

    void keep(std::initializer_list<std::pair<int, double>> kept) {
        std::array<SupportPoint, 4> next = points;
        int n = 0;
        for (const auto& [index, weight] : kept) {
            next[static_cast<std::size_t>(n)] = points[static_cast<std::size_t>(index)];
            weights[static_cast<std::size_t>(n++)] = weight;
        }
        points = next;
        count = n;
    }
    Vector3d sum(Vector3d SupportPoint::*member) const {
        Vector3d total = Vector3d::Zero();
        for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) total += weights[i] * (points[i].*member);
        return total;
    }
};

// Weights of the point of triangle (i, j, k) nearest to the origin, as a reduced simplex.
void keep_nearest_of_triangle(Simplex& simplex, int i, int j, int k) {
    const auto w = [&](int n) -> const Vector3d& { return simplex.points[static_cast<std::size_t>(n)].w; };
    const Triangle triangle = {w(i), w(j), w(k)};
    const TrianglePoint nearest = closest_on_triangle(Vector3d::Zero(), triangle);
    const std::array index = {i, j, k};
    const auto keep_edge = [&](int from, int to) {
        const Vector3d along = w(to) - w(from);
        const double t = std::clamp(-w(from).dot(along) / along.squaredNorm(), 0.0, 1.0);
        simplex.keep({{from, 1.0 - t}, {to, t}});
    };
    switch (nearest.feature) {
        case TriangleFeature::corner_a:
            simplex.keep({{i, 1.0}});
            return;
        case TriangleFeature::corner_b:
            simplex.keep({{j, 1.0}});
            return;
        case TriangleFeature::corner_c:
            simplex.keep({{k, 1.0}});
            return;
        case TriangleFeature::edge_ab:
            keep_edge(i, j);
            return;
        case TriangleFeature::edge_bc:
            keep_edge(j, k);
            return;
        case TriangleFeature::edge_ca:
            keep_edge(k, i);
            return;
        case TriangleFeature::face:
            break;
    }
    const Vector3d normal = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]);
    const double normal2 = normal.squaredNorm();
    std::array<double, 3> weight{};
    for (std::size_t n = 0; n < 3; ++n)
        weight[n] =
            normal.dot((triangle[(n + 1) % 3] - nearest.point).cross(triangle[(n + 2) % 3] - nearest.point)) / normal2;
    simplex.keep({{index[0], weight[0]}, {index[1], weight[1]}, {index[2], weight[2]}});
}

// Reduces the simplex to the part nearest to the origin. True: the origin is inside (four points kept).
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

    // Tetrahedron: the nearest of the faces that the origin is outside of. A flat one has no inside: a wrong inside is
    // a false contact, so all four faces are tried there.
    const auto w = [&](int n) -> const Vector3d& { return simplex.points[static_cast<std::size_t>(n)].w; };
    const Vector3d e1 = w(1) - w(0), e2 = w(2) - w(0), e3 = w(3) - w(0);
    const double volume = e1.cross(e2).dot(e3);
    const bool flat = std::abs(volume) < 1e-9 * e1.norm() * e2.norm() * e3.norm();
    constexpr std::array<std::array<int, 4>, 4> kFaces = {{{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}}};
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

ConvexPair pair_at(const Simplex& simplex, const Vector3d& v) {
    ConvexPair pair;
    pair.distance = v.norm();
    pair.normal = -v / pair.distance;
    pair.on_a = simplex.sum(&SupportPoint::a);
    pair.on_b = simplex.sum(&SupportPoint::b);
    return pair;
}

// ---- EPA: grow a polytope inside the difference until its face nearest to the origin is a face of the difference.

class Polytope {
  public:
    explicit Polytope(double tolerance) : tolerance_(tolerance) {}

    bool start(const std::array<SupportPoint, 4>& tetrahedron) {
        for (std::size_t i = 0; i < 4; ++i) points_[i] = tetrahedron[i];
        point_count_ = 4;
        const Vector3d normal = (w(1) - w(0)).cross(w(2) - w(0));
        if (normal.dot(w(3) - w(0)) > 0.0) std::swap(points_[1], points_[2]);
        return add(0, 1, 2) && add(0, 3, 1) && add(0, 2, 3) && add(1, 3, 2);
    }

    ConvexPair expand(const ConvexCore& a, const ConvexCore& b) {
        while (true) {
            const Face face = faces_[static_cast<std::size_t>(nearest())];
            const SupportPoint point = support(a, b, face.normal);
            if (face.normal.dot(point.w) - face.offset <= tolerance_ || point_count_ == kMaxPoints || !absorb(point))
                return result(face);
        }
    }

  private:
    static constexpr int kMaxPoints = 192, kMaxFaces = 512, kMaxHorizon = 256;
    struct Face {
        std::array<int, 3> corners;
        Vector3d normal;
        double offset;
    };

    const Vector3d& w(int i) const { return points_[static_cast<std::size_t>(i)].w; }

    int nearest() const {
        int best = 0;
        for (int i = 1; i < face_count_; ++i)
            if (faces_[static_cast<std::size_t>(i)].offset < faces_[static_cast<std::size_t>(best)].offset) best = i;
        return best;
    }

    bool add(int i, int j, int k) {
        if (face_count_ == kMaxFaces) return false;
        Face face{{i, j, k}, (w(j) - w(i)).cross(w(k) - w(i)), 0.0};
        const double length = face.normal.norm();
        if (!(length > 0.0)) return false;
        face.normal /= length;
        face.offset = face.normal.dot(w(i));
        faces_[static_cast<std::size_t>(face_count_++)] = face;
        return true;
    }

    // Replaces the faces that the point is above by a fan from their border. False: no room, or nothing was visible.
    bool absorb(const SupportPoint& point) {
        int border_count = 0;
        std::array<std::pair<int, int>, kMaxHorizon> border;
        const auto toggle = [&](int from, int to) {
            for (int i = 0; i < border_count; ++i)
                if (border[static_cast<std::size_t>(i)] == std::pair{to, from}) {
                    border[static_cast<std::size_t>(i)] = border[static_cast<std::size_t>(--border_count)];
                    return true;
                }
            if (border_count == kMaxHorizon) return false;
            border[static_cast<std::size_t>(border_count++)] = {from, to};
            return true;
        };
        const auto kept_points = point_count_;
        for (int i = 0; i < face_count_;) {
            const Face& face = faces_[static_cast<std::size_t>(i)];
            if (face.normal.dot(point.w) - face.offset <= 1e-14 * (1.0 + std::abs(face.offset))) {
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

    ConvexPair result(const Face& face) const {
        const Vector3d nearest_point = face.normal * face.offset;
        const Triangle triangle = {w(face.corners[0]), w(face.corners[1]), w(face.corners[2])};
        const Vector3d normal = (triangle[1] - triangle[0]).cross(triangle[2] - triangle[0]);
        ConvexPair pair;
        pair.on_a = pair.on_b = Vector3d::Zero();
        for (std::size_t n = 0; n < 3; ++n) {
            const double weight =
                normal.dot((triangle[(n + 1) % 3] - nearest_point).cross(triangle[(n + 2) % 3] - nearest_point)) /
                normal.squaredNorm();
            const SupportPoint& point = points_[static_cast<std::size_t>(face.corners[n])];
            pair.on_a += weight * point.a;
            pair.on_b += weight * point.b;
        }
        pair.distance = -std::max(0.0, face.offset);
        pair.normal = face.normal;
        return pair;
    }

    double tolerance_;
    std::array<SupportPoint, kMaxPoints> points_;
    std::array<Face, kMaxFaces> faces_;
    int point_count_ = 0, face_count_ = 0;
};

// Grows a simplex that contains the origin (or has it on its border) to a tetrahedron. False: the difference is flat;
// `flat_normal` is across it.
bool grow_to_tetrahedron(Simplex& simplex, const ConvexCore& a, const ConvexCore& b, double size,
                         Vector3d& flat_normal) {
    const double tiny = 1e-12 * size;
    const auto w = [&](int n) -> const Vector3d& { return simplex.points[static_cast<std::size_t>(n)].w; };
    const auto push = [&](const SupportPoint& point) {
        simplex.points[static_cast<std::size_t>(simplex.count++)] = point;
    };
    flat_normal = Vector3d::UnitY();
    if (simplex.count == 1) {
        for (int i = 0; i < 6 && simplex.count == 1; ++i) {
            const Vector3d direction = (i % 2 == 0 ? 1.0 : -1.0) * Vector3d::Unit(i / 2);
            const SupportPoint point = support(a, b, direction);
            if ((point.w - w(0)).norm() > tiny) push(point);
        }
        if (simplex.count == 1) return false;
    }
    if (simplex.count == 2) {
        const Vector3d along = (w(1) - w(0)).normalized();
        const Vector3d side = along.unitOrthogonal();
        const Vector3d other = along.cross(side);
        flat_normal = side;
        for (int i = 0; i < 6 && simplex.count == 2; ++i) {
            const double angle = static_cast<double>(i) * 3.14159265358979 / 3.0;
            const SupportPoint point = support(a, b, std::cos(angle) * side + std::sin(angle) * other);
            const Vector3d offset = point.w - w(0);
            if ((offset - along * offset.dot(along)).norm() > tiny) push(point);
        }
        if (simplex.count == 2) return false;
    }
    if (simplex.count == 3) {
        const Vector3d normal = (w(1) - w(0)).cross(w(2) - w(0)).normalized();
        flat_normal = normal;
        for (const double sign : {1.0, -1.0}) {
            const SupportPoint point = support(a, b, sign * normal);
            if (std::abs(normal.dot(point.w - w(0))) > tiny) {
                push(point);
                return true;
            }
        }
        return false;
    }
    const Vector3d e1 = w(1) - w(0), e2 = w(2) - w(0), e3 = w(3) - w(0);
    return std::abs(e1.cross(e2).dot(e3)) > 0.0;
}

}  // namespace

ConvexCore::ConvexCore(const RoundSegment& segment)
    : kind_(Kind::balls),
      points_{segment.a, segment.b, Vector3d::Zero()},
      radii_{segment.radius_a, segment.radius_b},
      middle_(0.5 * (segment.a + segment.b)),
      size_(0.5 * (segment.a - segment.b).norm() + std::max(segment.radius_a, segment.radius_b)) {}

ConvexCore::ConvexCore(const Obb& box)
    : kind_(Kind::box),
      axes_(box.axes.cast<double>() * box.half_m.cast<double>().asDiagonal()),
      middle_(box.center_m.cast<double>()),
      size_(box.half_m.cast<double>().norm()) {}

ConvexCore::ConvexCore(const Triangle& triangle)
    : kind_(Kind::triangle), points_(triangle), middle_((triangle[0] + triangle[1] + triangle[2]) / 3.0) {
    for (const Vector3d& corner : triangle) size_ = std::max(size_, (corner - middle_).norm());
}

ConvexCore::ConvexCore(const ConvexHull& hull, const Eigen::Isometry3d& target_from_hull)
    : kind_(Kind::hull),
      axes_(target_from_hull.linear()),
      middle_(target_from_hull * hull.middle_m().cast<double>()),
      origin_(target_from_hull.translation()),
      size_(2.0 * hull.box().half_m.cast<double>().norm()),
      hull_(&hull) {}

Vector3d ConvexCore::support(const Vector3d& direction) const {
    switch (kind_) {
        case Kind::balls: {
            const double length = direction.norm();
            const bool b =
                points_[1].dot(direction) + radii_[1] * length > points_[0].dot(direction) + radii_[0] * length;
            const std::size_t end = b ? 1 : 0;
            return points_[end] + (length > 0.0 ? radii_[end] / length : 0.0) * direction;
        }
        case Kind::box: {
            Vector3d point = middle_;
            for (int i = 0; i < 3; ++i)
                point += axes_.col(i).dot(direction) >= 0.0 ? axes_.col(i) : Vector3d(-axes_.col(i));
            return point;
        }
        case Kind::triangle: {
            std::size_t best = 0;
            for (std::size_t i = 1; i < 3; ++i)
                if (points_[i].dot(direction) > points_[best].dot(direction)) best = i;
            return points_[best];
        }
        case Kind::hull:
            break;
    }
    const Vector3d local = axes_.transpose() * direction;
    const auto corner = static_cast<std::size_t>(hull_->support(local.cast<float>()));
    return origin_ + axes_ * hull_->corners_m()[corner].cast<double>();
}

ConvexPair closest(const ConvexCore& a, const ConvexCore& b) {
    const double size = a.size() + b.size() + std::numeric_limits<double>::min();
    Simplex simplex;
    Vector3d v = a.middle() - b.middle();
    if (v.squaredNorm() == 0.0) v = Vector3d::UnitX();
    simplex.points[0] = support(a, b, -v);
    simplex.count = 1;
    bool overlap = false;
    constexpr int kMaxIterations = 64;
    double best2 = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
        overlap = reduce(simplex);
        if (overlap) break;
        v = simplex.sum(&SupportPoint::w);
        const double distance2 = v.squaredNorm();
        if (distance2 <= 1e-24 * size * size) {
            overlap = true;
            break;
        }
        if (distance2 >= best2) return pair_at(simplex, v);  // rounding: no more progress is possible
        best2 = distance2;
        const SupportPoint point = support(a, b, -v);
        if (distance2 - v.dot(point.w) <= 1e-12 * distance2 + 1e-15 * size * std::sqrt(distance2))
            return pair_at(simplex, v);
        for (std::size_t i = 0; i < static_cast<std::size_t>(simplex.count); ++i)
            if (simplex.points[i].w == point.w) return pair_at(simplex, v);
        simplex.points[static_cast<std::size_t>(simplex.count++)] = point;
    }
    if (!overlap) return pair_at(simplex, v);

    Vector3d flat_normal = Vector3d::UnitY();
    if (simplex.count == 4 || grow_to_tetrahedron(simplex, a, b, size, flat_normal)) {
        Polytope polytope(1e-7 * size);
        if (polytope.start(simplex.points)) return polytope.expand(a, b);
    }
    ConvexPair pair;
    pair.distance = 0.0;
    pair.normal = flat_normal;
    pair.on_a = pair.on_b = simplex.sum(&SupportPoint::a);
    return pair;
}

}  // namespace glovebox::collision
