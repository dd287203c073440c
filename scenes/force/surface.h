// Surface pieces near a pad of the hand. They are few and small, so they are passed to the force loop by value.
//
// A piece is a triangle of a mesh or hull, a round cone, or a rounded box. All of these are convex, so the proxy cannot
// pass them at any speed (proxy.h).
#pragma once

#include <Eigen/Core>
#include <array>
#include <variant>

#include "collision/box/shape.h"
#include "collision/query/triangle.h"

namespace glovebox::scenes {

struct FlatTriangle {
    std::array<Eigen::Vector3f, 3> corners_m;
};

struct SurfacePiece {
    std::variant<FlatTriangle, collision::RoundCone, collision::RoundedBox> shape;  ///< world, at the frame's time
    Eigen::Vector3f velocity_m_s = Eigen::Vector3f::Zero();  ///< of the object at this piece, including its rotation
    int object = -1;
};

/// The point of a piece that is nearest to a given point.
struct NearPoint {
    double distance_m = 0.0;  ///< signed for solids, unsigned for triangles
    Eigen::Vector3d normal;   ///< unit, from the surface to the point; the face normal if the point is on a triangle
    Eigen::Vector3d on_m;     ///< the nearest point of the surface
    bool on_border = false;   ///< true on an edge or a corner of a triangle
};

/// Returns the nearest point of the piece. A degenerate triangle is treated as the segment or point that it spans; its
/// normal is arbitrary if the point is on it. Constant cost, no allocation.
NearPoint nearest(const SurfacePiece& piece, const Eigen::Vector3d& point_m);
NearPoint nearest(const collision::Triangle& triangle, const Eigen::Vector3d& point_m);

collision::Triangle corners_of(const FlatTriangle& triangle);

/// Returns the piece moved by its velocity for `age_s` seconds.
SurfacePiece moved(const SurfacePiece& piece, double age_s);

}  // namespace glovebox::scenes
