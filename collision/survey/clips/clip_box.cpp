#include "collision/survey/clips/clip_box.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

namespace glovebox::collision::clips {
namespace {

// A chord shorter than a nanometre has no reliable direction.
constexpr double kNoChord_m = 1e-9;
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

Eigen::Vector2d left_of(const Eigen::Vector2d& axis) {
    return {-axis.y(), axis.x()};
}

Range unbounded() {
    return {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
}

void include(Range& range, double low, double high) {
    range.low = std::min(range.low, low);
    range.high = std::max(range.high, high);
}

// The rounding error of a fit is a few units in the last place; without this padding a box could lose its own samples.
double padding(double largest_coordinate, double size) {
    return 16.0 * kEpsilon * (largest_coordinate + size);
}

Eigen::Vector2d statistics_axis(std::span<const ClipSample> samples) {
    Eigen::Vector2d mean = Eigen::Vector2d::Zero();
    for (const ClipSample& s : samples) mean += s.center_m;
    mean /= static_cast<double>(samples.size());
    double xx = 0.0, xy = 0.0, yy = 0.0;
    for (const ClipSample& s : samples) {
        const Eigen::Vector2d d = s.center_m - mean;
        xx += d.x() * d.x();
        xy += d.x() * d.y();
        yy += d.y() * d.y();
    }
    // Main axis of a symmetric 2 x 2 matrix: tan(2 theta) = 2 xy / (xx - yy). atan2(0, 0) = 0 gives the x axis.
    const double theta = 0.5 * std::atan2(2.0 * xy, xx - yy);
    return {std::cos(theta), std::sin(theta)};
}

Eigen::Vector2d flat_axis(std::span<const ClipSample> samples, AxisRule rule) {
    const Eigen::Vector2d chord = samples.back().center_m - samples.front().center_m;
    const double length_m = chord.norm();
    if (rule == AxisRule::statistics || length_m < kNoChord_m) return statistics_axis(samples);
    return chord / length_m;
}

// Returns the main axis of the centres in space-time, pointing forward in time.
Eigen::Vector3d tilted_statistics_axis(std::span<const ClipSample> samples, double step_t) {
    const auto n = static_cast<double>(samples.size());
    Eigen::Vector3d mean = Eigen::Vector3d::Zero();
    for (std::size_t i = 0; i < samples.size(); ++i)
        mean += Eigen::Vector3d(samples[i].center_m.x(), samples[i].center_m.y(), static_cast<double>(i) * step_t);
    mean /= n;
    Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const Eigen::Vector3d d =
            Eigen::Vector3d(samples[i].center_m.x(), samples[i].center_m.y(), static_cast<double>(i) * step_t) - mean;
        covariance += d * d.transpose();
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(covariance);
    const Eigen::Vector3d axis = solver.eigenvectors().col(2);
    return axis.z() < 0.0 ? Eigen::Vector3d(-axis) : axis;
}

}  // namespace

FlatBox fit_flat(std::span<const ClipSample> samples, AxisRule rule) {
    const Eigen::Vector2d a0 = flat_axis(samples, rule);
    const Eigen::Vector2d a1 = left_of(a0);
    Range along = unbounded(), across = unbounded();
    double largest_m = 0.0;
    for (const ClipSample& s : samples) {
        const double l0 = a0.dot(s.center_m), l1 = a1.dot(s.center_m);
        include(along, l0 - s.radius_m, l0 + s.radius_m);
        include(across, l1 - s.radius_m, l1 + s.radius_m);
        largest_m = std::max(largest_m, s.center_m.cwiseAbs().maxCoeff() + s.radius_m);
    }
    const Eigen::Vector2d center_local(0.5 * (along.high + along.low), 0.5 * (across.high + across.low));
    const Eigen::Vector2d half(0.5 * (along.high - along.low), 0.5 * (across.high - across.low));
    const double pad_m = padding(largest_m, half.sum());
    return {a0 * center_local.x() + a1 * center_local.y(), a0, half.array() + pad_m};
}

Range cylinder_range(const ClipSample& sample, double begin_t, double lasts_t, const Eigen::Vector3d& axis) {
    const double foot = axis.head<2>().dot(sample.center_m) + axis.z() * begin_t;
    const double disc = sample.radius_m * axis.head<2>().norm();
    const double rise = axis.z() * lasts_t;
    return {foot - disc + std::min(0.0, rise), foot + disc + std::max(0.0, rise)};
}

bool fit_tilted(std::span<const ClipSample> samples, double dt_s, std::int64_t first_sample, double time_scale,
                AxisRule rule, TiltedBox& box) {
    const double step_t = dt_s * time_scale;
    Eigen::Vector3d a0;
    if (rule == AxisRule::statistics) {
        a0 = tilted_statistics_axis(samples, step_t);
    } else {
        a0.head<2>() = samples.back().center_m - samples.front().center_m;
        a0.z() = static_cast<double>(samples.size() - 1) * step_t;
    }
    const double flat_length = a0.head<2>().norm();
    if (samples.size() == 1 || flat_length < kNoChord_m) return false;

    // a1 = t x a0, so that a2 = a0 x a1 points forward in time. The published formulas do not say which of the two
    // perpendiculars a1 is, and are correct for this one only.
    box.axes.col(0) = a0.normalized();
    box.axes.col(1) = Eigen::Vector3d(-a0.y(), a0.x(), 0.0) / flat_length;
    box.axes.col(2) = box.axes.col(0).cross(box.axes.col(1));

    std::array<Range, 3> ranges = {unbounded(), unbounded(), unbounded()};
    double largest = 0.0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const double begin_t = static_cast<double>(first_sample + static_cast<std::int64_t>(i)) * step_t;
        for (int k = 0; k < 3; ++k) {
            const Range r = cylinder_range(samples[i], begin_t, step_t, box.axes.col(k));
            include(ranges[static_cast<std::size_t>(k)], r.low, r.high);
        }
        largest =
            std::max({largest, samples[i].center_m.cwiseAbs().maxCoeff() + samples[i].radius_m, begin_t + step_t});
    }
    box.center.setZero();
    for (int k = 0; k < 3; ++k) {
        const Range& r = ranges[static_cast<std::size_t>(k)];
        box.center += box.axes.col(k) * (0.5 * (r.high + r.low));
        box.half[k] = 0.5 * (r.high - r.low);
    }
    box.half.array() += padding(largest, box.half.sum());
    return true;
}

TiltedBox upright(const FlatBox& box, double begin_t, double end_t) {
    TiltedBox out;
    const Eigen::Vector2d a1 = left_of(box.axis);
    out.center << box.center_m, 0.5 * (begin_t + end_t);
    out.axes << box.axis.x(), a1.x(), 0.0, box.axis.y(), a1.y(), 0.0, 0.0, 0.0, 1.0;
    out.half << box.half_m, 0.5 * (end_t - begin_t) + padding(std::abs(end_t), 0.0);
    return out;
}

FlatBox shadow(const TiltedBox& box) {
    FlatBox out;
    out.center_m = box.center.head<2>();
    out.axis = box.axes.col(0).head<2>().normalized();
    const Eigen::Vector2d a1 = left_of(out.axis);
    out.half_m.x() = (box.axes.topRows<2>().transpose() * out.axis).cwiseAbs().dot(box.half);
    out.half_m.y() = (box.axes.topRows<2>().transpose() * a1).cwiseAbs().dot(box.half);
    out.half_m.array() += padding(out.center_m.cwiseAbs().maxCoeff(), out.half_m.sum());
    return out;
}

FlatBox merge_flat(const FlatBox& a, const FlatBox& b, const Eigen::Vector2d& axis) {
    FlatBox out{Eigen::Vector2d::Zero(), axis, Eigen::Vector2d::Zero()};
    const Eigen::Vector2d other = left_of(axis);
    double largest_m = 0.0;
    for (int k = 0; k < 2; ++k) {
        const Eigen::Vector2d& u = k == 0 ? axis : other;
        Range range = unbounded();
        for (const FlatBox* box : {&a, &b}) {
            const double reach =
                box->half_m.x() * std::abs(u.dot(box->axis)) + box->half_m.y() * std::abs(u.dot(left_of(box->axis)));
            const double middle = u.dot(box->center_m);
            include(range, middle - reach, middle + reach);
            largest_m = std::max(largest_m, box->center_m.cwiseAbs().maxCoeff() + reach);
        }
        out.center_m += u * (0.5 * (range.high + range.low));
        out.half_m[k] = 0.5 * (range.high - range.low);
    }
    out.half_m.array() += padding(largest_m, out.half_m.sum());
    return out;
}

bool overlap(const FlatBox& a, const FlatBox& b, double slack_m) {
    const double tx = b.center_m.x() - a.center_m.x(), ty = b.center_m.y() - a.center_m.y();
    const double ax = a.axis.x(), ay = a.axis.y(), bx = b.axis.x(), by = b.axis.y();
    // a0.b0 = a1.b1 and a0.b1 = -a1.b0: two numbers give all four.
    const double c = std::abs(ax * bx + ay * by), s = std::abs(ax * by - ay * bx);
    const double a0 = a.half_m.x(), a1 = a.half_m.y(), b0 = b.half_m.x(), b1 = b.half_m.y();
    // All four axes without a branch between them: the separating one is unpredictable, and a misprediction costs more
    // than the other three.
    const double gap_a0 = std::abs(ax * tx + ay * ty) - (a0 + b0 * c + b1 * s);
    const double gap_a1 = std::abs(ax * ty - ay * tx) - (a1 + b0 * s + b1 * c);
    const double gap_b0 = std::abs(bx * tx + by * ty) - (b0 + a0 * c + a1 * s);
    const double gap_b1 = std::abs(bx * ty - by * tx) - (b1 + a0 * s + a1 * c);
    return !(std::max(std::max(gap_a0, gap_a1), std::max(gap_b0, gap_b1)) > slack_m);
}

bool overlap(const TiltedBox& a, const TiltedBox& b, double slack) {
    // [Gottschalk96]: in a's frame, r(i, j) = a_i . b_j. The cross axes of nearly parallel edges are dominated by
    // rounding; the small number added to |r| keeps them from reporting a separation.
    constexpr double kParallel = 1e-9;
    const Eigen::Matrix3d r = a.axes.transpose() * b.axes;
    const Eigen::Vector3d t = a.axes.transpose() * (b.center - a.center);
    const Eigen::Matrix3d q = r.cwiseAbs().array() + kParallel;

    for (int i = 0; i < 3; ++i)
        if (std::abs(t[i]) > a.half[i] + q.row(i).dot(b.half) + slack) return false;
    for (int j = 0; j < 3; ++j)
        if (std::abs(r.col(j).dot(t)) > q.col(j).dot(a.half) + b.half[j] + slack) return false;
    for (int i = 0; i < 3; ++i) {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; ++j) {
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            const double reach =
                a.half[i1] * q(i2, j) + a.half[i2] * q(i1, j) + b.half[j1] * q(i, j2) + b.half[j2] * q(i, j1);
            if (std::abs(t[i2] * r(i1, j) - t[i1] * r(i2, j)) > reach + slack) return false;
        }
    }
    return true;
}

FlatBox transformed(const Eigen::Matrix2d& rotation, const Eigen::Vector2d& offset_m, const FlatBox& box) {
    return {rotation * box.center_m + offset_m, rotation * box.axis, box.half_m};
}

TiltedBox transformed(const Eigen::Matrix2d& rotation, const Eigen::Vector3d& offset, const TiltedBox& box) {
    TiltedBox out = box;
    out.center.head<2>() = rotation * box.center.head<2>();
    out.center += offset;
    out.axes.topRows<2>() = rotation * box.axes.topRows<2>();
    return out;
}

}  // namespace glovebox::collision::clips
