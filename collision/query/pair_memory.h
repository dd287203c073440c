// What a body remembers of one of its bones and one object: where their last answer was.
#pragma once

#include <cstdint>

#include "collision/query/convex.h"

namespace glovebox::collision {

struct PairMemory {
    std::int32_t object = -1;
    ConvexMemory convex;  ///< of two convex ones

    /// Forgets what was of another object.
    PairMemory& of(std::int32_t its_object) {
        if (object != its_object) *this = {};
        object = its_object;
        return *this;
    }
};

}  // namespace glovebox::collision
