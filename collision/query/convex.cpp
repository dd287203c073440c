#include "collision/query/convex.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/box/convex_hull.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3d;

SupportPoint support(const ConvexCore& a, const ConvexCore& b, const Vector3d& direction) {
    const Vector3d on_a = a.support(direction);
    return {on_a - b.support(-direction), on_a, -1, -1};
}

// Grows a simplex that contains the origin (or has it on its border) to a tetrahedron. False: the difference is flat;
// `flat_normal` is across it.
bool grow_to_tetrahedron(Simplex& simplex, const ConvexCore& a, const ConvexCore& b, double size,
                         Vector3d& flat_normal) {
    const double tiny = 1e-12 * size;
    const auto w = [&](int n) -> const Vector3d& { return simplex.w(n); };
    const auto push = [&](const SupportPoint& point) { simplex.push(point); };
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
      size_(0.5 * ((segment.a - segment.b).norm() + segment.radius_a + segment.radius_b +
                   std::abs(segment.radius_a - segment.radius_b))) {}

ConvexCore::ConvexCore(const Obb& box)
    : kind_(Kind::box),
      axes_(box.axes.cast<double>() * box.half_m.cast<double>().asDiagonal()),
      middle_(box.center_m.cast<double>()),
      size_(axes_.norm()) {}

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

std::size_t ConvexCore::end_along(const Vector3d& direction) const {
    const double length = direction.norm();
    return points_[1].dot(direction) + radii_[1] * length > points_[0].dot(direction) + radii_[0] * length ? 1 : 0;
}

double ConvexCore::radius(const Vector3d& direction) const {
    return kind_ == Kind::balls ? radii_[end_along(direction)] : 0.0;
}

Vector3d ConvexCore::support(const Vector3d& direction) const {
    switch (kind_) {
        case Kind::balls: {
            const double length = direction.norm();
            const std::size_t end = end_along(direction);
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
    // Everything given goes into the sizes or the middles, and what is not finite stays in a sum.
    if (!(std::abs(size + v.sum()) < std::numeric_limits<double>::infinity())) return infinitely_far();
    if (v.squaredNorm() == 0.0) v = Vector3d::UnitX();
    simplex.points[0] = support(a, b, -v);
    simplex.count = 1;
    bool overlap = false;
    constexpr int kMaxIterations = 64;
    double best2 = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
        overlap = reduce(simplex);
        if (overlap) break;
        v = simplex.nearest();
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
        simplex.push(point);
    }
    if (!overlap) return pair_at(simplex, v);

    Vector3d flat_normal = Vector3d::UnitY();
    if (simplex.count == 4 || grow_to_tetrahedron(simplex, a, b, size, flat_normal)) {
        ExpandingPolytope polytope(size, 1e-7 * size);
        if (polytope.start(simplex.points))
            return polytope.expand(
                [&](const Vector3d& direction) { return support(a, b, direction); },
                [&](const Vector3d& direction) { return a.radius(direction) + b.radius(-direction); });
    }
    ConvexPair pair;
    pair.distance = 0.0;
    pair.normal = flat_normal;
    pair.on_a = pair.on_b = pair_at(simplex, flat_normal).on_a;
    return pair;
}

}  // namespace glovebox::collision
