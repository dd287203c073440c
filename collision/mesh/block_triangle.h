// Converts a triangle of an ObbTree block to double precision, in the mesh's frame.
#pragma once

#include "collision/mesh/obb_tree.h"
#include "collision/query/triangle.h"

namespace glovebox::collision {

inline Triangle triangle_at(const ObbTree::Block& block, std::size_t lane) {
    Triangle triangle;
    for (std::size_t i = 0; i < 3; ++i)
        triangle[i] = {double{block.corner_m[i][0][lane]}, double{block.corner_m[i][1][lane]},
                       double{block.corner_m[i][2][lane]}};
    return triangle;
}

}  // namespace glovebox::collision
