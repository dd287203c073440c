// Closest points between a triangle and a point, a segment, or a rounded bone: the closed forms under every mesh
// contact.
//
// All of it is double: the inputs are floats, so nothing cancels that matters, and a scalar double costs what a float
// costs. Degenerate triangles (lines, points) are legal and mean their own point set. Constant cost, no allocation, no
// iteration.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstdint>

namespace glovebox::collision {

using Triangle = std::array<Eigen::Vector3d, 3>;

/// Which part of a triangle is meant; the numbering lets `edge_ab + i` be the edge that starts at corner i.
enum class TriangleFeature : std::uint8_t { face, edge_ab, edge_bc, edge_ca, corner_a, corner_b, corner_c };

struct TrianglePoint {
    Eigen::Vector3d point;
    TriangleFeature feature;
};

/// Voronoi regions [Ericson05, sec. 5.1.5]; thin triangles go through their three edges, where the regions' products
/// would cancel.
TrianglePoint closest_on_triangle(const Eigen::Vector3d& point, const Triangle& triangle);

/// A segment a..b whose radius goes linearly from radius_a to radius_b; zero radii make it a plain segment.
struct RoundSegment {
    Eigen::Vector3d a, b;
    double radius_a = 0.0, radius_b = 0.0;
};

struct SegmentTriangle {
    double gap = 0.0;            ///< min over s of |point(s) - triangle| - radius(s)
    double s = 0.0;              ///< a minimiser, 0 at a and 1 at b
    double core_distance = 0.0;  ///< |point(s) - on_triangle|; 0 when the axis meets the triangle there
    Eigen::Vector3d on_axis, on_triangle;
    TriangleFeature feature = TriangleFeature::face;
};

/// The global minimum of gap(s), a convex function, among its closed-form candidates: both ends, the point where the
/// axis pierces the face, and the stationary point of the distance to each edge and corner. With zero radii this is the
/// distance of a segment and a triangle.
SegmentTriangle closest(const RoundSegment& segment, const Triangle& triangle);

/// Closest points of two segments as parameters in [0, 1] [Ericson05, sec. 5.1.9]; parallel segments share many and one
/// is given.
struct SegmentParameters {
    double s, t;
};
SegmentParameters closest_segment_parameters(const Eigen::Vector3d& a0, const Eigen::Vector3d& a1,
                                             const Eigen::Vector3d& b0, const Eigen::Vector3d& b1);

}  // namespace glovebox::collision
