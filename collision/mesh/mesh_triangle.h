// Converts a triangle of a mesh to double precision, in the mesh's frame or in another.
#pragma once

#include <cstdint>

#include "collision/mesh/mesh.h"
#include "collision/query/triangle.h"

namespace glovebox::collision {

inline Triangle triangle_of(const Mesh& mesh, std::int32_t number) {
    const auto& corners = mesh.triangles[static_cast<std::size_t>(number)];
    return {mesh.vertices_m[corners[0]].cast<double>(), mesh.vertices_m[corners[1]].cast<double>(),
            mesh.vertices_m[corners[2]].cast<double>()};
}

inline Triangle transformed(const Eigen::Isometry3d& target_from_mesh, const Triangle& triangle) {
    return {target_from_mesh * triangle[0], target_from_mesh * triangle[1], target_from_mesh * triangle[2]};
}

}  // namespace glovebox::collision
