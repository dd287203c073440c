// Where a video's camera is at a time: still, with the hands, round them, or along keyframes from a file.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "vr/render/camera.h"

namespace glovebox::vr {

struct CameraKey {
    double time_s = 0.0;
    OrbitCamera camera;
};

/// Between keys everything goes smoothly, yaw the shorter way; before the first and after the last it stands still.
/// `keys` in the order of time, at least one.
OrbitCamera camera_at(const std::vector<CameraKey>& keys, double time_s);

/// {"keyframes": [{"time_s", "target_m": [x, y, z], "yaw_rad", "elevation_rad", "distance_m"}, ...]}
std::string camera_path_text(const std::vector<CameraKey>& keys);
/// Throws std::runtime_error with file and reason.
std::vector<CameraKey> read_camera_path(const std::filesystem::path& path);

}  // namespace glovebox::vr
