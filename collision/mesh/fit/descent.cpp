// The default fitter: a frame on a large triangle of the points, then descent on the box's area.
#include <Eigen/Geometry>

#include "collision/mesh/fit/dito.h"
#include "collision/mesh/fit/fitter.h"

namespace glovebox::collision {
namespace {

// Returns a frame flush with the triangle and its longest edge, which is the first. Computes in double, because the
// squares of a tiny triangle's edges would underflow in float.
Eigen::Matrix3f axes_on(const PointSet& points, const LargeTriangle& corners) {
    const auto at = [&](std::size_t k) -> Eigen::Vector3d {
        return points.local_m(static_cast<std::size_t>(corners[k])).cast<double>();
    };
    const Eigen::Vector3d edge = at(1) - at(0), normal = edge.cross(at(2) - at(0));
    const double length_m = edge.norm(), normal_m2 = normal.norm();
    if (!(length_m > 0.0)) return Eigen::Matrix3f::Identity();
    const Eigen::Vector3d along = edge / length_m;
    // For points collinear to a thousandth of their length, the descent finds the roll about the line.
    Eigen::Vector3d up = along.unitOrthogonal();
    if (normal_m2 > 1e-3 * length_m * length_m) up = normal / normal_m2;
    Eigen::Matrix3d axes;
    axes << along, up.cross(along), up;
    return axes.cast<float>();
}

}  // namespace

const Fitter& default_fitter() {
    static constexpr Fitter kDescent{"descent", "extreme points of 13 directions, then descent on area: the default",
                                     fit_descent};
    return kDescent;
}

FittedBox fit_descent(const FitInput& input) {
    // A step of 0.01 rad instead would reduce the boxes' area by 0.3 % and double the time.
    constexpr double kLastStep_rad = 0.04;
    // A small set is not reduced to extreme points.
    constexpr std::size_t kFew = 32;
    if (is_one_triangle(input)) return {box_of_triangle(input.points_m[0], input.points_m[1], input.points_m[2])};
    if (input.points.size() <= kFew)
        return {enclose(input.points,
                        descend(input.points, axes_on(input.points, large_triangle(input.points)), kLastStep_rad))};
    const PointSet selected = extreme_points(input.points, extremes(input.points, kMaxDirections), kMaxDirections);
    return {enclose(input.points, descend(selected, axes_on(selected, large_triangle(selected)), kLastStep_rad))};
}

Obb box_of_triangle(const Eigen::Vector3f& a, const Eigen::Vector3f& b, const Eigen::Vector3f& c) {
    // Flush with the longest edge, the rectangle has twice the triangle's area, and no rectangle has less.
    // In double: the squares of a tiny triangle's edges would underflow in float.
    const std::array<Eigen::Vector3d, 3> corners = {a.cast<double>(), b.cast<double>(), c.cast<double>()};
    const std::array<Eigen::Vector3d, 3> edges = {corners[1] - corners[0], corners[2] - corners[1],
                                                  corners[0] - corners[2]};
    std::size_t longest = 0;
    for (std::size_t k = 1; k < 3; ++k)
        if (edges[k].squaredNorm() > edges[longest].squaredNorm()) longest = k;
    const Eigen::Vector3d &from = corners[longest], &edge = edges[longest];
    const double length_m = edge.norm();
    Obb box;
    if (length_m > 0.0) {
        const Eigen::Vector3d along = edge / length_m;
        const Eigen::Vector3d apex = corners[(longest + 2) % 3] - from;
        Eigen::Vector3d across = apex - along * along.dot(apex);
        double height_m = across.norm();
        // A triangle thinner than 1e-9 of its length is a line, with an arbitrary second axis.
        if (height_m > 1e-9 * length_m) {
            across /= height_m;
        } else {
            across = along.unitOrthogonal();
            height_m = 0.0;
        }
        box.axes << along.cast<float>(), across.cast<float>(), along.cross(across).cast<float>();
        box.center_m = (from + 0.5 * edge + 0.5 * height_m * across).cast<float>();
        box.half_m = Eigen::Vector3d(0.5 * length_m, 0.5 * height_m, 0.0).cast<float>();
    } else {
        box.center_m = a;
    }
    box.half_m.array() += rounding_pad_m(box);
    return box;
}

}  // namespace glovebox::collision
