#include "collision/query/convex.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collision/box/convex_hull.h"

namespace glovebox::collision {
namespace {

using Eigen::Vector3d;

SupportPoint support(const ConvexCore& a, const ConvexCore& b, const Vector3d& direction) {
    SupportPoint point;
    point.a = a.support(direction, point.corner_a);
    point.w = point.a - b.support(-direction, point.corner_b);
    return point;
}

void remember(const ConvexCore& a, const ConvexCore& b, const Simplex& simplex, int count, ConvexMemory& memory) {
    memory.count = b.has_balls() ? 0 : count;
    for (std::size_t i = 0; i < static_cast<std::size_t>(memory.count); ++i) {
        const SupportPoint& point = simplex.points[i];
        memory.corners_a[i] = point.corner_a;
        memory.corners_b[i] = point.corner_b;
        memory.along_a[i] = a.along_of(point.corner_a, point.a);
    }
}

// Restores the corners of the last result in the new pose, as far as these cores have them.
void recall(const ConvexCore& a, const ConvexCore& b, const ConvexMemory& memory, Simplex& simplex) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(std::clamp(memory.count, 0, 4)); ++i) {
        SupportPoint point;
        point.corner_a = memory.corners_a[i];
        point.corner_b = memory.corners_b[i];
        Vector3d on_b;
        if (!a.corner(point.corner_a, memory.along_a[i], point.a) || !b.corner(point.corner_b, Vector3d::Zero(), on_b))
            continue;
        point.w = point.a - on_b;
        bool is_new = true;
        for (int k = 0; k < simplex.count; ++k) is_new = is_new && simplex.w(k) != point.w;
        if (is_new) simplex.push(point);
    }
}

// Grows a simplex that contains the origin (or has it on its border) to a tetrahedron. Returns false if the difference
// is flat; `flat_normal` is then perpendicular to it.
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

Vector3d ConvexCore::support(const Vector3d& direction, std::int32_t& corner) const {
    switch (kind_) {
        case Kind::balls: {
            const double length = direction.norm();
            const std::size_t end = end_along(direction);
            corner = static_cast<std::int32_t>(end);
            return points_[end] + (length > 0.0 ? radii_[end] / length : 0.0) * direction;
        }
        case Kind::box: {
            Vector3d point = middle_;
            corner = 0;
            for (int i = 0; i < 3; ++i) {
                const bool up = axes_.col(i).dot(direction) >= 0.0;
                point += up ? axes_.col(i) : Vector3d(-axes_.col(i));
                corner |= up ? 1 << i : 0;
            }
            return point;
        }
        case Kind::triangle: {
            std::size_t best = 0;
            for (std::size_t i = 1; i < 3; ++i)
                if (points_[i].dot(direction) > points_[best].dot(direction)) best = i;
            corner = static_cast<std::int32_t>(best);
            return points_[best];
        }
        case Kind::hull:
            break;
    }
    const Vector3d local = axes_.transpose() * direction;
    corner = furthest_corner(*hull_, local.cast<float>());
    return origin_ + axes_ * hull_->corners_m()[static_cast<std::size_t>(corner)].cast<double>();
}

bool ConvexCore::corner(std::int32_t corner, const Vector3d& along, Vector3d& point) const {
    const auto number = static_cast<std::size_t>(corner);
    switch (kind_) {
        case Kind::balls:
            if (number > 1) return false;
            point = points_[number] + radii_[number] * along;
            return true;
        case Kind::box:
            if (number > 7) return false;
            point = middle_;
            for (int i = 0; i < 3; ++i) point += (number >> i & 1U) != 0 ? axes_.col(i) : Vector3d(-axes_.col(i));
            return true;
        case Kind::triangle:
            if (number > 2) return false;
            point = points_[number];
            return true;
        case Kind::hull:
            break;
    }
    if (number >= hull_->corners_m().size()) return false;
    point = origin_ + axes_ * hull_->corners_m()[number].cast<double>();
    return true;
}

Vector3d ConvexCore::along_of(std::int32_t corner, const Vector3d& point) const {
    const double radius = kind_ == Kind::balls ? radii_[static_cast<std::size_t>(corner)] : 0.0;
    if (!(radius > 0.0)) return Vector3d::Zero();
    return (point - points_[static_cast<std::size_t>(corner)]) / radius;
}

ConvexPair closest(const ConvexCore& a, const ConvexCore& b) {
    ConvexMemory none;
    return closest(a, b, none);
}

ConvexPair closest(const ConvexCore& a, const ConvexCore& b, ConvexMemory& memory) {
    const double size = a.size() + b.size() + std::numeric_limits<double>::min();
    Simplex simplex;
    Vector3d v = a.middle() - b.middle();
    // All inputs are part of the sizes or the centres, and a value that is not finite makes a sum so.
    if (!(std::abs(size + v.sum()) < std::numeric_limits<double>::infinity())) return infinitely_far();
    if (v.squaredNorm() == 0.0) v = Vector3d::UnitX();
    recall(a, b, memory, simplex);
    const bool was_remembered = simplex.count > 0;
    memory.count = 0;
    if (simplex.count == 0) simplex.push(support(a, b, -v));
    const auto found = [&] {
        remember(a, b, simplex, simplex.count, memory);
        return pair_at(simplex, v);
    };
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
        if (distance2 >= best2) return found();  // rounding: no more progress is possible
        best2 = distance2;
        const SupportPoint point = support(a, b, -v);
        if (distance2 - v.dot(point.w) <= 1e-12 * distance2 + 1e-15 * size * std::sqrt(distance2)) return found();
        for (std::size_t i = 0; i < static_cast<std::size_t>(simplex.count); ++i)
            if (simplex.points[i].w == point.w) return found();
        simplex.push(point);
    }
    if (!overlap) return found();

    Vector3d flat_normal = Vector3d::UnitY();
    if (simplex.count == 4 || grow_to_tetrahedron(simplex, a, b, size, flat_normal)) {
        ExpandingPolytope polytope(size, 1e-7 * size);
        if (polytope.start(simplex.points)) {
            const ConvexPair pair =
                polytope.expand([&](const Vector3d& direction) { return support(a, b, direction); },
                                [&](const Vector3d& direction) { return a.radius(direction) + b.radius(-direction); });
            if (polytope.tetrahedron(simplex.points)) remember(a, b, simplex, 4, memory);
            return pair;
        }
    }
    // A start without memory may find a better simplex.
    if (was_remembered) return closest(a, b);
    ConvexPair pair;
    pair.distance = 0.0;
    pair.normal = flat_normal;
    pair.on_a = pair.on_b = pair_at(simplex, flat_normal).on_a;
    return pair;
}

}  // namespace glovebox::collision
