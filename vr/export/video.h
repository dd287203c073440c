// Exports a session as a video, encoded by ffmpeg or as PNG files. Pictures are evenly spaced in recording time.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "vr/export/camera_path.h"
#include "vr/session/session.h"

namespace glovebox::vr {

/// The part of each picture that the video shows; offsets are from the upper left corner.
struct PictureCrop {
    int width_px = 0, height_px = 0, x_px = 0, y_px = 0;
};

/// Options of a video.
struct VideoSettings {
    std::filesystem::path out;  ///< .mp4, .gif, .webm; else a folder of PNG files
    int width_px = 1280, height_px = 720;
    PictureCrop crop;     ///< width 0: the whole picture
    double fps = 30.0;    ///< pictures per second of the video
    double speed = 1.0;   ///< seconds of the recording per second of the video
    double from_s = 0.0;  ///< recording time of the begin
    double to_s = -1.0;   ///< recording time of the end; negative: the recording's end
    enum class Camera : std::uint8_t { fixed, follow, orbit, path };
    Camera camera = Camera::fixed;
    std::vector<CameraKey> path;  ///< for Camera::path
    bool panel = false, captions = true;
};

/// Returns an error message if a video cannot be written to `path`, otherwise an empty string. For CLI::Option::check.
std::string check_video_path(const std::string& path);

/// Result of make_video().
struct VideoResult {
    std::filesystem::path path;  ///< the file, or the folder of pictures
    std::int64_t pictures = 0;
    double length_s = 0.0;
    std::string command;  ///< command that makes the video from the pictures if ffmpeg is not installed; else empty
};

/// Runs the session from its start and makes the video. During a gap in the recording, the video shows the hands
/// without motion for as long as the gap lasts. Pictures depend only on the recording, the scene and the settings,
/// except for the timings on the panel. `progress` is called with the number of finished pictures and the total; if it
/// returns false, the video ends there. Throws std::runtime_error or recordings::ExportError.
VideoResult make_video(Session& session, const VideoSettings& settings,
                       const std::function<bool(std::int64_t, std::int64_t)>& progress);

}  // namespace glovebox::vr
