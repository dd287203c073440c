// Fitters: functions that choose the axes of one box for the triangles of a tree node. They share one signature;
// collision/survey/fit/fitters.h has the table of all.
//
// Fitters choose only axes; extents are always measured on every point, so no fitter can lose a triangle.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "collision/mesh/fit/point_set.h"

namespace glovebox::collision {

/// The content of one tree node. All triangles may be degenerate; all points may coincide.
struct FitInput {
    const PointSet& points;                                  ///< distinct mesh vertices; at least one
    std::span<const Eigen::Vector3f> points_m;               ///< the same points in the mesh's frame
    std::span<const std::array<std::int32_t, 3>> triangles;  ///< indices of points
    std::uint64_t seed;  ///< for fitters with random search; the same for the same node
};

struct FittedBox {
    Obb box;                      ///< encloses every point, also after rounding
    std::int8_t split_axis = -1;  ///< axis along which to split the node; -1: the splitter decides
};

struct Fitter {
    std::string_view name;     ///< as in `--fitter descent`
    std::string_view summary;  ///< one line for the user who chooses
    FittedBox (*fit)(const FitInput& input);
    /// Subtrees of at most this many triangles are built by one thread. It is a constant of the fitter, not a fraction
    /// of the work, because the node order must be the same for every number of threads. Slow fitters use small pieces,
    /// so that no thread waits long for another's last piece.
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

/// Returns the smallest box of one triangle: flat and flush with the longest edge. A triangle that
/// is a line or a point gives a box with one non-zero extent or none.
Obb box_of_triangle(const Eigen::Vector3f& a, const Eigen::Vector3f& b, const Eigen::Vector3f& c);
inline bool is_one_triangle(const FitInput& input) {
    return input.triangles.size() == 1 && input.points_m.size() == 3;
}

/// Returns the corners of the convex hull, or all distinct points if the hull is flat. Every box around
/// the corners contains all points; of many thousand points a few hundred are corners, as a rule.
PointSet hull_corners(const FitInput& input);

}  // namespace glovebox::collision
