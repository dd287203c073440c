#include "vr/render/gl_context.h"

#include <SDL.h>
#include <epoxy/gl.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#ifdef __SANITIZE_ADDRESS__
// Drivers keep memory until the end of the process. If they were unloaded before, leak checkers would report that
// memory without a source.
extern "C" int dlclose(void*) noexcept {
    return 0;
}
#endif

namespace glovebox::vr {
namespace {

[[noreturn]] void fail(const char* what, const char* advice) {
    throw std::runtime_error(std::string(what) + ": " + SDL_GetError() + "; " + advice);
}

bool is_software(const std::string& renderer) {
    for (const char* name : {"llvmpipe", "softpipe", "swrast", "SwiftShader", "Software Rasterizer"})
        if (renderer.find(name) != std::string::npos) return true;
    return false;
}

}  // namespace

GlContext::GlContext(Kind kind, const std::string& title, int width, int height) {
    const bool running = SDL_WasInit(SDL_INIT_VIDEO) != 0;
    context_before_ = running ? SDL_GL_GetCurrentContext() : nullptr;
    window_before_ = running ? SDL_GL_GetCurrentWindow() : nullptr;
    if (kind == Kind::offscreen && !running) {
        SDL_SetHintWithPriority(SDL_HINT_VIDEODRIVER, "offscreen", SDL_HINT_OVERRIDE);
        // Otherwise EGL looks for a display server first and prints errors to stderr.
        std::error_code ignored;
        setenv("XDG_RUNTIME_DIR", std::filesystem::temp_directory_path(ignored).c_str(), 0);
    }
    SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");  // the application handles Ctrl-C
    if (SDL_InitSubSystem(SDL_INIT_VIDEO) != 0) {
        SDL_ResetHint(SDL_HINT_VIDEODRIVER);
        if (kind == Kind::window) fail("no display to open a window on", "use --headless, or set DISPLAY");
        fail("no offscreen OpenGL", "install libgl1-mesa-dri and libegl1");
    }
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_GL_SetAttribute(SDL_GL_DOUBLEBUFFER, 1);
    SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 0);  // the scene has its own depth buffer
    SDL_GL_SetAttribute(SDL_GL_SHARE_WITH_CURRENT_CONTEXT, 0);
    const Uint32 flags = SDL_WINDOW_OPENGL |
                         (kind == Kind::window ? SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI : SDL_WINDOW_HIDDEN);
    window_ = SDL_CreateWindow(title.c_str(), SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, width, height, flags);
    context_ = window_ == nullptr ? nullptr : SDL_GL_CreateContext(window_);
    if (context_ == nullptr) {
        const std::string reason = SDL_GetError();
        if (window_ != nullptr) SDL_DestroyWindow(window_);
        SDL_QuitSubSystem(SDL_INIT_VIDEO);
        SDL_ResetHint(SDL_HINT_VIDEODRIVER);
        SDL_SetError("%s", reason.c_str());
        fail("no OpenGL 3.3", "install a driver; libgl1-mesa-dri draws without a graphics card");
    }
    make_current();
    const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    renderer_name_ = name == nullptr ? "unknown" : name;
    software_ = is_software(renderer_name_);
}

GlContext::~GlContext() {
    SDL_GL_DeleteContext(context_);
    SDL_DestroyWindow(window_);
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
    SDL_ResetHint(SDL_HINT_VIDEODRIVER);
    if (context_before_ != nullptr) SDL_GL_MakeCurrent(window_before_, context_before_);
}

void GlContext::make_current() {
    SDL_GL_MakeCurrent(window_, context_);
}

}  // namespace glovebox::vr
