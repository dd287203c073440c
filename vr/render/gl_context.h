// An SDL window with an OpenGL 3.3 core context: on the screen, or nowhere at all.
#pragma once

#include <string>

struct SDL_Window;

namespace glovebox::vr {

class GlContext {
  public:
    enum class Kind : std::uint8_t { window, offscreen };

    /// Offscreen uses SDL's offscreen driver (EGL without a display) unless video already runs, then a hidden window.
    /// Throws std::runtime_error: what could not be had and what to do about it.
    GlContext(Kind kind, const std::string& title, int width, int height);
    ~GlContext();
    GlContext(const GlContext&) = delete;
    GlContext& operator=(const GlContext&) = delete;

    void make_current();
    SDL_Window* window() const { return window_; }
    void* context() const { return context_; }
    /// llvmpipe and its like: every pixel costs processor time.
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
