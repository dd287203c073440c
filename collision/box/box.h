// Oriented and axis-aligned boxes: the bounding volumes of the hand's hierarchy and of scene trees.
//
// A box is DEFINED as the intersection of its slabs, {x : |axes_i . (x - center)| <= half_i}; every test uses that
// definition, so rounding in the axes never lets a point escape. Sizes are half extents. Touching counts as overlap.
#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <limits>

namespace glovebox::collision {

/// An oriented box: centre, orthonormal axes and half extents.
struct Obb {
    Eigen::Vector3f center_m = Eigen::Vector3f::Zero();
    Eigen::Matrix3f axes = Eigen::Matrix3f::Identity();  ///< orthonormal columns, in the frame the box is given in
    Eigen::Vector3f half_m = Eigen::Vector3f::Zero();    ///< >= 0; zero is allowed (plate, segment, point)

    /// Returns the surface area, m^2. It is the measure of tightness here, because the volume is zero for flat boxes
    /// and predicts the number of box tests poorly.
    float area_m2() const {
        return 8.0F * (half_m.x() * half_m.y() + half_m.y() * half_m.z() + half_m.z() * half_m.x());
    }
    float volume_m3() const { return 8.0F * half_m.prod(); }
    /// Returns the box enlarged by `by_m` on every side.
    Obb grown(float by_m) const { return {center_m, axes, half_m.array() + by_m}; }
};

/// An axis-aligned box. A default box is empty: min > max.
struct Aabb {
    Eigen::Vector3f min_m = Eigen::Vector3f::Constant(+std::numeric_limits<float>::infinity());
    Eigen::Vector3f max_m = Eigen::Vector3f::Constant(-std::numeric_limits<float>::infinity());

    void include(const Eigen::Vector3f& point_m) {
        min_m = min_m.cwiseMin(point_m);
        max_m = max_m.cwiseMax(point_m);
    }
    Aabb grown(float by_m) const { return {min_m.array() - by_m, max_m.array() + by_m}; }
};

/// Returns the box in the target frame.
Obb transformed(const Eigen::Isometry3f& target_from_box, const Obb& box);

/// True if all numbers of the box are finite. Numbers whose sum overflows a float count as not finite.
inline bool all_finite(const Obb& box) {
    return std::isfinite(box.center_m.sum() + box.axes.sum() + box.half_m.sum());
}

/// Returns the smallest axis-aligned box that contains an oriented one, without computing corners.
Aabb aabb_of(const Obb& box);
/// Returns the same box as an oriented one.
Obb obb_of(const Aabb& box);

/// True if the boxes share a point. False if a box is empty or a number is NaN.
bool overlap(const Aabb& a, const Aabb& b);

/// True if the boxes overlap, by the 15-axis separating-axis test [Gottschalk96] in a's frame. Radii along edge axes
/// are padded by 1e-6, so that parallel edges are safe. So boxes that are disjoint by a millionth of their size may
/// count as overlapping, but overlapping boxes never count as disjoint. False if a number is NaN.
bool overlap(const Obb& a, const Obb& b);

}  // namespace glovebox::collision
