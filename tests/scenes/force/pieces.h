// Surfaces shared by the force tests.
#pragma once

#include <vector>

#include "scenes/force/surface.h"

namespace glovebox::scenes {

inline SurfacePiece triangle(const Eigen::Vector3f& a, const Eigen::Vector3f& b, const Eigen::Vector3f& c) {
    SurfacePiece piece;
    piece.shape = FlatTriangle{{a, b, c}};
    piece.object = 0;
    return piece;
}

/// Makes a square sheet at y = 0, 2 half_m wide, of 2 n^2 triangles.
inline std::vector<SurfacePiece> sheet(float half_m, int n) {
    std::vector<SurfacePiece> pieces;
    const auto at = [&](int i, int k) {
        const float step_m = 2.0F * half_m / static_cast<float>(n);
        return Eigen::Vector3f(-half_m + static_cast<float>(i) * step_m, 0.0F,
                               -half_m + static_cast<float>(k) * step_m);
    };
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k) {
            pieces.push_back(triangle(at(i, k), at(i, k + 1), at(i + 1, k)));
            pieces.push_back(triangle(at(i + 1, k), at(i, k + 1), at(i + 1, k + 1)));
        }
    return pieces;
}

}  // namespace glovebox::scenes
