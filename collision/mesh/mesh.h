// A triangle soup: what files hold and trees are built from.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <vector>

namespace glovebox::collision {

struct Mesh {
    std::vector<Eigen::Vector3f> vertices_m;
    std::vector<std::array<std::uint32_t, 3>> triangles;  ///< counter-clockwise seen from outside, where there is one
};

/// Throws std::invalid_argument with the first fault (non-finite vertex, index out of range, no triangles).
/// Zero-area and duplicate triangles are legal: trees and queries define their results.
void check(const Mesh& mesh);

}  // namespace glovebox::collision
