// What lies under the mouse: a bone or an object.
#pragma once

#include "vr/render/framing.h"
#include "vr/render/view_settings.h"

namespace glovebox::vr {

/// The first solid on the ray, marched by signed distances; nothing where it meets none within 5 m. A bone marks its
/// finger, too. Some 10 us an object whose box the ray meets.
Marked pick(const ViewModel& model, const OrbitCamera& camera, const Viewport& viewport, float x_px, float y_px);

/// Larger than what a hand can hold: a table, a room.
bool is_surroundings(const scenes::World& world, int object);

/// "right index tip, touches ball (2.1 mm deep)"; "ball, touched by 3 bones". Empty for nothing.
std::string name_of(const Marked& marked, const ViewModel& model);

}  // namespace glovebox::vr
