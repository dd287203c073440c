// The points of one tree node, laid out for the inner loops of the fitters.
//
// Coordinates are stored by component and relative to the first point, to avoid cancellation far from the mesh's
// origin. The arrays are padded to whole SIMD blocks by repeating the last point, which changes no minimum or maximum.
// All loops give the same result on every machine: they use no fused multiply-add, and tests compare them with scalar
// versions bit by bit.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "collision/box/box.h"

namespace glovebox::collision {

class PointSet {
  public:
    /// Arrays are padded to a multiple of this number of floats, the widest SIMD block in use.
    static constexpr std::size_t kBlock = 8;

    void assign(std::span<const Eigen::Vector3f> points_m);
    /// Copies the points of `from` with these indices, relative to the same origin.
    void assign(const PointSet& from, std::span<const std::int32_t> numbers);

    std::size_t size() const { return size_; }
    std::size_t padded_size() const { return x_.size(); }
    const Eigen::Vector3f& origin_m() const { return origin_m_; }
    Eigen::Vector3f local_m(std::size_t i) const { return {x_[i], y_[i], z_[i]}; }  ///< relative to origin_m()
    const float* x() const { return x_.data(); }
    const float* y() const { return y_.data(); }
    const float* z() const { return z_.data(); }

  private:
    void pad();

    std::vector<float> x_, y_, z_;
    std::size_t size_ = 0;
    Eigen::Vector3f origin_m_ = Eigen::Vector3f::Zero();
};

/// Interval of the points along each column of `axes`, relative to the set's origin.
struct Ranges {
    Eigen::Vector3f low_m, high_m;

    Eigen::Vector3f size_m() const { return high_m - low_m; }
    /// Returns half the box's surface area, m^2. Fitters minimise it, because the volume is zero for flat sets and
    /// predicts the number of box tests poorly.
    float half_area_m2() const {
        const Eigen::Vector3f s = size_m();
        return s.x() * s.y() + (s.x() + s.y()) * s.z();
    }
    float volume_m3() const { return size_m().prod(); }
};
Ranges ranges_along(const PointSet& points, const Eigen::Matrix3f& axes);
Ranges ranges_along_scalar(const PointSet& points, const Eigen::Matrix3f& axes);

/// Returns the smallest box with these orthonormal axes around the points, padded. Every point is inside also when the
/// slabs are evaluated in double, because the padding covers the rounding of differences, projections and the centre.
Obb enclose(const PointSet& points, const Eigen::Matrix3f& axes);

/// Returns by how much a box's half extents must grow to contain its points despite the rounding of centre, axes and
/// extents.
float rounding_pad_m(const Obb& box);

/// Indices of the lowest and highest point along fixed directions: the three axes, the four diagonals of a cube and the
/// six diagonals of its faces. DiTO-14 uses the first 7 directions, DiTO-26 all 13 [Larsson11]. In a tie, the lowest
/// index is used.
constexpr int kMaxDirections = 13;
struct Extremes {
    std::array<std::int32_t, kMaxDirections> lowest, highest;
};
Eigen::Vector3f fixed_direction(int number);
Extremes extremes(const PointSet& points, int direction_count);
Extremes extremes_scalar(const PointSet& points, int direction_count);

/// Indices of three points that span a large triangle. Point [0] is farthest from the first point of the set, [1] is
/// farthest from [0], and [2] is farthest from the line through both. Indices repeat if all points are collinear or
/// coincide.
using LargeTriangle = std::array<std::int32_t, 3>;
LargeTriangle large_triangle(const PointSet& points);
LargeTriangle large_triangle_scalar(const PointSet& points);

/// Improves `axes` by coordinate descent on surface area. Rotates the frame about its own axes, first by 0.2 rad and
/// then by less, as long as the box of the points shrinks; ends after steps of `last_step_rad`. The box never becomes
/// larger, except for rounding. Linear in the points: about 25 ns per rotation tried for 32 points.
Eigen::Matrix3f descend(const PointSet& points, const Eigen::Matrix3f& axes, double last_step_rad = 0.01);
Eigen::Matrix3f descend_scalar(const PointSet& points, const Eigen::Matrix3f& axes, double last_step_rad = 0.01);

}  // namespace glovebox::collision
