// Keyframed camera paths for videos: interpolation, writing and reading.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "vr/render/camera.h"

namespace glovebox::vr {

/// A camera at a time.
struct CameraKey {
    double time_s = 0.0;  ///< recording time
    OrbitCamera camera;
};

/// Interpolates smoothly between keys (yaw along the shorter arc); outside their range, holds the first or last key.
/// `keys` must be sorted by time and not empty.
OrbitCamera camera_at(const std::vector<CameraKey>& keys, double time_s);

/// Returns the JSON text {"keyframes": [{"time_s", "target_m": [x, y, z], "yaw_rad", "elevation_rad", "distance_m"},
/// ...]}.
std::string camera_path_text(const std::vector<CameraKey>& keys);
/// Reads a file with that text. Throws std::runtime_error with file and reason.
std::vector<CameraKey> read_camera_path(const std::filesystem::path& path);

}  // namespace glovebox::vr
