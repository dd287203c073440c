// Picks the bone or object under the mouse.
#pragma once

#include "vr/render/framing.h"
#include "vr/render/view_settings.h"

namespace glovebox::vr {

/// Returns the first bone or object on the pixel's ray, found by sphere tracing; no part is marked if there is none
/// within 5 m. For a bone, the finger is set, too. Takes about 10 us for each object whose box the ray hits.
Marked pick(const ViewModel& model, const OrbitCamera& camera, const Viewport& viewport, float x_px, float y_px);

/// Returns whether an object is too large to hold (0.6 m or more), such as a table or a room.
bool is_surroundings(const scenes::World& world, int object);

/// Describes a picked part, such as "right index tip, touches ball (2.1 mm deep)" or "ball, touched by 3 bones".
/// Returns an empty string if nothing is marked.
std::string name_of(const Marked& marked, const ViewModel& model);

}  // namespace glovebox::vr
