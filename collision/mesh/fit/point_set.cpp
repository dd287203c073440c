#include "collision/mesh/fit/point_set.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "collision/mesh/fit/descent_body.h"
#include "collision/mesh/fit/point_set_kernels.h"

namespace glovebox::collision {
namespace kernels {
namespace {

float along(const float* axis, const Points& points, std::size_t i) {
    return axis[0] * points.x[i] + axis[1] * points.y[i] + axis[2] * points.z[i];
}

float along_fixed(int direction, float x, float y, float z) {
    switch (direction) {
        case 0:
            return x;
        case 1:
            return y;
        case 2:
            return z;
        case 3:
            return x + y + z;
        case 4:
            return x + y - z;
        case 5:
            return x - y + z;
        case 6:
            return x - y - z;
        case 7:
            return x + y;
        case 8:
            return x - y;
        case 9:
            return x + z;
        case 10:
            return x - z;
        case 11:
            return y + z;
        default:
            return y - z;
    }
}

}  // namespace

void ranges_scalar(const Points& points, const float* axes, float* low, float* high) {
    for (std::size_t k = 0; k < 3; ++k) {
        low[k] = 3.4e38F;
        high[k] = -3.4e38F;
        for (std::size_t i = 0; i < points.count; ++i) {
            const float p = along(axes + 3 * k, points, i);
            low[k] = std::min(low[k], p);
            high[k] = std::max(high[k], p);
        }
    }
}

void extremes_scalar(const Points& points, int directions, std::int32_t* lowest, std::int32_t* highest) {
    for (int k = 0; k < directions; ++k) {
        lowest[k] = highest[k] = 0;
        float low = 3.4e38F, high = -3.4e38F;
        for (std::size_t i = 0; i < points.count; ++i) {
            const float p = along_fixed(k, points.x[i], points.y[i], points.z[i]);
            if (p < low) {
                low = p;
                lowest[k] = static_cast<std::int32_t>(i);
            }
            if (p > high) {
                high = p;
                highest[k] = static_cast<std::int32_t>(i);
            }
        }
    }
}

void triangle_scalar(const Points& points, std::int32_t corners[3]) {
    const auto first_greatest = [&](const auto& value) {
        std::int32_t best = 0;
        for (std::size_t i = 1; i < points.count; ++i)
            if (value(i) > value(static_cast<std::size_t>(best))) best = static_cast<std::int32_t>(i);
        return best;
    };
    const auto offset = [&](std::size_t i, std::size_t from) {
        return Eigen::Vector3f(points.x[i] - points.x[from], points.y[i] - points.y[from],
                               points.z[i] - points.z[from]);
    };
    const auto length2 = [](const Eigen::Vector3f& v) { return v.x() * v.x() + v.y() * v.y() + v.z() * v.z(); };
    corners[0] = first_greatest([&](std::size_t i) { return length2(offset(i, 0)); });
    const auto a = static_cast<std::size_t>(corners[0]);
    corners[1] = first_greatest([&](std::size_t i) { return length2(offset(i, a)); });
    const Eigen::Vector3f edge = offset(static_cast<std::size_t>(corners[1]), a);
    corners[2] = first_greatest([&](std::size_t i) {
        const Eigen::Vector3f v = offset(i, a);
        return length2({edge.y() * v.z() - edge.z() * v.y(), edge.z() * v.x() - edge.x() * v.z(),
                        edge.x() * v.y() - edge.y() * v.x()});
    });
}

void descend_scalar(const Points& points, float* axes, const float* cosines, const float* sines, int steps,
                    float* scratch) {
    float* const p[3] = {scratch, scratch + points.count, scratch + 2 * points.count};
    float size[3];
    for (std::size_t k = 0; k < 3; ++k) {
        float low = 3.4e38F, high = -3.4e38F;
        for (std::size_t i = 0; i < points.count; ++i) {
            p[k][i] = along(axes + 3 * k, points, i);
            low = std::min(low, p[k][i]);
            high = std::max(high, p[k][i]);
        }
        size[k] = high - low;
    }
    const auto measure = [&](int step, TurnSizes& sizes) {
        const float c = cosines[step], s = sines[step];
        for (std::size_t k = 0; k < 3; ++k) {
            const float *u = p[(k + 1) % 3], *v = p[(k + 2) % 3];
            float low[4] = {3.4e38F, 3.4e38F, 3.4e38F, 3.4e38F}, high[4] = {-3.4e38F, -3.4e38F, -3.4e38F, -3.4e38F};
            for (std::size_t i = 0; i < points.count; ++i) {
                const float turned[4] = {c * u[i] + s * v[i], c * v[i] - s * u[i], c * u[i] - s * v[i],
                                         c * v[i] + s * u[i]};
                for (std::size_t m = 0; m < 4; ++m) {
                    low[m] = std::min(low[m], turned[m]);
                    high[m] = std::max(high[m], turned[m]);
                }
            }
            for (std::size_t back = 0; back < 2; ++back) {
                sizes.u[2 * k + back] = high[2 * back] - low[2 * back];
                sizes.v[2 * k + back] = high[2 * back + 1] - low[2 * back + 1];
            }
        }
    };
    const auto turn = [&](float* u, float* v, float c, float s) {
        for (std::size_t i = 0; i < points.count; ++i) {
            const float a = u[i], b = v[i];
            u[i] = c * a + s * b;
            v[i] = c * b - s * a;
        }
    };
    descend_on(p, axes, size, cosines, sines, steps, measure, turn);
}

}  // namespace kernels

namespace {

kernels::Points points_of(const PointSet& points) {
    assert(points.size() > 0);
    return {points.x(), points.y(), points.z(), points.padded_size(), points.size()};
}

// Rotations of 0.2 rad, halved from step to step.
struct Steps {
    static constexpr int kMax = 16;
    std::array<float, kMax> cosines, sines;
};
const Steps& steps() {
    static const Steps table = [] {
        Steps result;
        double step_rad = 0.2;
        for (std::size_t i = 0; i < Steps::kMax; ++i, step_rad *= 0.5) {
            result.cosines[i] = static_cast<float>(std::cos(step_rad));
            result.sines[i] = static_cast<float>(std::sin(step_rad));
        }
        return result;
    }();
    return table;
}
int step_count(double last_step_rad) {
    int count = 0;
    for (double step_rad = 0.2; step_rad >= last_step_rad && count < Steps::kMax; step_rad *= 0.5) ++count;
    return count;
}

// Orthonormalises a frame. Rotations in float keep it orthonormal only to about 1e-6, but boxes need better. So close
// to one, a Newton step x <- x (3 - x^2) / 2 replaces the square root.
Eigen::Matrix3f orthonormalised(const Eigen::Matrix3f& axes) {
    const auto unit = [](const Eigen::Vector3d& v) -> Eigen::Vector3d { return v * (1.5 - 0.5 * v.squaredNorm()); };
    Eigen::Matrix3d a = axes.cast<double>();
    a.col(0) = unit(a.col(0));
    a.col(1) = unit(a.col(1) - a.col(0) * a.col(0).dot(a.col(1)));
    a.col(2) = a.col(0).cross(a.col(1));
    return a.cast<float>();
}

template <class Descend>
Eigen::Matrix3f descend_with(const PointSet& points, const Eigen::Matrix3f& axes, double last_step_rad,
                             const Descend& run) {
    // Fitters of tree nodes pass a few dozen points; whole hulls have more.
    std::array<float, 3 * 64> little;
    std::vector<float> much;
    if (points.padded_size() > 64) much.resize(3 * points.padded_size());
    Eigen::Matrix3f turned = axes;
    run(points_of(points), turned.data(), steps().cosines.data(), steps().sines.data(), step_count(last_step_rad),
        much.empty() ? little.data() : much.data());
    return orthonormalised(turned);
}

}  // namespace

void PointSet::assign(std::span<const Eigen::Vector3f> points_m) {
    assert(!points_m.empty());
    size_ = points_m.size();
    origin_m_ = points_m.front();
    const std::size_t padded = (size_ + kBlock - 1) / kBlock * kBlock;
    x_.resize(padded);
    y_.resize(padded);
    z_.resize(padded);
    for (std::size_t i = 0; i < size_; ++i) {
        const Eigen::Vector3f local_m = points_m[i] - origin_m_;
        x_[i] = local_m.x();
        y_[i] = local_m.y();
        z_[i] = local_m.z();
    }
    pad();
}

void PointSet::assign(const PointSet& from, std::span<const std::int32_t> numbers) {
    assert(!numbers.empty());
    size_ = numbers.size();
    origin_m_ = from.origin_m_;
    const std::size_t padded = (size_ + kBlock - 1) / kBlock * kBlock;
    x_.resize(padded);
    y_.resize(padded);
    z_.resize(padded);
    for (std::size_t i = 0; i < size_; ++i) {
        const auto number = static_cast<std::size_t>(numbers[i]);
        x_[i] = from.x_[number];
        y_[i] = from.y_[number];
        z_[i] = from.z_[number];
    }
    pad();
}

void PointSet::pad() {
    for (std::size_t i = size_; i < x_.size(); ++i) {
        x_[i] = x_[size_ - 1];
        y_[i] = y_[size_ - 1];
        z_[i] = z_[size_ - 1];
    }
}

Ranges ranges_along(const PointSet& points, const Eigen::Matrix3f& axes) {
    Ranges ranges;
    kernels::ranges_simd(points_of(points), axes.data(), ranges.low_m.data(), ranges.high_m.data());
    return ranges;
}

Ranges ranges_along_scalar(const PointSet& points, const Eigen::Matrix3f& axes) {
    Ranges ranges;
    kernels::ranges_scalar(points_of(points), axes.data(), ranges.low_m.data(), ranges.high_m.data());
    return ranges;
}

Obb enclose(const PointSet& points, const Eigen::Matrix3f& axes) {
    const Ranges ranges = ranges_along(points, axes);
    Obb box;
    box.axes = axes;
    const Eigen::Vector3d middle_m = 0.5 * (ranges.low_m.cast<double>() + ranges.high_m.cast<double>());
    box.center_m = (points.origin_m().cast<double>() + axes.cast<double>() * middle_m).cast<float>();
    box.half_m = 0.5F * ranges.size_m();
    box.half_m.array() += rounding_pad_m(box);
    return box;
}

float rounding_pad_m(const Obb& box) {
    // eps = 2^-23. A point is up to one diagonal (<= 2 (h0+h1+h2)) from the origin of the set. Its difference, three
    // products and two sums round by at most 5 eps/2 of that. Axes that are orthonormal to eps displace the middle by
    // as much again, and the centre rounds by eps/2 of its size. Below the least normal number all of them round by
    // their last digit.
    constexpr float kEps = std::numeric_limits<float>::epsilon(), kMin = std::numeric_limits<float>::min();
    return 4.0F * kEps * box.center_m.cwiseAbs().maxCoeff() + 16.0F * kEps * box.half_m.sum() + kMin;
}

Eigen::Vector3f fixed_direction(int number) {
    return {kernels::along_fixed(number, 1, 0, 0), kernels::along_fixed(number, 0, 1, 0),
            kernels::along_fixed(number, 0, 0, 1)};
}

Extremes extremes(const PointSet& points, int direction_count) {
    Extremes result;
    kernels::extremes_simd(points_of(points), direction_count, result.lowest.data(), result.highest.data());
    return result;
}

Extremes extremes_scalar(const PointSet& points, int direction_count) {
    Extremes result;
    kernels::extremes_scalar(points_of(points), direction_count, result.lowest.data(), result.highest.data());
    return result;
}

LargeTriangle large_triangle(const PointSet& points) {
    LargeTriangle corners;
    kernels::triangle_simd(points_of(points), corners.data());
    return corners;
}

LargeTriangle large_triangle_scalar(const PointSet& points) {
    LargeTriangle corners;
    kernels::triangle_scalar(points_of(points), corners.data());
    return corners;
}

Eigen::Matrix3f descend(const PointSet& points, const Eigen::Matrix3f& axes, double last_step_rad) {
    return descend_with(points, axes, last_step_rad, kernels::descend_simd);
}

Eigen::Matrix3f descend_scalar(const PointSet& points, const Eigen::Matrix3f& axes, double last_step_rad) {
    return descend_with(points, axes, last_step_rad, kernels::descend_scalar);
}

}  // namespace glovebox::collision
