// The signed distance to a closed mesh by definition: the sign from the winding number, the distance from every
// triangle.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "collision/mesh/mesh_surface.h"
#include "collision/query/triangle.h"

namespace glovebox::collision {

/// Returns the solid angle of the surface seen from a point, divided by 4 pi: 1 inside, 0 outside.
inline double slow_winding_number(const Mesh& mesh, const Eigen::Vector3d& point) {
    double angle = 0.0;
    for (int i = 0; i < static_cast<int>(mesh.triangles.size()); ++i) {
        const Triangle t = triangle_of(mesh, i);
        const Eigen::Vector3d a = t[0] - point, b = t[1] - point, c = t[2] - point;
        angle += 2.0 * std::atan2(a.dot(b.cross(c)), a.norm() * b.norm() * c.norm() + a.dot(b) * c.norm() +
                                                         b.dot(c) * a.norm() + c.dot(a) * b.norm());
    }
    return angle / (4.0 * std::numbers::pi);
}

inline double distance_to_triangles(const Mesh& mesh, const Eigen::Vector3d& point) {
    double nearest = 1e300;
    for (int i = 0; i < static_cast<int>(mesh.triangles.size()); ++i)
        nearest = std::min(nearest, (closest_on_triangle(point, triangle_of(mesh, i)).point - point).norm());
    return nearest;
}

inline double slow_signed_distance(const Mesh& mesh, const Eigen::Vector3d& point) {
    const double distance = distance_to_triangles(mesh, point);
    return std::abs(slow_winding_number(mesh, point)) > 0.5 ? -distance : distance;
}

}  // namespace glovebox::collision
