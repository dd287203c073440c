// Triangulates the zero surface of a signed distance field by naive surface nets [Gibson98].
//
// There is one vertex per grid cell that the surface crosses, at the mean of the crossings on the cell's edges, and one
// quad per crossed grid edge. The method needs no case table, and its triangles are better shaped than those of
// marching cubes. Blocks of cells that are too far from the surface are skipped after one evaluation of the field.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace glovebox::vr {

struct SurfaceMesh {
    std::vector<Eigen::Vector3f> vertices_m;
    std::vector<std::array<std::uint32_t, 3>> triangles;  ///< counter-clockwise seen from outside
};

/// Triangulates the surface. `field`, in metres, is negative inside and has a Lipschitz constant of at most 1.1; it is
/// called from `threads` threads. The mesh is closed if the surface stays one cell away from the border of `bounds`.
SurfaceMesh surface_nets(const std::function<float(const Eigen::Vector3f&)>& field, const Eigen::AlignedBox3f& bounds,
                         float cell_m, int threads);

}  // namespace glovebox::vr
