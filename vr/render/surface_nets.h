// The zero surface of a signed distance field as triangles: naive surface nets [Gibson98].
//
// One vertex per grid cell that the surface crosses, at the mean of the crossings on the cell's edges; one quad per
// crossed grid edge. No case table, and rounder triangles than marching cubes. Blocks of cells that are too far from
// the surface to be crossed are skipped after one evaluation.
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

/// `field` is negative inside and changes by at most 1.1 per metre walked; it is called from `threads` threads.
/// Closed as long as the surface keeps one cell away from the border of `bounds`.
SurfaceMesh surface_nets(const std::function<float(const Eigen::Vector3f&)>& field, const Eigen::AlignedBox3f& bounds,
                         float cell_m, int threads);

}  // namespace glovebox::vr
