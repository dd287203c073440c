// A camera that orbits a target point, with orbit, pan, zoom and projection matrices.
#pragma once

#include <Eigen/Geometry>

namespace glovebox::vr {

/// Area of the window, in pixels, that no panel covers. The subject is centred there.
struct FreeArea {
    float x = 0.0F, y = 0.0F, width = 0.0F, height = 0.0F;
};

/// A perspective camera at `distance_m` from its target, looking at it. World frame.
struct OrbitCamera {
    Eigen::Vector3f target_m = Eigen::Vector3f(0.0F, 0.06F, 0.0F);
    float yaw_rad = 0.0F;         ///< 0 looks along -Z; increases as the eye moves towards +X
    float elevation_rad = 0.38F;  ///< angle of the eye above the target
    float distance_m = 0.55F;
    float vertical_view_rad = 0.5236F;

    Eigen::Vector3f eye_m() const;
    Eigen::Matrix4f view_from_world() const;
    /// Returns a projection whose centre is shifted to the middle of the free area. Depth is OpenGL's, -1..1.
    Eigen::Matrix4f clip_from_view(int width_px, int height_px, const FreeArea& free) const;

    void orbit(float right_px, float down_px, float height_px);
    void zoom(float steps);
    /// Moves the target so that the point under the mouse follows it.
    void pan(float right_px, float down_px, float height_px);
};

Eigen::Matrix4f perspective(float vertical_view_rad, float aspect, float near_m, float far_m);
Eigen::Matrix4f orthographic(float half_width_m, float half_height_m, float near_m, float far_m);

}  // namespace glovebox::vr
