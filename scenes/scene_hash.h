// A fingerprint of a scene: two scenes with the same one give the same contacts for the same hands.
#pragma once

#include <cstdint>

#include "scenes/scene.h"

namespace glovebox::scenes {

/// Of everything that a step depends on: objects, shapes, materials, thresholds, gravity. Names, colours and where a
/// recording is put do not count. Reads every vertex of every mesh: about 1 ms for 100k triangles.
std::uint64_t hash_of(const Scene& scene);

}  // namespace glovebox::scenes
