// Finds the first object of a scene that a ray hits.
#pragma once

#include <optional>

#include "collision/query/ray.h"
#include "scenes/step.h"

namespace glovebox::scenes {

/// A hit in the scene's world frame.
struct ObjectHit {
    std::int32_t object;
    collision::RayHit at;
};

/// Returns the first object that the ray hits, where the objects are now: after the last step, or as set since then
/// (dynamic objects). If two are hit at the same distance, the one with the lower index. Hands are not hit. Tests the
/// box of every object, and the shapes whose boxes are hit. Does not allocate.
std::optional<ObjectHit> cast_ray(const Scene&, const World&, const collision::Ray& ray);

}  // namespace glovebox::scenes
