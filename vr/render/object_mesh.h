// Builds triangle meshes with normals for drawing the solids of a scene, in the object's own frame.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "collision/box/shape.h"
#include "collision/mesh/mesh.h"

namespace glovebox::vr {

struct DrawVertex {
    Eigen::Vector3f position_m;
    Eigen::Vector3f normal;
};

struct DrawMesh {
    std::vector<DrawVertex> vertices;
    std::vector<std::array<std::uint32_t, 3>> triangles;  ///< counter-clockwise from outside
};

/// Triangulates a shape. The triangles of spheres and rounded boxes deviate from the shape by at most a quarter of a
/// pixel at arm's length; meshes keep their triangles.
DrawMesh draw_mesh(const collision::Shape& shape);

/// Computes vertex normals, with one vertex per triangle corner. A normal is the mean over those adjacent faces whose
/// normals are within 40 degrees of that of the corner's own face. So edges stay sharp and curved surfaces smooth, even
/// if a file duplicates vertices. Takes O(n) time.
DrawMesh smoothed(const collision::Mesh& mesh);

}  // namespace glovebox::vr
