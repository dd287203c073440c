// Triangles with normals for the solids of a scene, in the object's own frame, ready to be drawn.
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

/// Balls and rounded boxes are made smooth to a quarter of a pixel at arm's length; meshes as they are.
DrawMesh draw_mesh(const collision::Shape& shape);

/// One vertex per triangle corner; the normal is the mean of the faces round it that turn less than 40 degrees from its
/// own, so edges stay sharp and curved surfaces smooth, also where a file splits its vertices. O(n).
DrawMesh smoothed(const collision::Mesh& mesh);

}  // namespace glovebox::vr
