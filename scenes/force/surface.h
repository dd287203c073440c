// What a pad of the hand can feel nearby: pieces of surface, few and small enough to be handed to the force loop by
// value.
//
// A piece is convex by itself: a triangle of a mesh or hull, a round cone, or a rounded box. Convexity is what makes
// the proxy safe at any speed (proxy.h).
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
    std::variant<FlatTriangle, collision::RoundCone, collision::RoundedBox> shape;  ///< world coordinates at the stamp
    Eigen::Vector3f velocity_m_s = Eigen::Vector3f::Zero();  ///< of the object there; spin is in here piece by piece
    int object = -1;
};

/// Where a point is nearest to a piece.
struct NearPoint {
    double distance_m = 0.0;  ///< of solids signed, of triangles not: those are sheets
    Eigen::Vector3d normal;   ///< unit, from the surface to the point; of a triangle the face's, if the point is on it
    Eigen::Vector3d on_m;     ///< on the surface
    bool on_border = false;   ///< on an edge or a corner of a triangle
};

/// Constant cost, no allocation. Degenerate triangles are their own point set; their normal is arbitrary on it.
NearPoint nearest(const SurfacePiece& piece, const Eigen::Vector3d& point_m);
NearPoint nearest(const collision::Triangle& triangle, const Eigen::Vector3d& point_m);

collision::Triangle corners_of(const FlatTriangle& triangle);

/// The piece as its object has carried it after `age_s`.
SurfacePiece moved(const SurfacePiece& piece, double age_s);

}  // namespace glovebox::scenes
