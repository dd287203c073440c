// Fitters: functions that choose the axes of one box for the triangles of a tree node. They share one signature;
// collision/survey/fit/fitters.h lists all of them.
//
// Fitters choose only axes; extents are always measured on every point, so every box contains all triangles.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "collision/mesh/fit/point_set.h"

namespace glovebox::collision {

/// The content of one tree node. All triangles may be degenerate; all points may coincide.
struct FitInput {
    const PointSet& points;                                  ///< the distinct vertices of the triangles; at least one
    std::span<const Eigen::Vector3f> points_m;               ///< the same points in the mesh's frame
    std::span<const std::array<std::int32_t, 3>> triangles;  ///< indices of points
    std::uint64_t seed;  ///< for fitters with random search; depends only on the node
};

struct FittedBox {
    Obb box;                      ///< encloses every point, also after rounding
    std::int8_t split_axis = -1;  ///< axis along which to split the node; -1 if the splitter decides
};

struct Fitter {
    std::string_view name;     ///< as in `--fitter descent`
    std::string_view summary;  ///< one line of help for the user
    FittedBox (*fit)(const FitInput& input);
    /// Subtrees of at most this many triangles are built by one thread. It is a constant of the fitter, not a fraction
    /// of the work, because the node order must be the same for every number of threads. Slow fitters use a small
    /// number, so that no thread waits long for another's last subtree.
    std::size_t one_thread_triangles = 1024;
};

/// Returns the default fitter, "descent".
const Fitter& default_fitter();

FittedBox fit_vertex_covariance(const FitInput& input);
FittedBox fit_triangle_covariance(const FitInput& input);
FittedBox fit_hull_surface(const FitInput& input);
FittedBox fit_hull_descent(const FitInput& input);
FittedBox fit_descent(const FitInput& input);
FittedBox fit_dito14(const FitInput& input);
FittedBox fit_dito26(const FitInput& input);

/// Returns the smallest box of one triangle. It is flat, and one axis lies along the longest edge. If the triangle is a
/// line or a point, the box has one non-zero extent or none.
Obb box_of_triangle(const Eigen::Vector3f& a, const Eigen::Vector3f& b, const Eigen::Vector3f& c);
inline bool is_one_triangle(const FitInput& input) {
    return input.triangles.size() == 1 && input.points_m.size() == 3;
}

/// Returns the corners of the convex hull, or all distinct points if the hull is flat. Every box around the corners
/// contains all points. Usually a few hundred of many thousand points are corners.
PointSet hull_corners(const FitInput& input);

}  // namespace glovebox::collision
