#include "collision/query/bone.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace glovebox::collision {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// True if a sum that includes all inputs is finite: a value that is not finite makes the sum so.
bool is_finite(double sum) {
    return std::abs(sum) < std::numeric_limits<double>::infinity();
}

Vector3d at(const RoundSegment& segment, double s) {
    return segment.a + s * (segment.b - segment.a);
}
double radius_at(const RoundSegment& segment, double s) {
    return segment.radius_a + s * (segment.radius_b - segment.radius_a);
}

// Returns the minimiser over [0, 1] of |point - axis(s)| - radius(s); see stationary() of triangle.cpp for the
// derivation.
double nearest_on_cone(const Vector3d& point, const RoundSegment& cone) {
    const Vector3d u = cone.b - cone.a, w = cone.a - point;
    const double k = cone.radius_b - cone.radius_a, a = u.squaredNorm();
    if (!(a > k * k)) return k > 0.0 ? 1.0 : 0.0;
    const double along = -u.dot(w) / a;
    const double d = u.cross(w).squaredNorm() / a;
    return std::clamp(along + (k == 0.0 ? 0.0 : k * std::sqrt(d / (a * (a - k * k)))), 0.0, 1.0);
}

// Returns the parameter on the axis of b at which two cones are nearest.
double nearest_of_cones(const RoundSegment& a, const RoundSegment& b) {
    // g(t) = min over s of |a(s) - b(t)| - ra(s) - rb(t) is convex: golden section.
    const auto gap = [&](double at_t) {
        const Vector3d point = at(b, at_t);
        const double at_s = nearest_on_cone(point, a);
        return (point - at(a, at_s)).norm() - radius_at(a, at_s) - radius_at(b, at_t);
    };
    constexpr double kGolden = 0.6180339887498949;
    double low = 0.0, high = 1.0, t1 = 1.0 - kGolden, t2 = kGolden, g1 = gap(t1), g2 = gap(t2);
    for (int i = 0; i < 44; ++i) {
        if (g1 <= g2) {
            high = t2;
            t2 = t1;
            g2 = g1;
            t1 = high - kGolden * (high - low);
            g1 = gap(t1);
        } else {
            low = t1;
            t1 = t2;
            g1 = g2;
            t2 = low + kGolden * (high - low);
            g2 = gap(t2);
        }
    }
    double t = 0.5 * (low + high);
    for (const double end : {0.0, 1.0})
        if (gap(end) <= gap(t)) t = end;
    return t;
}

ConvexPair from_points(const Vector3d& core_a, double radius_a, const Vector3d& core_b, double radius_b,
                       const Vector3d& normal_if_equal) {
    ConvexPair pair;
    const Vector3d between = core_b - core_a;
    const double distance = between.norm();
    pair.normal = distance > 0.0 ? Vector3d(between / distance) : normal_if_equal;
    pair.distance = distance - radius_a - radius_b;
    pair.on_a = core_a + radius_a * pair.normal;
    pair.on_b = core_b - radius_b * pair.normal;
    return pair;
}

Vector3d normal_of_crossing(const RoundSegment& a, const RoundSegment& b) {
    const Vector3d u = a.b - a.a, v = b.b - b.a;
    const Vector3d across = u.cross(v);
    if (across.squaredNorm() > 1e-24 * u.squaredNorm() * v.squaredNorm()) return across.normalized();
    const Vector3d& along = u.squaredNorm() > v.squaredNorm() ? u : v;
    return along.squaredNorm() > 0.0 ? Vector3d(along.unitOrthogonal()) : Vector3d(Vector3d::UnitY());
}

// ---- round cone against box, in the box's frame

struct InBox {
    RoundSegment cone;
    Vector3d half;

    double outside2(double s) const { return (at(cone, s).cwiseAbs() - half).cwiseMax(0.0).squaredNorm(); }
};

// Computes the part of the axis inside the box; returns false if there is none.
bool clip(const InBox& pair, double& s0, double& s1) {
    s0 = 0.0;
    s1 = 1.0;
    const Vector3d u = pair.cone.b - pair.cone.a;
    for (int i = 0; i < 3; ++i) {
        const double from = pair.cone.a[i], h = pair.half[i];
        if (u[i] == 0.0) {
            if (std::abs(from) > h) return false;
            continue;
        }
        const double enter = ((u[i] > 0.0 ? -h : h) - from) / u[i], leave = ((u[i] > 0.0 ? h : -h) - from) / u[i];
        s0 = std::max(s0, enter);
        s1 = std::min(s1, leave);
    }
    return s0 <= s1;
}

double nearest_apart(const InBox& pair) {
    const Vector3d u = pair.cone.b - pair.cone.a;
    const double k = pair.cone.radius_b - pair.cone.radius_a;
    std::array<double, 8> breaks{};
    std::size_t count = 0;
    breaks[count++] = 0.0;
    for (int i = 0; i < 3; ++i)
        for (const double side : {-pair.half[i], pair.half[i]}) {
            if (u[i] == 0.0) continue;
            const double s = (side - pair.cone.a[i]) / u[i];
            if (s > 0.0 && s < 1.0) breaks[count++] = s;
        }
    for (std::size_t i = 2; i < count; ++i)  // at most six: insertion sort
        for (std::size_t j = i; j > 1 && breaks[j] < breaks[j - 1]; --j) std::swap(breaks[j], breaks[j - 1]);
    breaks[count++] = 1.0;

    double best_s = 0.0, best = std::numeric_limits<double>::infinity();
    const auto consider = [&](double s) {
        const double gap = std::sqrt(pair.outside2(s)) - radius_at(pair.cone, s);
        if (gap < best) {
            best = gap;
            best_s = s;
        }
    };
    for (std::size_t i = 0; i < count; ++i) consider(breaks[i]);
    for (std::size_t i = 0; i + 1 < count; ++i) {
        // Within a piece the squared distance is A s^2 + 2 B s + C over the coordinates that are outside there.
        const Vector3d middle = at(pair.cone, 0.5 * (breaks[i] + breaks[i + 1]));
        double a = 0.0, b = 0.0, c = 0.0;
        for (int axis = 0; axis < 3; ++axis) {
            if (std::abs(middle[axis]) <= pair.half[axis]) continue;
            const double w = pair.cone.a[axis] - std::copysign(pair.half[axis], middle[axis]);
            a += u[axis] * u[axis];
            b += u[axis] * w;
            c += w * w;
        }
        if (!(a > k * k)) continue;
        const double d = std::max(0.0, c - b * b / a);
        const double s = -b / a + (k == 0.0 ? 0.0 : k * std::sqrt(d / (a * (a - k * k))));
        if (s > breaks[i] && s < breaks[i + 1]) consider(s);
    }
    return best_s;
}

// True if the axis is outside the box by more than the rounding error of its coordinates, so that the direction between
// them is meaningful.
bool is_outside(const InBox& pair, const Vector3d& between) {
    const double size2 = pair.cone.a.squaredNorm() + pair.cone.b.squaredNorm() + pair.half.squaredNorm();
    return between.squaredNorm() > 1e-24 * size2;
}

// The minimum translation: the minimum over unit n of delta(n) = support of the box along n - lowest point of the cone
// along n.
struct MinTranslation {
    double delta = std::numeric_limits<double>::infinity();
    Vector3d normal = Vector3d::UnitY();  // the direction in which the cone must move
    int edge_axis = -1;                   // -1: through a face
};

MinTranslation min_translation(const InBox& pair) {
    const RoundSegment& cone = pair.cone;
    MinTranslation best;
    const auto consider = [&](const Vector3d& normal, int edge_axis) {
        const double low = std::min(normal.dot(cone.a) - cone.radius_a, normal.dot(cone.b) - cone.radius_b);
        const double delta = normal.cwiseAbs().dot(pair.half) - low;
        if (delta < best.delta) best = {delta, normal, edge_axis};
    };
    for (int i = 0; i < 3; ++i) {
        consider(Vector3d::Unit(i), -1);
        consider(-Vector3d::Unit(i), -1);
    }
    // Normals perpendicular to a generator of the cone, n . (b - a) = rb - ra, and to a box edge, n . e_i = 0. At every
    // other minimum a corner or an edge of the box lies beneath a point of the axis along n. That point is then
    // outside, and nearest_apart() has found it.
    const Vector3d u = cone.b - cone.a;
    const double k = cone.radius_b - cone.radius_a;
    for (int i = 0; i < 3; ++i) {
        Vector3d w = u;
        w[i] = 0.0;
        const double length = w.norm();
        if (!(length > std::abs(k))) continue;
        w /= length;
        const Vector3d side = Vector3d::Unit(i).cross(w);
        const double cosine = k / length, sine = std::sqrt(std::max(0.0, 1.0 - cosine * cosine));
        consider(cosine * w + sine * side, i);
        consider(cosine * w - sine * side, i);
    }
    return best;
}

ConvexPair pair_of_translation(const InBox& pair, const MinTranslation& out) {
    const RoundSegment& cone = pair.cone;
    const Vector3d ga = cone.a - cone.radius_a * out.normal, gb = cone.b - cone.radius_b * out.normal;
    ConvexPair result;
    result.distance = -out.delta;
    result.normal = -out.normal;
    if (out.edge_axis < 0) {
        // The lower end; if the generator lies flat on the face, the middle of the part over the face.
        const double low_a = out.normal.dot(ga), low_b = out.normal.dot(gb);
        const double flat = 1e-9 * (pair.half.norm() + (gb - ga).norm());
        double s = low_a <= low_b ? 0.0 : 1.0;
        if (std::abs(low_a - low_b) <= flat) {
            double s0 = 0.0, s1 = 1.0;
            InBox generator{{ga, gb}, pair.half};
            for (int i = 0; i < 3; ++i)
                if (out.normal[i] != 0.0) generator.half[i] = std::numeric_limits<double>::infinity();
            if (clip(generator, s0, s1)) s = 0.5 * (s0 + s1);
        }
        result.on_a = ga + s * (gb - ga);
    } else {
        Vector3d corner = out.normal.cwiseSign().cwiseProduct(pair.half);
        const Vector3d edge = Vector3d::Unit(out.edge_axis) * pair.half[out.edge_axis];
        corner[out.edge_axis] = 0.0;
        const Vector3d shift = out.delta * out.normal;
        const SegmentParameters nearest =
            closest_segment_parameters(ga + shift, gb + shift, corner - edge, corner + edge);
        result.on_a = ga + nearest.s * (gb - ga);
    }
    result.on_b = result.on_a + out.delta * out.normal;
    return result;
}

ConvexPair in_target(const ConvexPair& pair, const Matrix3d& axes, const Vector3d& center) {
    return {pair.distance, axes * pair.normal, axes * pair.on_a + center, axes * pair.on_b + center};
}

}  // namespace

RoundSegment round_segment(const RoundCone& cone) {
    return {cone.a_m.cast<double>(), cone.b_m.cast<double>(), double{cone.radius_a_m}, double{cone.radius_b_m}};
}

ConvexPair closest(const RoundSegment& a, const RoundSegment& b) {
    if (!is_finite((a.a + a.b + b.a + b.b).sum() + (a.radius_a + a.radius_b + b.radius_a + b.radius_b)))
        return infinitely_far();
    const double ka = a.radius_b - a.radius_a, kb = b.radius_b - b.radius_a;
    double s = 0.0, t = 0.0;
    if ((b.b - b.a).squaredNorm() == 0.0) {
        t = kb > 0.0 ? 1.0 : 0.0;
        s = nearest_on_cone(b.a, a);
    } else if ((a.b - a.a).squaredNorm() == 0.0) {
        s = ka > 0.0 ? 1.0 : 0.0;
        t = nearest_on_cone(a.a, b);
    } else if (ka == 0.0 && kb == 0.0) {
        const SegmentParameters nearest = closest_segment_parameters(a.a, a.b, b.a, b.b);
        s = nearest.s;
        t = nearest.t;
    } else {
        t = nearest_of_cones(a, b);
        s = nearest_on_cone(at(b, t), a);
    }
    return from_points(at(a, s), radius_at(a, s), at(b, t), radius_at(b, t), normal_of_crossing(a, b));
}

double signed_distance(const Vector3d& point, const Obb& box, Vector3d& nearest) {
    const Matrix3d axes = box.axes.cast<double>();
    const Vector3d center = box.center_m.cast<double>(), half = box.half_m.cast<double>();
    const Vector3d local = axes.transpose() * (point - center);
    Vector3d on_surface = local.cwiseMax(-half).cwiseMin(half);
    const double outside = (local - on_surface).norm();
    double distance = outside;
    if (outside == 0.0) {
        int axis = 0;
        const Vector3d inside = half - local.cwiseAbs();
        distance = -inside.minCoeff(&axis);
        on_surface[axis] = std::copysign(half[axis], local[axis]);
    }
    nearest = axes * on_surface + center;
    return distance;
}

ConvexPair closest(const RoundSegment& a, const Obb& b) {
    const Matrix3d axes = b.axes.cast<double>();
    const Vector3d center = b.center_m.cast<double>();
    const InBox pair{{axes.transpose() * (a.a - center), axes.transpose() * (a.b - center), a.radius_a, a.radius_b},
                     b.half_m.cast<double>()};
    if (!is_finite((pair.cone.a + pair.cone.b + pair.half).sum() + (a.radius_a + a.radius_b))) return infinitely_far();
    // Extended from the unit sphere to the unit ball, delta(n) is convex, and least where r(s) - distance(s) is
    // greatest. If that point is outside the box, n is a unit vector, so this is the depth as well: that of the thick
    // end, if the axis runs inside.
    double s0 = 0.0, s1 = 1.0;
    const bool inside = clip(pair, s0, s1);
    if (!inside || (a.radius_b > a.radius_a ? s1 < 1.0 : a.radius_b < a.radius_a && s0 > 0.0)) {
        const double s = nearest_apart(pair);
        const Vector3d point = at(pair.cone, s);
        const Vector3d on_box = point.cwiseMax(-pair.half).cwiseMin(pair.half);
        if (is_outside(pair, point - on_box))
            return in_target(from_points(point, radius_at(pair.cone, s), on_box, 0.0, Vector3d::UnitY()), axes, center);
    }
    return in_target(pair_of_translation(pair, min_translation(pair)), axes, center);
}

ConvexPair rounded(ConvexPair cores, double radius_a, double radius_b) {
    cores.distance -= radius_a + radius_b;
    if (!is_finite(cores.distance)) return infinitely_far();
    cores.on_a += radius_a * cores.normal;
    cores.on_b -= radius_b * cores.normal;
    return cores;
}

ConvexPair swapped(const ConvexPair& pair) {
    return {pair.distance, -pair.normal, pair.on_b, pair.on_a};
}

ConvexPair closest(const RoundedBox& a, const RoundedBox& b) {
    return rounded(closest(ConvexCore(a.core), ConvexCore(b.core)), double{a.radius_m}, double{b.radius_m});
}

}  // namespace glovebox::collision
