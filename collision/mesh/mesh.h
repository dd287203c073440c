// A triangle mesh without connectivity: the content of a mesh file and the input of tree builders.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <vector>

namespace glovebox::collision {

/// Vertices and triangles of a mesh, in its own frame.
struct Mesh {
    std::vector<Eigen::Vector3f> vertices_m;
    std::vector<std::array<std::uint32_t, 3>>
        triangles;  ///< counter-clockwise seen from outside, if there is an outside
};

/// Checks the mesh. Throws std::invalid_argument for the first fault: a vertex that is not finite, an index out of
/// range, no triangles. Zero-area and duplicate triangles are legal; trees and queries define their results.
void check(const Mesh& mesh);

}  // namespace glovebox::collision
