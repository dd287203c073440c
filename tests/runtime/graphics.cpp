#include "tests/runtime/graphics.h"

#ifdef HAND_RUNTIME_OPENGL
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <GL/glx.h>
#ifdef HAND_RUNTIME_EGL
#include <EGL/egl.h>
#define XR_USE_PLATFORM_EGL
#endif
#include <openxr/openxr.h>
#define XR_USE_PLATFORM_XLIB
#define XR_USE_GRAPHICS_API_OPENGL
#include <openxr/openxr_platform.h>
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#include <stb/stb_image_write.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#include <cmath>
#include <optional>

#include "tests/runtime/vulkan.h"

namespace glovebox::tests::runtime {

// One of the kinds of binding: Vulkan if it is not null, glx if it holds an X display, otherwise egl.
struct Graphics {
    std::unique_ptr<Vulkan> vulkan;
    XrGraphicsBindingOpenGLXlibKHR glx{};
#ifdef HAND_RUNTIME_EGL
    XrGraphicsBindingEGLMNDX egl{};
#endif
};

namespace {

// Makes the application's context current during its lifetime; the destructor restores the previous one.
class CurrentGlx {
  public:
    explicit CurrentGlx(const XrGraphicsBindingOpenGLXlibKHR& b)
        : display_(glXGetCurrentDisplay()), drawable_(glXGetCurrentDrawable()), context_(glXGetCurrentContext()) {
        changed_ = context_ != b.glxContext;
        fits_ = !changed_ || glXMakeCurrent(b.xDisplay, b.glxDrawable, b.glxContext) == True;
        borrowed_display_ = b.xDisplay;
    }
    ~CurrentGlx() {
        if (!changed_) return;
        if (context_ != nullptr)
            glXMakeCurrent(display_, drawable_, context_);
        else
            glXMakeCurrent(borrowed_display_, None, nullptr);
    }
    CurrentGlx(const CurrentGlx&) = delete;
    CurrentGlx& operator=(const CurrentGlx&) = delete;
    bool fits() const { return fits_; }

  private:
    Display* display_;
    Display* borrowed_display_ = nullptr;
    GLXDrawable drawable_;
    GLXContext context_;
    bool changed_ = false, fits_ = false;
};

#ifdef HAND_RUNTIME_EGL
class CurrentEgl {
  public:
    explicit CurrentEgl(const XrGraphicsBindingEGLMNDX& b)
        : binding_(b),
          context_(eglGetCurrentContext()),
          draw_(eglGetCurrentSurface(EGL_DRAW)),
          read_(eglGetCurrentSurface(EGL_READ)) {
        changed_ = context_ != b.context;
        fits_ = !changed_ || eglMakeCurrent(b.display, EGL_NO_SURFACE, EGL_NO_SURFACE, b.context) == EGL_TRUE;
    }
    ~CurrentEgl() {
        if (changed_) eglMakeCurrent(binding_.display, draw_, read_, context_);
    }
    CurrentEgl(const CurrentEgl&) = delete;
    CurrentEgl& operator=(const CurrentEgl&) = delete;
    bool fits() const { return fits_; }

  private:
    const XrGraphicsBindingEGLMNDX& binding_;
    EGLContext context_;
    EGLSurface draw_, read_;
    bool changed_ = false, fits_ = false;
};
#endif

class Current {
  public:
    explicit Current(const Graphics& graphics) {
        if (graphics.glx.xDisplay != nullptr) glx_.emplace(graphics.glx);
#ifdef HAND_RUNTIME_EGL
        else
            egl_.emplace(graphics.egl);
#endif
    }
    bool fits() const {
#ifdef HAND_RUNTIME_EGL
        if (egl_) return egl_->fits();
#endif
        return glx_ && glx_->fits();
    }

  private:
    std::optional<CurrentGlx> glx_;
#ifdef HAND_RUNTIME_EGL
    std::optional<CurrentEgl> egl_;
#endif
};

GLenum target_of(std::uint32_t layers) {
    return layers > 1 ? GL_TEXTURE_2D_ARRAY : GL_TEXTURE_2D;
}

// By its address: applications such as Khronos' hello_xr export a variable of this name, which would be called instead.
void bind_buffer(GLenum target, GLuint buffer) {
    static const auto bind =
        reinterpret_cast<PFNGLBINDBUFFERPROC>(glXGetProcAddressARB(reinterpret_cast<const GLubyte*>("glBindBuffer")));
    bind(target, buffer);
}

std::uint8_t srgb_from_linear(std::uint8_t byte) {
    const float c = static_cast<float>(byte) / 255.0F;
    const float s = c <= 0.0031308F ? 12.92F * c : 1.055F * std::pow(c, 1.0F / 2.4F) - 0.055F;
    return static_cast<std::uint8_t>(s * 255.0F + 0.5F);
}

}  // namespace

std::shared_ptr<Graphics> bind_graphics(const XrSessionCreateInfo& info, std::string& fault) {
    auto graphics = std::make_shared<Graphics>();
    graphics->vulkan = bind_vulkan(info, fault);
    if (graphics->vulkan != nullptr) return graphics;
    if (!fault.empty()) return nullptr;
    if (const auto* glx =
            in_chain<XrGraphicsBindingOpenGLXlibKHR>(info.next, XR_TYPE_GRAPHICS_BINDING_OPENGL_XLIB_KHR)) {
        graphics->glx = *glx;
#ifdef HAND_RUNTIME_EGL
    } else if (const auto* egl = in_chain<XrGraphicsBindingEGLMNDX>(info.next, XR_TYPE_GRAPHICS_BINDING_EGL_MNDX)) {
        if (!runtime().only_instance()->has("XR_MNDX_egl_enable")) {
            fault = "an EGL binding, and XR_MNDX_egl_enable is not enabled";
            return nullptr;
        }
        graphics->egl = *egl;
        if (egl->getProcAddress == nullptr || egl->context == nullptr) {
            fault = "an EGL binding without a context or eglGetProcAddress";
            return nullptr;
        }
#endif
    } else {
        fault = "no binding of OpenGL for X11 or EGL, or of Vulkan, in the chain";
        return nullptr;
    }
    const Current current(*graphics);
    if (!current.fits()) {
        fault = "the binding's OpenGL context cannot be made current here";
        return nullptr;
    }
    return graphics;
}

bool is_vulkan(const Graphics& graphics) {
    return graphics.vulkan != nullptr;
}

std::uint64_t number_of_texture(const Graphics& graphics, std::uint32_t texture) {
    return is_vulkan(graphics) ? graphics.vulkan->handle_of(texture) : texture;
}

std::vector<std::uint32_t> make_textures(Graphics& graphics, const XrSwapchainCreateInfo& info, std::size_t count) {
    if (is_vulkan(graphics)) return graphics.vulkan->make_images(info, count);
    const Current current(graphics);
    if (!current.fits()) return {};
    while (glGetError() != GL_NO_ERROR) {
    }
    const GLenum target = target_of(info.arraySize);
    const bool depth = is_depth_format(info.format);
    const bool stencil = info.format == GL_DEPTH24_STENCIL8;
    const GLenum format = depth ? (stencil ? GL_DEPTH_STENCIL : GL_DEPTH_COMPONENT) : GL_RGBA;
    const GLenum type = depth ? (stencil ? GL_UNSIGNED_INT_24_8 : GL_FLOAT) : GL_UNSIGNED_BYTE;
    GLint bound = 0;
    glGetIntegerv(info.arraySize > 1 ? GL_TEXTURE_BINDING_2D_ARRAY : GL_TEXTURE_BINDING_2D, &bound);
    std::vector<std::uint32_t> textures(count);
    glGenTextures(static_cast<GLsizei>(count), textures.data());
    const auto internal = static_cast<GLint>(info.format);
    const auto width = static_cast<GLsizei>(info.width), height = static_cast<GLsizei>(info.height);
    for (const std::uint32_t texture : textures) {
        glBindTexture(target, texture);
        if (info.arraySize > 1)
            glTexImage3D(target, 0, internal, width, height, static_cast<GLsizei>(info.arraySize), 0, format, type,
                         nullptr);
        else
            glTexImage2D(target, 0, internal, width, height, 0, format, type, nullptr);
        glTexParameteri(target, GL_TEXTURE_MAX_LEVEL, 0);
    }
    glBindTexture(target, static_cast<GLuint>(bound));
    if (glGetError() == GL_NO_ERROR) return textures;
    glDeleteTextures(static_cast<GLsizei>(count), textures.data());
    return {};
}

void drop_textures(Graphics& graphics, const std::vector<std::uint32_t>& textures) {
    if (is_vulkan(graphics)) return graphics.vulkan->drop_images(textures);
    const Current current(graphics);
    if (current.fits()) glDeleteTextures(static_cast<GLsizei>(textures.size()), textures.data());
}

Picture read_back(Graphics& graphics, const Swapchain& swapchain, const XrSwapchainSubImage& part) {
    if (is_vulkan(graphics)) return graphics.vulkan->read_back(swapchain, part);
    const Current current(graphics);
    Picture picture;
    picture.width = part.imageRect.extent.width;
    picture.height = part.imageRect.extent.height;
    picture.rgba.assign(static_cast<std::size_t>(4 * picture.width * picture.height), 0);
    if (!current.fits()) return picture;
    const GLenum target = target_of(swapchain.layers);
    GLint bound = 0, pack_buffer = 0, alignment = 4, row_length = 0;
    glGetIntegerv(swapchain.layers > 1 ? GL_TEXTURE_BINDING_2D_ARRAY : GL_TEXTURE_BINDING_2D, &bound);
    glGetIntegerv(GL_PIXEL_PACK_BUFFER_BINDING, &pack_buffer);
    glGetIntegerv(GL_PACK_ALIGNMENT, &alignment);
    glGetIntegerv(GL_PACK_ROW_LENGTH, &row_length);
    bind_buffer(GL_PIXEL_PACK_BUFFER, 0);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glPixelStorei(GL_PACK_ROW_LENGTH, 0);
    glBindTexture(target, swapchain.textures[static_cast<std::size_t>(swapchain.last_released)]);
    const std::size_t layer_bytes = std::size_t{4} * swapchain.width * swapchain.height;
    std::vector<std::uint8_t> all(layer_bytes * swapchain.layers);
    glGetTexImage(target, 0, GL_RGBA, GL_UNSIGNED_BYTE, all.data());
    glBindTexture(target, static_cast<GLuint>(bound));
    bind_buffer(GL_PIXEL_PACK_BUFFER, static_cast<GLuint>(pack_buffer));
    glPixelStorei(GL_PACK_ALIGNMENT, alignment);
    glPixelStorei(GL_PACK_ROW_LENGTH, row_length);
    // OpenGL's first row is the lowest. A format other than sRGB holds linear light, which the display encodes.
    const bool linear = swapchain.format != GL_SRGB8_ALPHA8;
    const std::uint8_t* layer = all.data() + layer_bytes * part.imageArrayIndex;
    for (int y = 0; y < picture.height; ++y) {
        const int row = part.imageRect.offset.y + picture.height - 1 - y;
        for (int x = 0; x < picture.width; ++x) {
            const std::uint8_t* from = layer + 4 * (static_cast<std::size_t>(row) * swapchain.width +
                                                    static_cast<std::size_t>(part.imageRect.offset.x + x));
            std::uint8_t* to = picture.at(x, y);
            for (int c = 0; c < 4; ++c) to[c] = linear && c < 3 ? srgb_from_linear(from[c]) : from[c];
        }
    }
    return picture;
}

void write_png(const std::string& path, const Picture& picture) {
    if (stbi_write_png(path.c_str(), picture.width, picture.height, 4, picture.rgba.data(), 4 * picture.width) == 0)
        runtime().write_log("could not write %s", path.c_str());
}

}  // namespace glovebox::tests::runtime

#else

namespace glovebox::tests::runtime {

struct Graphics {};
std::shared_ptr<Graphics> bind_graphics(const XrSessionCreateInfo&, std::string& fault) {
    fault = "this runtime was built without OpenGL";
    return nullptr;
}
bool is_vulkan(const Graphics&) {
    return false;
}
std::uint64_t number_of_texture(const Graphics&, std::uint32_t texture) {
    return texture;
}
std::vector<std::uint32_t> make_textures(Graphics&, const XrSwapchainCreateInfo&, std::size_t) {
    return {};
}
void drop_textures(Graphics&, const std::vector<std::uint32_t>&) {}
Picture read_back(Graphics&, const Swapchain&, const XrSwapchainSubImage&) {
    return {};
}
void write_png(const std::string&, const Picture&) {}

}  // namespace glovebox::tests::runtime
#endif
