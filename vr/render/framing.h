// Where a camera has to stand to see what the hands do.
#pragma once

#include "vr/render/camera.h"
#include "vr/session/view_model.h"

namespace glovebox::vr {

/// Looks at the hand in sight (the middle of both) from its thumb's side and a little from its front, 22 degrees from
/// above: thumb and two fingers are visible; from behind the wrist one would see only forearm. Without a hand, at the
/// scene's anchor.
OrbitCamera framed(const ViewModel& model);

/// Middle of palm and fingertips of the hands in sight; false if there are none.
bool hands_middle(const ViewModel& model, Eigen::Vector3f& middle_m);

/// Shifts the target gently when the hands leave the middle of the picture; `dt_s` since the last call.
void follow(OrbitCamera& camera, const ViewModel& model, float dt_s);

}  // namespace glovebox::vr
