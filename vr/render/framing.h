// Where a camera has to stand to see what the hands do: the one answer for windows, pictures and videos.
#pragma once

#include <span>

#include "vr/render/camera.h"
#include "vr/session/view_model.h"

namespace glovebox::vr {

/// What is drawn into, and the part of it that no card covers.
struct Viewport {
    int width_px = 1280, height_px = 720;
    FreeArea free_px;  ///< empty: all of it
};

/// The nearest camera in the given direction (yaw, elevation, opening angle of `direction`) that has all points in the
/// free area, less a margin. Exact, O(n). `direction` as it is for no points.
OrbitCamera fitted(OrbitCamera direction, std::span<const Eigen::Vector3f> points_m, const Viewport& viewport);

/// Sees the whole take (ViewModel::take): the way of the hands and of the objects that they come near. Until that is
/// known, and in live sessions: the hands and what they are near to now. From the thumb's side and a little from the
/// front, 18 degrees from above: thumb and two fingers are visible; from behind the wrist one would see only forearm.
/// Without a hand, the scene's anchor.
OrbitCamera framed(const ViewModel& model, const Viewport& viewport);

/// The same direction, near to the hands and what they are near to now.
OrbitCamera framed_on_hands(const ViewModel& model, OrbitCamera direction, const Viewport& viewport);

/// Turns a camera to look from the front of the hand, from its side, from above, or at its palm; then as framed().
enum class ViewPreset : std::uint8_t { free, front, side, top, palm };
OrbitCamera seen_from(ViewPreset preset, const ViewModel& model, const Viewport& viewport);

/// Moves gently to where framed_on_hands() would be when the hands leave the middle of the picture; `dt_s` since the
/// last call. Rests when there is nothing to do.
void follow(OrbitCamera& camera, const ViewModel& model, const Viewport& viewport, float dt_s);

/// Moves towards `goal`; true when it is there.
bool glide(OrbitCamera& camera, const OrbitCamera& goal, float dt_s);

}  // namespace glovebox::vr
