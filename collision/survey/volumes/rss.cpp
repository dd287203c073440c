#include "collision/survey/volumes/rss.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>

namespace glovebox::collision {
namespace {

using Corners = std::array<Eigen::Vector3f, 4>;

/// Counter-clockwise.
Corners corners_of(const Rss& rss) {
    const Eigen::Vector3f x_m = rss.axes.col(0) * rss.half_m.x(), y_m = rss.axes.col(1) * rss.half_m.y();
    return {rss.center_m - x_m - y_m, rss.center_m + x_m - y_m, rss.center_m + x_m + y_m, rss.center_m - x_m + y_m};
}

/// Returns the principal axes of the points, widest first.
Eigen::Matrix3f spread_axes(std::span<const Eigen::Vector3f> points) {
    Eigen::Vector3d mean = Eigen::Vector3d::Zero();
    for (const auto& point : points) mean += point.cast<double>() / static_cast<double>(points.size());
    Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();
    for (const auto& point : points) {
        const Eigen::Vector3d d = point.cast<double>() - mean;
        covariance += d * d.transpose();
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(covariance);
    Eigen::Matrix3d axes;
    axes << solver.eigenvectors().col(2), solver.eigenvectors().col(1),
        solver.eigenvectors().col(2).cross(solver.eigenvectors().col(1));
    return axes.cast<float>();
}

/// Enlarges the radius until every ball (point, ball radius) is contained. Rectangles are convex, so corners represent
/// them.
void hold(Rss& rss, std::span<const Eigen::Vector3f> points, std::span<const float> ball_radii_m) {
    float largest_m = 0.0F;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const float ball_m = ball_radii_m.empty() ? 0.0F : ball_radii_m[i];
        rss.radius_m = std::max(rss.radius_m, distance_to_rectangle_m(rss, points[i]) + ball_m);
        largest_m = std::max(largest_m, points[i].cwiseAbs().sum() + ball_m);
    }
    rss.radius_m += padding_m(largest_m);
}

float segment_distance2(const Eigen::Vector3f& a0, const Eigen::Vector3f& a1, const Eigen::Vector3f& b0,
                        const Eigen::Vector3f& b1) {
    // Sets the gradient of |r + s d1 - t d2|^2 to zero, then clamps to both segments [Ericson05, sec. 5.1.9]. Nearly
    // parallel sides are common; there a c - b^2 instead of the cross product would lose all its digits.
    const Eigen::Vector3f d1 = a1 - a0, d2 = b1 - b0, r = a0 - b0, across = d1.cross(d2);
    const float a = d1.squaredNorm(), e = d2.squaredNorm(), f = d2.dot(r), c = d1.dot(r), b = d1.dot(d2);
    const float across2 = across.squaredNorm();
    float s = across2 > 1e-12F * a * e ? std::clamp(d2.cross(r).dot(across) / across2, 0.0F, 1.0F) : 0.0F;
    float t = e > 0.0F ? (b * s + f) / e : 0.0F;
    if (t < 0.0F || t > 1.0F) {
        t = std::clamp(t, 0.0F, 1.0F);
        s = a > 0.0F ? std::clamp((b * t - c) / a, 0.0F, 1.0F) : 0.0F;
    }
    return (r + s * d1 - t * d2).squaredNorm();
}

/// True if a side of `a` passes through the rectangle of `b`.
bool pierces(const Corners& a, const Rss& b) {
    for (std::size_t i = 0; i < 4; ++i) {
        const Eigen::Vector3f p = b.axes.transpose() * (a[i] - b.center_m),
                              q = b.axes.transpose() * (a[(i + 1) % 4] - b.center_m);
        if (p.z() * q.z() > 0.0F || p.z() == q.z()) continue;
        const Eigen::Vector3f at = p + (q - p) * (p.z() / (p.z() - q.z()));
        if (std::abs(at.x()) <= b.half_m.x() && std::abs(at.y()) <= b.half_m.y()) return true;
    }
    return false;
}

}  // namespace

float distance_to_rectangle_m(const Rss& rss, const Eigen::Vector3f& point_m) {
    const Eigen::Vector3f local_m = rss.axes.transpose() * (point_m - rss.center_m);
    const float x_m = std::max(0.0F, std::abs(local_m.x()) - rss.half_m.x());
    const float y_m = std::max(0.0F, std::abs(local_m.y()) - rss.half_m.y());
    return std::sqrt(x_m * x_m + y_m * y_m + local_m.z() * local_m.z());
}

Rss RssVolume::fit(std::span<const Eigen::Vector3f> points) {
    Rss rss;
    rss.axes = spread_axes(points);
    Eigen::Vector3f low_m = rss.axes.transpose() * points[0], high_m = low_m;
    for (const auto& point : points) {
        const Eigen::Vector3f local_m = rss.axes.transpose() * point;
        low_m = low_m.cwiseMin(local_m);
        high_m = high_m.cwiseMax(local_m);
    }
    const Eigen::Vector3f middle_m = 0.5F * (low_m + high_m);
    rss.radius_m = 0.5F * (high_m.z() - low_m.z());
    // The rounded rim extends sqrt(r^2 - z^2) beyond the rectangle at height z, so the rectangle may end that far
    // before each point. If even the whole spread is shorter than the rim, the rectangle shrinks to its middle.
    Eigen::Vector2f inner_low_m = high_m.head<2>(), inner_high_m = low_m.head<2>();
    for (const auto& point : points) {
        const Eigen::Vector3f local_m = rss.axes.transpose() * point;
        const float z_m = local_m.z() - middle_m.z();
        const float rim_m = std::sqrt(std::max(0.0F, rss.radius_m * rss.radius_m - z_m * z_m));
        inner_low_m = inner_low_m.cwiseMin((local_m.head<2>().array() + rim_m).matrix());
        inner_high_m = inner_high_m.cwiseMax((local_m.head<2>().array() - rim_m).matrix());
    }
    const Eigen::Vector2f inner_middle_m = 0.5F * (inner_low_m + inner_high_m);
    rss.half_m = (0.5F * (inner_high_m - inner_low_m)).cwiseMax(0.0F);
    rss.center_m = rss.axes * Eigen::Vector3f(inner_middle_m.x(), inner_middle_m.y(), middle_m.z());
    hold(rss, points, {});
    return rss;
}

Rss RssVolume::merge(const Rss& a, const Rss& b) {
    std::array<Eigen::Vector3f, 8> points;
    std::array<float, 8> radii_m{};
    const Corners of_a = corners_of(a), of_b = corners_of(b);
    for (std::size_t i = 0; i < 4; ++i) {
        points[i] = of_a[i], radii_m[i] = a.radius_m;
        points[i + 4] = of_b[i], radii_m[i + 4] = b.radius_m;
    }
    Rss rss = fit(points);
    rss.radius_m = 0.0F;
    hold(rss, points, radii_m);
    return rss;
}

bool RssVolume::overlap(const Rss& a, const Rss& b) {
    const Eigen::Vector3f a_to_b_m = b.center_m - a.center_m;
    const float reach_m = a.radius_m + b.radius_m;
    const Eigen::Matrix3f along = (a.axes.transpose() * b.axes).cwiseAbs();
    for (int i = 0; i < 3; ++i) {
        const float half_a_m = i < 2 ? a.half_m[i] : 0.0F, half_b_m = i < 2 ? b.half_m[i] : 0.0F;
        const float of_b_m = along(i, 0) * b.half_m[0] + along(i, 1) * b.half_m[1];
        const float of_a_m = along(0, i) * a.half_m[0] + along(1, i) * a.half_m[1];
        if (std::abs(a.axes.col(i).dot(a_to_b_m)) > half_a_m + of_b_m + reach_m) return false;
        if (std::abs(b.axes.col(i).dot(a_to_b_m)) > half_b_m + of_a_m + reach_m) return false;
    }
    return distance_m(a, b) <= 0.0F;
}

float RssVolume::distance_m(const Rss& a, const Rss& b) {
    const float reach_m = a.radius_m + b.radius_m;
    const Corners of_a = corners_of(a), of_b = corners_of(b);
    if (pierces(of_a, b) || pierces(of_b, a)) return 0.0F;
    float nearest2 = std::numeric_limits<float>::infinity();
    for (const auto& corner : of_a) {
        const float d = distance_to_rectangle_m(b, corner);
        nearest2 = std::min(nearest2, d * d);
    }
    for (const auto& corner : of_b) {
        const float d = distance_to_rectangle_m(a, corner);
        nearest2 = std::min(nearest2, d * d);
    }
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j)
            nearest2 = std::min(nearest2, segment_distance2(of_a[i], of_a[(i + 1) % 4], of_b[j], of_b[(j + 1) % 4]));
    return std::max(0.0F, std::sqrt(nearest2) - reach_m);
}

}  // namespace glovebox::collision
