// A session as a video: pictures at a fixed rate of the recording's own time, into ffmpeg or as PNG files.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "vr/export/camera_path.h"
#include "vr/session/session.h"

namespace glovebox::vr {

/// What is kept of every picture, from its upper left corner.
struct PictureCrop {
    int width_px = 0, height_px = 0, x_px = 0, y_px = 0;
};

struct VideoSettings {
    std::filesystem::path out;  ///< .mp4, .gif, .webm; else a folder of PNG files
    int width_px = 1280, height_px = 720;
    PictureCrop crop;     ///< of no width: all
    double fps = 30.0;    ///< pictures a second of the video
    double speed = 1.0;   ///< seconds of the recording in a second of the video
    double from_s = 0.0;  ///< of the recording
    double to_s = -1.0;   ///< likewise; negative: its end
    enum class Camera : std::uint8_t { fixed, follow, orbit, path };
    Camera camera = Camera::fixed;
    std::vector<CameraKey> path;  ///< of Camera::path
    bool panel = false, captions = true;
};

/// For CLI::Option::check: empty, or why nothing can be written there.
std::string check_video_path(const std::string& path);

struct VideoResult {
    std::filesystem::path path;  ///< what was written: the file, or the folder of pictures
    std::int64_t pictures = 0;
    double length_s = 0.0;
    std::string command;  ///< that makes the video of the pictures, where ffmpeg is not installed; else empty
};

/// Runs the session from its start. A gap of the recording lasts as long in the video; the last hand stands still
/// meanwhile. Pictures depend on the recording, the scene and the settings alone, but for the costs on the panel.
/// `progress` is told how many of how many pictures there are; returning false ends the video there.
/// Throws std::runtime_error, recordings::ExportError.
VideoResult make_video(Session& session, const VideoSettings& settings,
                       const std::function<bool(std::int64_t, std::int64_t)>& progress);

}  // namespace glovebox::vr
