// A picture of a view model at full quality, without any display.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "vr/render/camera.h"
#include "vr/render/view_settings.h"
#include "vr/session/view_model.h"

namespace glovebox::vr {

struct ScreenshotOptions {
    std::filesystem::path path;  ///< PNG
    int width_px = 1280, height_px = 720;
    float ui_scale = 0.0F;  ///< 0: from the height
    bool panel = true;
    bool more = false;  ///< with the popover of further settings open
    ViewSettings settings;
    std::optional<OrbitCamera> camera;  ///< otherwise framed(): the whole take
};

/// Rows from the top, RGB.
struct Picture {
    int width_px = 0, height_px = 0;
    std::vector<std::uint8_t> rgb;
};

/// Of the framebuffer that is bound for reading.
Picture read_picture(int width_px, int height_px);

/// Renders into memory. Works with no display, GPU or window system (Mesa's software rasteriser), and beside an open
/// Window. Throws std::runtime_error, saying what is missing, where no OpenGL 3.3 can be had.
Picture take_picture(const ViewModel& model, const ScreenshotOptions& options);

/// The same to a PNG file. An older file of that name stays until the new one is whole. Throws std::runtime_error.
void save_screenshot(const ViewModel& model, const ScreenshotOptions& options);

/// Writes 8-bit RGB. Whole or not at all.
void write_png(const Picture& picture, const std::filesystem::path& path);

}  // namespace glovebox::vr
