#include "vr/render/screenshot.h"

#include <stb_image_write.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "recordings/log/schema.h"
#include "recordings/output.h"
#include "vr/platform/platform.h"
#include "vr/render/framing.h"
#include "vr/render/gl.h"
#include "vr/render/gl_context.h"
#include "vr/render/renderer.h"
#include "vr/render/skin_library.h"
#include "vr/ui/ui.h"

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
    GlContext context(GlContext::Kind::offscreen, "Glovebox picture", 64, 64);
    Renderer renderer;
    SkinLibrary skins;
    skins.update(model, renderer, true);
    const RenderQuality quality;
    gl::Target resolved(width, height, 0);
    ViewSettings settings = options.settings;
    const float scale = options.ui_scale > 0.0F ? options.ui_scale : ui_scale_for(height);
    const Viewport viewport = {
        width, height, options.panel ? ui_layout(width, height, scale, shape_of(model, settings)).free_px : FreeArea{}};
    const OrbitCamera camera = options.camera ? *options.camera : framed(model, viewport);

    renderer.prepare(model, settings, frame_light(model, camera), quality);
    {
        const gl::Target samples(width, height, quality.samples);
        Eye eye;
        eye.view_from_world = camera.view_from_world();
        eye.clip_from_view = camera.clip_from_view(width, height, viewport.free_px);
        eye.width_px = width;
        eye.height_px = height;
        eye.px = scale;
        eye.reference_m = std::min(camera.distance_m, kLineReference_m);
        glBindFramebuffer(GL_FRAMEBUFFER, samples.framebuffer());
        renderer.draw(eye);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, samples.framebuffer());
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, resolved.framebuffer());
        glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, resolved.framebuffer());
    if (options.panel) {
        ImGuiContext* before = ImGui::GetCurrentContext();
        {
            Ui ui(options.ui_scale);
            if (options.more) ui.toggle(Ui::Popover::more);
            // ImGui settles layout over two frames, popups over three.
            for (int i = 0; i < 3; ++i) ui.build(model, settings, camera, width, height);
            glBindFramebuffer(GL_FRAMEBUFFER, resolved.framebuffer());
            glViewport(0, 0, width, height);
            ui.render();
        }
        ImGui::SetCurrentContext(before);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, resolved.framebuffer());
    return read_picture(width, height);
}

namespace {

// A text chunk after the header, by which a picture of ours is known again (recordings/output.h).
void mark_as_ours(std::string& png) {
    constexpr std::size_t kHeaderEnd = 33;
    const std::string chunk("tEXtSoftware\0glovebox", 21);
    const auto word = [](std::uint32_t value) {
        std::string bytes;
        for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift);
        return bytes;
    };
    const std::uint32_t crc = recordings::crc32({reinterpret_cast<const unsigned char*>(chunk.data()), chunk.size()});
    png.insert(kHeaderEnd, word(static_cast<std::uint32_t>(chunk.size() - 4)) + chunk + word(crc));
}

}  // namespace

void write_png(const Picture& picture, const std::filesystem::path& path) {
    std::string png;
    const auto append = [](void* to, void* bytes, int size) {
        static_cast<std::string*>(to)->append(static_cast<const char*>(bytes), static_cast<std::size_t>(size));
    };
    if (stbi_write_png_to_func(append, &png, picture.width_px, picture.height_px, 3, picture.rgb.data(),
                               3 * picture.width_px) == 0)
        throw std::runtime_error("cannot make picture " + path.string() + ": is there enough memory?");
    mark_as_ours(png);
    recordings::Output out(path);
    out.write(png);
    out.commit();
}

void save_screenshot(const ViewModel& model, const ScreenshotOptions& options) {
    write_png(take_picture(model, options), options.path);
}

}  // namespace glovebox::vr
