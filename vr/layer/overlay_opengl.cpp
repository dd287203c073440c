// This header first: Eigen, which it includes, refuses X11's macros.
#include "vr/layer/overlay_graphics.h"

#include <epoxy/gl.h>
// epoxy first: it replaces GL/gl.h
#include <epoxy/glx.h>
#define XR_USE_PLATFORM_XLIB
#define XR_USE_GRAPHICS_API_OPENGL
#include <openxr/openxr.h>
#include <openxr/openxr_platform.h>

#include <array>
#include <optional>
#include <vector>

#include "vr/layer/instance.h"

namespace glovebox::vr::layer {
namespace {

// Makes the application's context current in this thread, and restores the previous one on destruction.
class Current {
  public:
    explicit Current(const XrGraphicsBindingOpenGLXlibKHR& binding)
        : binding_(binding), context_(glXGetCurrentContext()) {
        if (context_ == binding.glxContext) return;
        display_ = glXGetCurrentDisplay();
        draw_ = glXGetCurrentDrawable();
        read_ = glXGetCurrentReadDrawable();
        changed_ = glXMakeCurrent(binding.xDisplay, binding.glxDrawable, binding.glxContext) != 0;
        fits_ = changed_;
    }
    ~Current() {
        if (!changed_) return;
        if (context_ == nullptr)
            glXMakeCurrent(binding_.xDisplay, None, nullptr);
        else
            glXMakeContextCurrent(display_, draw_, read_, context_);
    }
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;
    bool fits() const { return fits_; }

  private:
    const XrGraphicsBindingOpenGLXlibKHR& binding_;
    GLXContext context_;
    Display* display_ = nullptr;
    GLXDrawable draw_ = 0, read_ = 0;
    bool changed_ = false, fits_ = true;
};

GLint number_of_state(GLenum name) {
    GLint value = 0;
    glGetIntegerv(name, &value);
    return value;
}

// Sets the pixel-unpack state to OpenGL's defaults and restores it on destruction. The runtime's calls in between
// need the defaults too.
class PlainPixels {
  public:
    PlainPixels() {
        for (std::size_t i = 0; i < kUnpack.size(); ++i) {
            unpack_[i] = number_of_state(kUnpack[i].name);
            if (unpack_[i] != kUnpack[i].plain) glPixelStorei(kUnpack[i].name, kUnpack[i].plain);
        }
        if (buffer_ != 0) glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    }
    ~PlainPixels() {
        glBindTexture(GL_TEXTURE_2D, static_cast<GLuint>(texture_));
        if (buffer_ != 0) glBindBuffer(GL_PIXEL_UNPACK_BUFFER, static_cast<GLuint>(buffer_));
        for (std::size_t i = 0; i < kUnpack.size(); ++i)
            if (unpack_[i] != kUnpack[i].plain) glPixelStorei(kUnpack[i].name, unpack_[i]);
    }
    PlainPixels(const PlainPixels&) = delete;
    PlainPixels& operator=(const PlainPixels&) = delete;

  private:
    struct Number {
        GLenum name;
        GLint plain;
    };
    static constexpr std::array<Number, 6> kUnpack = {{{GL_UNPACK_ALIGNMENT, 4},
                                                       {GL_UNPACK_ROW_LENGTH, 0},
                                                       {GL_UNPACK_SKIP_ROWS, 0},
                                                       {GL_UNPACK_SKIP_PIXELS, 0},
                                                       {GL_UNPACK_SWAP_BYTES, 0},
                                                       {GL_UNPACK_LSB_FIRST, 0}}};
    GLint texture_ = number_of_state(GL_TEXTURE_BINDING_2D), buffer_ = number_of_state(GL_PIXEL_UNPACK_BUFFER_BINDING);
    std::array<GLint, kUnpack.size()> unpack_{};
};

// OpenXR requires that no other thread has the session's context current while a frame is ended, so it may be used.
class OpenGlGraphics : public OverlayGraphics {
  public:
    explicit OpenGlGraphics(const XrGraphicsBindingOpenGLXlibKHR& binding) : binding_(binding) {
        binding_.next = nullptr;
    }
    bool begin() override {
        current_.emplace(binding_);
        if (!current_->fits()) {
            current_.reset();
            return false;
        }
        plain_.emplace();
        return true;
    }
    void end() override {
        plain_.reset();
        current_.reset();
    }
    std::int64_t format() const override { return GL_SRGB8_ALPHA8; }
    XrSwapchainUsageFlags usage() const override {
        return XR_SWAPCHAIN_USAGE_SAMPLED_BIT | XR_SWAPCHAIN_USAGE_COLOR_ATTACHMENT_BIT;
    }
    XrResult take_images(const Next& next, XrSwapchain swapchain) override {
        std::uint32_t count = 0;
        const XrResult result = next.enumerate_swapchain_images(swapchain, 0, &count, nullptr);
        if (result < 0) return result;
        images_.assign(count, {XR_TYPE_SWAPCHAIN_IMAGE_OPENGL_KHR, nullptr, 0});
        return next.enumerate_swapchain_images(swapchain, count, &count,
                                               reinterpret_cast<XrSwapchainImageBaseHeader*>(images_.data()));
    }
    bool is_ready() override { return true; }
    bool keeps_slices() const override { return false; }
    void copy_slice(const OverlayPicture& picture, std::uint32_t image, std::size_t slice) override {
        constexpr int kRows = OverlayPicture::kSliceRows;
        glBindTexture(GL_TEXTURE_2D, images_[image].image);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, static_cast<GLint>(slice) * kRows, OverlayPicture::kWidth_px, kRows,
                        GL_RGBA, GL_UNSIGNED_BYTE,
                        &picture.rgba[slice * picture.rgba.size() / OverlayPicture::kSlices]);
    }
    bool finish(std::uint32_t) override { return true; }
    void close() override {}

  private:
    XrGraphicsBindingOpenGLXlibKHR binding_;
    std::vector<XrSwapchainImageOpenGLKHR> images_;
    std::optional<Current> current_;
    std::optional<PlainPixels> plain_;
};

}  // namespace

std::unique_ptr<OverlayGraphics> opengl_graphics(const void* chain) {
    const auto* binding = in_chain<XrGraphicsBindingOpenGLXlibKHR>(chain, XR_TYPE_GRAPHICS_BINDING_OPENGL_XLIB_KHR);
    return binding == nullptr ? nullptr : std::make_unique<OpenGlGraphics>(*binding);
}

}  // namespace glovebox::vr::layer
