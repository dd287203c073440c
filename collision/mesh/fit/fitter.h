// Fitters: how the axes of one box are chosen for the triangles of one tree node. One signature; the table of all is
// collision/survey/fit/fitters.h.
//
// A fitter chooses axes; the extents are always measured on every point, so that no fitter can lose a triangle.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "collision/mesh/fit/point_set.h"

namespace glovebox::collision {

/// What one node holds. All triangles may be degenerate, all points may coincide.
struct FitInput {
    const PointSet& points;                                  ///< distinct mesh vertices; at least one
    std::span<const Eigen::Vector3f> points_m;               ///< the same in the mesh's frame
    std::span<const std::array<std::int32_t, 3>> triangles;  ///< of point numbers
    std::uint64_t seed;  ///< for rows that search by chance; the same for the same node
};

struct FittedBox {
    Obb box;                      ///< encloses every point, also after rounding
    std::int8_t split_axis = -1;  ///< axis the node should be split along; -1: the splitter's business
};

struct Fitter {
    std::string_view name;     ///< as in `--fitter descent`
    std::string_view summary;  ///< one line for a person choosing
    FittedBox (*fit)(const FitInput& input);
    /// Subtrees of no more triangles are built by one thread. A constant of the row, not a share of the work: the
    /// pieces, and with them the order of nodes, must be the same for every number of threads. Rows that take long for
    /// a node come in small pieces, or one thread would wait for the other's last.
    std::size_t one_thread_triangles = 1024;
};

/// What trees are built with unless another is asked for: "descent".
const Fitter& default_fitter();

FittedBox fit_vertex_covariance(const FitInput& input);
FittedBox fit_triangle_covariance(const FitInput& input);
FittedBox fit_hull_surface(const FitInput& input);
FittedBox fit_hull_descent(const FitInput& input);
FittedBox fit_descent(const FitInput& input);
FittedBox fit_dito14(const FitInput& input);
FittedBox fit_dito26(const FitInput& input);

/// The smallest box of one triangle: flat, flush with its longest edge. A line or a point gives a box of that kind.
Obb box_of_triangle(const Eigen::Vector3f& a, const Eigen::Vector3f& b, const Eigen::Vector3f& c);
inline bool is_one_triangle(const FitInput& input) {
    return input.triangles.size() == 1 && input.points_m.size() == 3;
}

/// Corners of the convex hull as a point set; all distinct points where the hull is flat. At most a few hundred of many
/// thousand points are left, and every box of them is a box of all.
PointSet hull_corners(const FitInput& input);

}  // namespace glovebox::collision
