#include "collision/survey/volumes/sphere_polygon.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace glovebox::collision {
namespace {

using Eigen::Vector3d;

/// Returns Newell's normal, whose length is twice the area; correct also if neighbouring corners coincide or are
/// collinear.
Vector3d area_normal(Polygon polygon) {
    Vector3d normal = Vector3d::Zero();
    for (std::size_t i = 0; i < polygon.size(); ++i)
        normal += (polygon[i] - polygon[0]).cross(polygon[(i + 1) % polygon.size()] - polygon[0]);
    return normal;
}

/// True if the point's projection along the normal is inside.
bool is_above(const Vector3d& point, Polygon polygon, const Vector3d& normal) {
    for (std::size_t i = 0; i < polygon.size(); ++i)
        if (normal.dot((polygon[(i + 1) % polygon.size()] - polygon[i]).cross(point - polygon[i])) < 0.0) return false;
    return true;
}

Vector3d closest_on_segment(const Vector3d& point, const Vector3d& from, const Vector3d& to) {
    const Vector3d along = to - from;
    const double length2 = along.squaredNorm();
    return from + (length2 > 0.0 ? std::clamp((point - from).dot(along) / length2, 0.0, 1.0) : 0.0) * along;
}

/// Returns the smaller root of a t^2 + 2 b t + c = 0, where the ray enters. Infinity if the ray does not enter, or
/// starts inside (c < 0): then another part of the solid gives the entry, if there is one.
double entry(double a, double b, double c) {
    const double discriminant = b * b - a * c;
    if (!(discriminant >= 0.0) || !(a > 0.0) || b >= 0.0 || c < 0.0) return std::numeric_limits<double>::infinity();
    return c / (-b + std::sqrt(discriminant));  // the stable form of (-b - sqrt) / a
}

}  // namespace

Vector3d closest_on_polygon(const Vector3d& point, Polygon polygon) {
    assert(!polygon.empty());
    const Vector3d normal = area_normal(polygon);
    const double normal2 = normal.squaredNorm();
    if (normal2 > 0.0 && is_above(point, polygon, normal))
        return point - normal * ((point - polygon[0]).dot(normal) / normal2);
    Vector3d nearest = polygon[0];
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Vector3d on_edge = closest_on_segment(point, polygon[i], polygon[(i + 1) % polygon.size()]);
        if ((on_edge - point).squaredNorm() < (nearest - point).squaredNorm()) nearest = on_edge;
    }
    return nearest;
}

bool sphere_overlaps(const Vector3d& center, double radius, Polygon polygon) {
    return (closest_on_polygon(center, polygon) - center).squaredNorm() <= radius * radius;
}

std::optional<SphereImpact> sweep_sphere(const Vector3d& center, double radius, const Vector3d& motion,
                                         Polygon polygon) {
    const Vector3d normal = area_normal(polygon);
    double time = std::numeric_limits<double>::infinity();
    if (sphere_overlaps(center, radius, polygon)) {
        time = 0.0;
    } else {
        // Faces: the plane shifted by the radius towards the center, reached within the polygon.
        const double length = normal.norm();
        if (length > 0.0) {
            const Vector3d n = normal / length * ((center - polygon[0]).dot(normal) < 0.0 ? -1.0 : 1.0);
            const double height = (center - polygon[0]).dot(n) - radius, speed = -motion.dot(n);
            if (speed > 0.0 && height >= 0.0 && is_above(center + motion * (height / speed), polygon, normal))
                time = height / speed;
        }
        for (std::size_t i = 0; i < polygon.size(); ++i) {
            // Corners: |m + t v|^2 = r^2.
            const Vector3d m = center - polygon[i];
            time = std::min(time, entry(motion.squaredNorm(), m.dot(motion), m.squaredNorm() - radius * radius));
            // Edges: the same across the edge d, within its length. [Ericson05, sec. 5.3.7]
            const Vector3d d = polygon[(i + 1) % polygon.size()] - polygon[i];
            const double d2 = d.squaredNorm();
            if (d2 == 0.0) continue;
            const Vector3d m_across = m - d * (m.dot(d) / d2), v_across = motion - d * (motion.dot(d) / d2);
            const double t =
                entry(v_across.squaredNorm(), m_across.dot(v_across), m_across.squaredNorm() - radius * radius);
            const double along = (m + t * motion).dot(d);
            if (t < time && along >= 0.0 && along <= d2) time = t;
        }
    }
    if (!(time <= 1.0)) return std::nullopt;
    const Vector3d at = center + time * motion, on_polygon = closest_on_polygon(at, polygon);
    Vector3d away = on_polygon - at;
    if (away.squaredNorm() < 1e-24) away = normal.dot(motion) < 0.0 ? -normal : normal;
    if (away.squaredNorm() == 0.0) away = motion;
    return SphereImpact{time, on_polygon, away.normalized()};
}

}  // namespace glovebox::collision
