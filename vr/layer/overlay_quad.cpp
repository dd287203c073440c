#include "vr/layer/overlay_quad.h"

#include <epoxy/gl.h>
// epoxy first: it replaces GL/gl.h
#include <epoxy/glx.h>
#define XR_USE_PLATFORM_XLIB
#define XR_USE_GRAPHICS_API_OPENGL
#include <openxr/openxr.h>
#include <openxr/openxr_platform.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

#include "vr/layer/instance.h"

namespace glovebox::vr::layer {
namespace {

// Graphics APIs that an application may use instead of OpenGL on X11.
struct Graphics {
    XrStructureType binding;
    const char* name;
};
constexpr std::array kOthers = {
    Graphics{XR_TYPE_GRAPHICS_BINDING_OPENGL_XCB_KHR, "OpenGL on XCB"},
    Graphics{XR_TYPE_GRAPHICS_BINDING_OPENGL_WAYLAND_KHR, "OpenGL on Wayland"},
    Graphics{XR_TYPE_GRAPHICS_BINDING_EGL_MNDX, "OpenGL with EGL"},
    Graphics{XR_TYPE_GRAPHICS_BINDING_VULKAN_KHR, "Vulkan"},
    Graphics{XR_TYPE_GRAPHICS_BINDING_OPENGL_WIN32_KHR, "OpenGL on Windows"},
    Graphics{XR_TYPE_GRAPHICS_BINDING_OPENGL_ES_ANDROID_KHR, "OpenGL ES"},
    Graphics{XR_TYPE_GRAPHICS_BINDING_D3D11_KHR, "Direct3D 11"},
    Graphics{XR_TYPE_GRAPHICS_BINDING_D3D12_KHR, "Direct3D 12"},
};

const char* graphics_of(const void* chain) {
    for (const Graphics& each : kOthers)
        if (in_chain<XrBaseInStructure>(chain, each.binding) != nullptr) return each.name;
    return "no graphics that the panel knows";
}

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

}  // namespace

struct OverlayQuad::OpenGl {
    XrGraphicsBindingOpenGLXlibKHR binding;
    std::vector<XrSwapchainImageOpenGLKHR> images;
};

OverlayQuad::OverlayQuad(const Next& next, XrSession session, const void* chain) : next_(next), session_(session) {
    const auto* binding = in_chain<XrGraphicsBindingOpenGLXlibKHR>(chain, XR_TYPE_GRAPHICS_BINDING_OPENGL_XLIB_KHR);
    if (binding == nullptr)
        throw std::runtime_error(std::string("the panel needs OpenGL on X11, and the application has ") +
                                 graphics_of(chain));
    gl_ = std::make_unique<OpenGl>(OpenGl{*binding, {}});
    gl_->binding.next = nullptr;
}

OverlayQuad::~OverlayQuad() = default;

XrResult OverlayQuad::make() {
    std::uint32_t count = 0;
    XrResult result = next_.enumerate_swapchain_formats(session_, 0, &count, nullptr);
    if (result < 0) return result;
    std::vector<std::int64_t> formats(count);
    result = next_.enumerate_swapchain_formats(session_, count, &count, formats.data());
    if (result < 0) return result;
    // The picture is sRGB. Every OpenGL runtime for PCs that we know has this format.
    if (std::ranges::find(formats, GL_SRGB8_ALPHA8) == formats.end()) return XR_ERROR_SWAPCHAIN_FORMAT_UNSUPPORTED;
    XrSwapchainCreateInfo info{};
    info.type = XR_TYPE_SWAPCHAIN_CREATE_INFO;
    info.usageFlags = XR_SWAPCHAIN_USAGE_SAMPLED_BIT | XR_SWAPCHAIN_USAGE_COLOR_ATTACHMENT_BIT;
    info.format = GL_SRGB8_ALPHA8;
    info.width = OverlayPicture::kWidth_px;
    info.height = OverlayPicture::kHeight_px;
    info.sampleCount = info.faceCount = info.arraySize = info.mipCount = 1;
    result = next_.create_swapchain(session_, &info, &swapchain_);
    if (result < 0) {
        swapchain_ = XR_NULL_HANDLE;
        return result;
    }
    result = next_.enumerate_swapchain_images(swapchain_, 0, &count, nullptr);
    if (result < 0) return result;
    gl_->images.assign(count, {XR_TYPE_SWAPCHAIN_IMAGE_OPENGL_KHR, nullptr, 0});
    return next_.enumerate_swapchain_images(swapchain_, count, &count,
                                            reinterpret_cast<XrSwapchainImageBaseHeader*>(gl_->images.data()));
}

XrResult OverlayQuad::upload(const OverlayPicture& picture) {
    const Current current(gl_->binding);
    if (!current.fits()) return XR_ERROR_GRAPHICS_DEVICE_INVALID;
    const PlainPixels plain;
    if (swapchain_ == XR_NULL_HANDLE)
        if (const XrResult result = make(); result < 0) return result;
    if (!acquired_) {
        const XrResult result = next_.acquire_swapchain_image(swapchain_, nullptr, &image_);
        if (result < 0) return result;
        acquired_ = true;
    }
    if (!waited_) {
        const XrSwapchainImageWaitInfo at_once{XR_TYPE_SWAPCHAIN_IMAGE_WAIT_INFO, nullptr, 0};
        const XrResult waited = next_.wait_swapchain_image(swapchain_, &at_once);
        if (waited != XR_SUCCESS) return waited;
        waited_ = true;
        rows_ = 0;
    }
    glBindTexture(GL_TEXTURE_2D, gl_->images[image_].image);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, rows_, OverlayPicture::kWidth_px, kRowsAtOnce, GL_RGBA, GL_UNSIGNED_BYTE,
                    &picture.rgba[std::size_t{4} * OverlayPicture::kWidth_px * static_cast<std::size_t>(rows_)]);
    rows_ += kRowsAtOnce;
    if (rows_ < OverlayPicture::kHeight_px) return XR_SUCCESS;
    acquired_ = waited_ = false;
    if (const XrResult result = next_.release_swapchain_image(swapchain_, nullptr); result < 0) return result;
    shown_ = picture.number;
    return XR_SUCCESS;
}

XrCompositionLayerQuad OverlayQuad::layer(XrSpace view) const {
    XrCompositionLayerQuad quad{};
    quad.type = XR_TYPE_COMPOSITION_LAYER_QUAD;
    quad.space = view;
    quad.eyeVisibility = XR_EYE_VISIBILITY_BOTH;
    quad.subImage.swapchain = swapchain_;
    quad.subImage.imageRect = {{0, 0}, {OverlayPicture::kWidth_px, OverlayPicture::kHeight_px}};
    quad.pose = {{0.0F, 0.0F, 0.0F, 1.0F}, {-0.40F, 0.30F, -1.0F}};
    quad.size = {0.64F, 0.64F * OverlayPicture::kHeight_px / OverlayPicture::kWidth_px};
    return quad;
}

void OverlayQuad::close() {
    if (swapchain_ != XR_NULL_HANDLE) next_.destroy_swapchain(swapchain_);
    swapchain_ = XR_NULL_HANDLE;
}

}  // namespace glovebox::vr::layer
