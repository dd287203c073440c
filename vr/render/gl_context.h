// An SDL window with an OpenGL 3.3 core context, on the screen or offscreen.
#pragma once

#include <string>

struct SDL_Window;

namespace glovebox::vr {

/// Owns the window and its context. On destruction, the context that was current before becomes current again.
class GlContext {
  public:
    enum class Kind : std::uint8_t { window, offscreen };

    /// Creates window and context. `Kind::offscreen` uses SDL's offscreen driver (EGL without a display), or a hidden
    /// window if SDL's video is already running. Throws std::runtime_error with the failure and its remedy in the
    /// message.
    GlContext(Kind kind, const std::string& title, int width, int height);
    ~GlContext();
    GlContext(const GlContext&) = delete;
    GlContext& operator=(const GlContext&) = delete;

    void make_current();
    SDL_Window* window() const { return window_; }
    void* context() const { return context_; }
    /// Returns whether the renderer is software (such as llvmpipe), with which every pixel costs CPU time.
    bool software() const { return software_; }
    const std::string& renderer_name() const { return renderer_name_; }

  private:
    SDL_Window* window_ = nullptr;
    void* context_ = nullptr;
    void* context_before_ = nullptr;
    SDL_Window* window_before_ = nullptr;
    bool software_ = false;
    std::string renderer_name_;
};

}  // namespace glovebox::vr
