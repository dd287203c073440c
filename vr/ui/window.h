// The desktop window, which draws a ViewModel each frame and returns the user's commands.
//
//   Window window({.title = "Glovebox"});
//   while (window.open()) { ...step...; const ViewCommands asked = window.draw(model); ... }
//
// Its keys and mouse uses are in the table of vr/ui/shortcuts.h.
//
// The scene's quality depends on the measured frame time. On a GPU it is full. On a software rasteriser the scene is
// drawn at half size, without multisampling, only when it has changed, and in slices, between which the panel handles
// input. As soon as nothing moves, a picture at full quality replaces it.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "vr/render/screenshot.h"
#include "vr/session/stage_stats.h"
#include "vr/session/view_model.h"

namespace glovebox::vr {

/// Options of a window.
struct WindowOptions {
    std::string title = "Glovebox";
    int width_px = 0, height_px = 0;  ///< 0: 1280 x 720, or less on a display that is smaller
    float ui_scale = 0.0F;            ///< 0: computed from the window's height
};

/// Timings of the window. The histograms do not include the first pictures, during which the shaders are compiled.
struct WindowTimings {
    /// Time from the start of the process to the first picture on the screen, which shows only the panel.
    double first_frame_ms = 0.0;
    /// Time from the start of the process to the first picture with hand and scene.
    double first_scene_ms = 0.0;
    DurationHistogram scene;     ///< time to draw a scene that changed
    DurationHistogram panel;     ///< time to draw the panel over the scene and to present both
    DurationHistogram interval;  ///< time between two pictures while the scene changes
    DurationHistogram input;     ///< time between two polls of mouse and keys
    std::uint64_t frames = 0, scenes = 0;
    int tier = 0;  ///< quality tier; 0 is the best
    int width_px = 0, height_px = 0;
    std::string renderer;  ///< name of the renderer, from the driver

    double scenes_per_second() const { return interval.count() == 0 ? 0.0 : 1e6 / interval.mean_us(); }
};

constexpr std::chrono::seconds kLineShown{4};

/// Owns the window, its user interface and the renderer.
class Window {
  public:
    /// Throws std::runtime_error if there is no display or no OpenGL 3.3.
    explicit Window(const WindowOptions& options = {});
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    /// Handles input, draws and presents. If nothing changed, waits up to 30 ms for input instead of drawing again.
    ViewCommands draw(const ViewModel& model);
    /// Shows a line over the scene for that time, or until the next one. An empty line ends it.
    void show_message(std::string line, std::chrono::seconds shown = kLineShown);
    /// Resets the window's state and changes its title. Call it before the first model of another session.
    void start_over(const std::string& title);
    bool open() const;
    const WindowTimings& timings() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace glovebox::vr
