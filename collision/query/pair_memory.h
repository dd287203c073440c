// What a body remembers of one of its bones and one object: where their last answer was.
#pragma once

#include <cstdint>

#include "collision/query/convex.h"
#include "collision/query/hull_mesh.h"

namespace glovebox::collision {

struct PairMemory {
    std::int32_t object = -1;
    ConvexMemory convex;       ///< of two convex ones
    HullMeshMemory hull_mesh;  ///< of a hull and a mesh

    /// Forgets what was of another object.
    PairMemory& of(std::int32_t its_object) {
        if (object != its_object) *this = {};
        object = its_object;
        return *this;
    }
};

}  // namespace glovebox::collision
