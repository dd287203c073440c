// Keyframed camera paths for videos: interpolation, writing and reading.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "vr/render/camera.h"

namespace glovebox::vr {

/// A camera and the time at which it has this position.
struct CameraKey {
    double time_s = 0.0;  ///< recording time
    OrbitCamera camera;
};

/// Interpolates smoothly between keys, with yaw along the shorter arc. Before the first key returns its camera, and
/// after the last key the last camera. `keys` must be sorted by time and must not be empty.
OrbitCamera camera_at(const std::vector<CameraKey>& keys, double time_s);

/// Returns the JSON text {"keyframes": [{"time_s", "target_m": [x, y, z], "yaw_rad", "elevation_rad", "distance_m"},
/// ...]}.
std::string camera_path_text(const std::vector<CameraKey>& keys);
/// Reads a file that contains text of camera_path_text(). Throws std::runtime_error with file and reason.
std::vector<CameraKey> read_camera_path(const std::filesystem::path& path);

}  // namespace glovebox::vr
