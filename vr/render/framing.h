// Computes camera positions that show the hands and nearby objects, for windows, pictures and videos.
#pragma once

#include <span>

#include "vr/render/camera.h"
#include "vr/session/view_model.h"

namespace glovebox::vr {

/// Size of the picture, and the part of it that no card covers.
struct Viewport {
    int width_px = 1280, height_px = 720;
    FreeArea free_px;  ///< empty: the whole picture
};

/// Returns the nearest camera that has all points in the free area, less a margin. Its yaw, elevation and opening angle
/// are those of `direction`. Spheres of radius `around_m` about the points are almost in it, too. The result is exact
/// and takes O(n) time. Returns `direction` if there are no points.
OrbitCamera fitted(OrbitCamera direction, std::span<const Eigen::Vector3f> points_m, const Viewport& viewport,
                   float around_m = 0.0F);

/// Returns a camera that shows the whole recording (ViewModel::take): the space of the hands and of objects near their
/// path. Until that overview is known, and in live sessions, the camera shows the hands and nearby objects as they are
/// now. If no hand is tracked, it shows the scene's anchor. The view is from the thumb's side, a little from the front
/// and 18 degrees from above, so that the thumb and two fingers are visible.
OrbitCamera framed(const ViewModel& model, const Viewport& viewport);

/// Returns a camera with the same direction that shows the hands and nearby objects as they are now.
OrbitCamera framed_on_hands(const ViewModel& model, OrbitCamera direction, const Viewport& viewport);

/// Directions from which the camera looks: the front of the hand, its side, above it, or its palm side.
enum class ViewPreset : std::uint8_t { free, front, side, top, palm };
/// Returns a camera with a preset's direction, placed as by framed().
OrbitCamera seen_from(ViewPreset preset, const ViewModel& model, const Viewport& viewport);

/// Moves the camera smoothly towards framed_on_hands() if the hands have left the middle of the picture; otherwise does
/// not change it. `dt_s` is the time since the last call.
void follow(OrbitCamera& camera, const ViewModel& model, const Viewport& viewport, float dt_s);

/// Moves the camera towards `goal`; returns true when it has arrived.
bool glide(OrbitCamera& camera, const OrbitCamera& goal, float dt_s);

}  // namespace glovebox::vr
