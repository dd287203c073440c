#include "vr/render/screenshot.h"

#include <png.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "recordings/output.h"
#include "recordings/own_mark.h"
#include "vr/render/framing.h"
#include "vr/render/gl.h"
#include "vr/render/picture_maker.h"
#include "vr/ui/theme.h"

namespace glovebox::vr {

// Top row first: OpenGL's first row is the lowest.
Picture read_picture(int width, int height) {
    Picture picture{width, height,
                    std::vector<std::uint8_t>(3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height))};
    std::vector<std::uint8_t> rgba(4 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
    const auto row = static_cast<std::size_t>(width);
    for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y)
        for (std::size_t x = 0; x < row; ++x)
            std::memcpy(&picture.rgb[3 * (y * row + x)],
                        &rgba[4 * ((static_cast<std::size_t>(height) - 1 - y) * row + x)], 3);
    return picture;
}

Picture take_picture(const ViewModel& model, const ScreenshotOptions& options) {
    const int width = std::clamp(options.width_px, 64, 16384);
    const int height = std::clamp(options.height_px, 64, 16384);
    PictureMaker maker(width, height, options.panel, options.ui_scale > 0.0F ? options.ui_scale : ui_scale_for(height));
    FrameOptions frame;
    frame.settings = options.settings;
    frame.panel = options.panel;
    frame.more = options.more;
    frame.camera = options.camera ? *options.camera : framed(model, maker.viewport(model, frame));
    return maker.take(model, frame);
}

// Compressed fast: a video has hundreds of pictures.
void write_png(const Picture& picture, const std::filesystem::path& path) {
    png_image header{};
    header.version = PNG_IMAGE_VERSION;
    header.width = static_cast<png_uint_32>(picture.width_px);
    header.height = static_cast<png_uint_32>(picture.height_px);
    header.format = PNG_FORMAT_RGB;
    header.flags = PNG_IMAGE_FLAG_FAST;
    png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(header);
    std::string png(bytes, '\0');
    if (png_image_write_to_memory(&header, png.data(), &bytes, 0, picture.rgb.data(), 0, nullptr) == 0)
        throw std::runtime_error("cannot make picture " + path.string() + ": " + header.message);
    png.resize(bytes);
    recordings::Output out(path);
    out.write(recordings::marked_png(std::move(png)));
    out.commit();
}

void save_screenshot(const ViewModel& model, const ScreenshotOptions& options) {
    write_png(take_picture(model, options), options.path);
}

}  // namespace glovebox::vr
