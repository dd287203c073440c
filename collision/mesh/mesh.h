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
        triangles;  ///< vertex indices; in a closed mesh, counter-clockwise seen from outside
};

/// Checks the mesh. Throws std::invalid_argument for the first fault: a vertex that is not finite, an index out of
/// range, or no triangles. Zero-area and duplicate triangles are allowed; trees and queries define their results for
/// them.
void check(const Mesh& mesh);

}  // namespace glovebox::collision
