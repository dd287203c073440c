// Closest points between a triangle and a point, a segment or a rounded bone: the closed forms that all mesh contacts
// use.
//
// Computes in double, so that cancellation is harmless for float inputs; a scalar double is as fast as a float.
// Degenerate triangles (lines, points) are allowed and treated as the segment or point that they cover. Constant cost,
// no allocation, no iteration.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstdint>

namespace glovebox::collision {

using Triangle = std::array<Eigen::Vector3d, 3>;

/// Part of a triangle. The numbering makes `edge_ab + i` the edge that starts at corner i.
enum class TriangleFeature : std::uint8_t { face, edge_ab, edge_bc, edge_ca, corner_a, corner_b, corner_c };

struct TrianglePoint {
    Eigen::Vector3d point;
    TriangleFeature feature;
};

/// Returns the nearest point of the triangle, by its Voronoi regions [Ericson05, sec. 5.1.5]. For thin triangles, the
/// three edges are tested instead, because the products of the regions would cancel.
TrianglePoint closest_on_triangle(const Eigen::Vector3d& point, const Triangle& triangle);

/// A segment a..b whose radius varies linearly from radius_a to radius_b; zero radii make it a plain segment.
struct RoundSegment {
    Eigen::Vector3d a, b;
    double radius_a = 0.0, radius_b = 0.0;
};

struct SegmentTriangle {
    double gap = 0.0;            ///< min over s of |point(s) - triangle| - radius(s)
    double s = 0.0;              ///< a minimiser of the gap, 0 at a and 1 at b
    double core_distance = 0.0;  ///< |point(s) - on_triangle|; 0 if the axis meets the triangle there
    Eigen::Vector3d on_axis, on_triangle;
    TriangleFeature feature = TriangleFeature::face;
};

/// Returns the global minimum of gap(s), a convex function, among its closed-form candidates. These are both ends, the
/// point where the axis pierces the face, and the stationary point of the distance to each edge and corner. With zero
/// radii, the gap is the distance of the segment and the triangle.
SegmentTriangle closest(const RoundSegment& segment, const Triangle& triangle);

/// Closest points of two segments as parameters in [0, 1] [Ericson05, sec. 5.1.9]. For parallel segments, they are any
/// one pair of closest points.
struct SegmentParameters {
    double s, t;
};
SegmentParameters closest_segment_parameters(const Eigen::Vector3d& a0, const Eigen::Vector3d& a1,
                                             const Eigen::Vector3d& b0, const Eigen::Vector3d& b1);

}  // namespace glovebox::collision
