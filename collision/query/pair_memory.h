// Warm start of one bone-object pair: the closest or deepest features of the last query.
#pragma once

#include <cstdint>

#include "collision/query/convex.h"
#include "collision/query/hull_mesh.h"

namespace glovebox::collision {

struct PairMemory {
    std::int32_t object = -1;
    ConvexMemory convex;       ///< for two convex shapes
    HullMeshMemory hull_mesh;  ///< for a hull and a mesh

    /// Clears the memory if it belongs to another object.
    PairMemory& of(std::int32_t its_object) {
        if (object != its_object) *this = {};
        object = its_object;
        return *this;
    }
};

}  // namespace glovebox::collision
