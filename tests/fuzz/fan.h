// A mesh whose stored box tree serves as a fuzzing seed: a bent fan of 64 triangles.
#pragma once

#include <cmath>

#include "collision/mesh/mesh.h"

namespace glovebox::fuzz {

inline collision::Mesh fan() {
    collision::Mesh mesh;
    for (int i = 0; i <= 64; ++i) {
        const float turn_rad = 0.09F * static_cast<float>(i);
        mesh.vertices_m.emplace_back(std::cos(turn_rad), 0.02F * static_cast<float>(i), std::sin(turn_rad));
    }
    mesh.vertices_m.emplace_back(0.0F, 0.0F, 0.0F);
    for (std::uint32_t i = 0; i < 64; ++i) mesh.triangles.push_back({i, i + 1, 65});
    return mesh;
}

}  // namespace glovebox::fuzz
