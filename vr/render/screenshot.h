// Renders a picture of a view model at full quality, without a display, and writes PNG files.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "vr/render/camera.h"
#include "vr/render/view_settings.h"
#include "vr/session/view_model.h"

namespace glovebox::vr {

/// Options of a screenshot.
struct ScreenshotOptions {
    std::filesystem::path path;  ///< PNG
    int width_px = 1280, height_px = 720;
    float ui_scale = 0.0F;  ///< 0: computed from the height
    bool panel = true;
    bool more = false;  ///< also draw the popover of further settings
    ViewSettings settings;
    std::optional<OrbitCamera> camera;  ///< empty: framed(), which shows the whole recording
};

/// An 8-bit RGB image, rows from the top.
struct Picture {
    int width_px = 0, height_px = 0;
    std::vector<std::uint8_t> rgb;
};

/// Reads the framebuffer that is bound for reading.
Picture read_picture(int width_px, int height_px);

/// Renders into memory. Works without display, GPU or window system (with Mesa's software rasteriser), and also while a
/// Window is open. If OpenGL 3.3 is not available, throws std::runtime_error with a message that names what is missing.
Picture take_picture(const ViewModel& model, const ScreenshotOptions& options);

/// Renders to a PNG file, which is replaced atomically. Throws std::runtime_error as take_picture() does, or if the
/// file cannot be written.
void save_screenshot(const ViewModel& model, const ScreenshotOptions& options);

/// Writes a PNG file with 8-bit RGB, atomically.
void write_png(const Picture& picture, const std::filesystem::path& path);

}  // namespace glovebox::vr
