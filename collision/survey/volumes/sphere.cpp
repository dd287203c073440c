#include "collision/survey/volumes/sphere.h"

#include <algorithm>
#include <cmath>

namespace glovebox::collision {
namespace {

/// Grows the sphere just enough, point by point; its far side stays in place.
void grow(Eigen::Vector3d& center, double& radius, std::span<const Eigen::Vector3f> points) {
    for (const Eigen::Vector3f& point : points) {
        const Eigen::Vector3d to_point = point.cast<double>() - center;
        const double distance = to_point.norm();
        if (distance <= radius) continue;
        const double grown = 0.5 * (radius + distance);
        center += to_point * ((grown - radius) / distance);
        radius = grown;
    }
}

}  // namespace

BoundingSphere SphereVolume::fit(std::span<const Eigen::Vector3f> points) {
    // Ritter: starts from the two points that are farthest apart along the axis of the widest spread.
    std::size_t low = 0, high = 0;
    double widest = -1.0;
    for (int axis = 0; axis < 3; ++axis) {
        const auto by_axis = [&](const auto& p, const auto& q) { return p[axis] < q[axis]; };
        const auto [first, last] = std::minmax_element(points.begin(), points.end(), by_axis);
        const double spread = (last->cast<double>() - first->cast<double>()).norm();
        if (spread <= widest) continue;
        widest = spread;
        low = static_cast<std::size_t>(first - points.begin());
        high = static_cast<std::size_t>(last - points.begin());
    }
    Eigen::Vector3d center = 0.5 * (points[low].cast<double>() + points[high].cast<double>());
    double radius = 0.5 * widest;
    grow(center, radius, points);

    Eigen::Vector3d trial = center;
    double trial_radius = radius;
    for (int round = 0; round < 8; ++round) {
        trial_radius *= 0.95;
        grow(trial, trial_radius, points);
        if (trial_radius < radius) center = trial, radius = trial_radius;
    }

    // The radius relative to the rounded center.
    BoundingSphere sphere{center.cast<float>(), 0.0F};
    double farthest2 = 0.0;
    for (const Eigen::Vector3f& point : points)
        farthest2 = std::max(farthest2, (point.cast<double>() - sphere.center_m.cast<double>()).squaredNorm());
    const auto reach = static_cast<float>(std::sqrt(farthest2));
    sphere.radius_m = reach + padding_m(sphere.center_m.cwiseAbs().maxCoeff() + reach);
    return sphere;
}

BoundingSphere SphereVolume::merge(const BoundingSphere& a, const BoundingSphere& b) {
    const Eigen::Vector3f a_to_b = b.center_m - a.center_m;
    // In double, so that rounding does not make one sphere seem to contain the other.
    const double exact_m = (b.center_m.cast<double>() - a.center_m.cast<double>()).norm();
    if (exact_m + double{b.radius_m} <= double{a.radius_m}) return a;
    if (exact_m + double{a.radius_m} <= double{b.radius_m}) return b;
    const auto distance_m = static_cast<float>(exact_m);
    const float radius_m = 0.5F * (distance_m + a.radius_m + b.radius_m);
    const Eigen::Vector3f center_m = a.center_m + a_to_b * ((radius_m - a.radius_m) / distance_m);
    return {center_m, radius_m + padding_m(center_m.cwiseAbs().maxCoeff() + radius_m)};
}

}  // namespace glovebox::collision
